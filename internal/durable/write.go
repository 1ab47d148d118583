package durable

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// point names a moment of a write or a lock, for tests that kill the process
// or meddle with the folder there.
type point string

const (
	pointCreated point = "created" // the temporary file exists, empty
	pointWritten point = "written" // it has its content, not yet synced
	pointSynced  point = "synced"  // it is on disk under its temporary name
	pointRenamed point = "renamed" // it has its name, the folder is not synced
	pointOpened  point = "opened"  // the lock file is open, not yet locked
)

// writeAttempts bounds the repeats after another writer of the same name
// cleared our temporary file away in the instant before its rename, or
// somebody deleted the subfolder.
const writeAttempts = 16

// Write replaces the file: whoever reads, and whatever is left after a kill
// or a power cut, has the old content whole or the new content whole. (xfs
// brings back an empty file if the fsync before the rename is left out.)
// Subfolders are made as needed, 0700. When it returns nil the content is on
// disk. What an earlier, killed write of this name left behind is removed.
func (d *Dir) Write(name string, data []byte) error {
	var err error
	for range writeAttempts {
		if err = d.prepare(name); err == nil {
			err = d.replace(filepath.FromSlash(name), data)
		}
		if d.root == nil || !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	if err != nil {
		return fmt.Errorf("write %q: %w", d.Path(name), err)
	}
	return nil
}

// WriteJSON is Write of v, indented for a reader, without HTML escaping.
func (d *Dir) WriteJSON(name string, v any) error {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("write %q: %w", d.Path(name), err)
	}
	return d.Write(name, buf.Bytes())
}

// OpenFile opens a file for streaming (attempt logs), made 0600 with its
// subfolders if flag has [os.O_CREATE]. Nothing is synced: that is up to the
// caller, the folder included (a lost name is a lost file).
func (d *Dir) OpenFile(name string, flag int) (*os.File, error) {
	if flag&(os.O_WRONLY|os.O_RDWR|os.O_CREATE|os.O_TRUNC) != 0 {
		if err := d.prepare(name); err != nil {
			return nil, fmt.Errorf("open %q: %w", d.Path(name), err)
		}
	}
	err := d.regular(name)
	if err != nil && (flag&os.O_CREATE == 0 || !errors.Is(err, fs.ErrNotExist)) {
		return nil, err
	}
	return d.root.OpenFile(filepath.FromSlash(name), flag, fileMode)
}

// Remove deletes the file and puts the deletion on disk; an absent file is
// no error. Never remove the file of a lock: see [Dir.Lock].
func (d *Dir) Remove(name string) error {
	return d.remove(name, (*os.Root).Remove)
}

// RemoveAll deletes the file or the subfolder with all it holds; links are
// deleted, never followed.
func (d *Dir) RemoveAll(name string) error {
	return d.remove(name, (*os.Root).RemoveAll)
}

func (d *Dir) remove(name string, remove func(*os.Root, string) error) error {
	if d.readOnly {
		return fmt.Errorf("remove %q: %w", d.Path(name), errReadOnly)
	}
	if err := d.check(name, false); err != nil {
		return err
	}
	native := filepath.FromSlash(name)
	if err := ignoreAbsent(remove(d.root, native)); err != nil {
		return fmt.Errorf("remove %q: %w", d.Path(name), err)
	}
	return ignoreAbsent(syncDir(d.root, filepath.Dir(native)))
}

// prepare makes the folder of name; every way to change something passes it.
func (d *Dir) prepare(name string) error {
	if d.readOnly {
		return errReadOnly
	}
	if err := d.check(name, false); err != nil {
		return err
	}
	return makeSubdirs(d.root, filepath.Dir(filepath.FromSlash(name)))
}

// replace is one try of Write.
func (d *Dir) replace(name string, data []byte) error {
	dir, base := filepath.Split(name)
	if err := clearTemps(d.root, dir, base); err != nil {
		return err
	}
	temp := filepath.Join(dir, tempName(base))
	if err := d.writeTemp(temp, data); err != nil {
		return errors.Join(err, ignoreAbsent(d.root.Remove(temp)))
	}
	if err := d.root.Rename(temp, name); err != nil {
		return errors.Join(err, ignoreAbsent(d.root.Remove(temp)))
	}
	d.reached(pointRenamed)
	return syncDir(d.root, dir)
}

// writeTemp writes and syncs the temporary file. The lock on it tells other
// writers that it is not a dead one's. It is closed before the rename because
// Windows may not rename an open file; Write repeats if that instant is hit.
func (d *Dir) writeTemp(temp string, data []byte) (err error) {
	f, err := d.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	// Without working locks (some network file systems) the write is as
	// good; only the clearing of dead temporary files is left undone.
	_ = tryLock(f)
	d.reached(pointCreated)
	if _, err := f.Write(data); err != nil {
		return err
	}
	d.reached(pointWritten)
	if err := f.Sync(); err != nil {
		return err
	}
	d.reached(pointSynced)
	return nil
}

func (d *Dir) reached(p point) {
	if d.at != nil {
		d.at(p)
	}
}

func ignoreAbsent(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
