package place

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"

	"github.com/git-agent/git-agent/pkg/object"
)

// still reports that what lies at p has the bytes that were seen there; where
// there were none, that there are none (a folder may have gone meanwhile).
func (d Disk) still(p string, seen File) (bool, error) {
	if seen.info != nil {
		info, err := os.Lstat(d.path(p))
		if err == nil && os.SameFile(info, seen.info) && info.Size() == seen.info.Size() &&
			info.ModTime().Equal(seen.info.ModTime()) && info.Mode() == seen.info.Mode() {
			return true, nil
		}
	}
	now, err := d.Look(p)
	if !seen.HasBytes() {
		return !now.HasBytes() && now.Mode != ModeOdd, err
	}
	return now.Mode == seen.Mode && now.ID == seen.ID, err
}

// remove unlinks the file or link at p while it is what was seen, and every
// folder above it that this empties.
func (d Disk) remove(p string, seen File) error {
	same, err := d.still(p, seen)
	if err != nil {
		return err
	}
	if !same {
		return fmt.Errorf("remove %q: it was changed meanwhile, left as it is", p)
	}
	if err := os.Remove(d.path(p)); err != nil && !gone(err) {
		return err
	}
	d.prune(p)
	return nil
}

// prune removes the emptied folders above p; the first that is not empty (or
// cannot be removed, which git accepts too) ends it, and so does the one in which
// we stand, as git has it since 2.35: the person's shell stands there too.
func (d Disk) prune(p string) {
	here, err := os.Stat(".")
	for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
		if info, errLook := os.Lstat(d.path(dir)); err == nil && errLook == nil && os.SameFile(here, info) {
			return
		}
		if os.Remove(d.path(dir)) != nil {
			return
		}
	}
}

// put moves a ready file to p, in one rename where the file system allows it,
// while p is what was seen. An empty folder gives way, a full one never.
func (d Disk) put(p, ready string, seen File) error {
	same, err := d.still(p, seen)
	if err != nil {
		return err
	}
	if !same {
		return fmt.Errorf("write %q: it was changed meanwhile, left as it is", p)
	}
	if err := d.folders(p); err != nil {
		return err
	}
	if info, err := os.Lstat(d.path(p)); err == nil && info.IsDir() {
		if err := removeEmpty(d.path(p)); err != nil {
			return fmt.Errorf("write %q: %w", p, err)
		}
	}
	if os.Rename(ready, d.path(p)) == nil {
		return nil
	}
	return d.copyTo(p, ready)
}

// folders makes the folders above p, one by one, through no link.
func (d Disk) folders(p string) error {
	for _, dir := range Parents(p) {
		err := os.Mkdir(d.path(dir), 0o777)
		if err == nil {
			continue
		}
		info, statErr := os.Lstat(d.path(dir))
		if statErr != nil {
			return fmt.Errorf("folder %q: %w", dir, errors.Join(err, statErr))
		}
		if !info.IsDir() {
			return fmt.Errorf("folder %q: something else stands there", dir)
		}
	}
	return nil
}

// removeEmpty removes a folder that holds nothing but folders.
func removeEmpty(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.IsDir() {
			if err := removeEmpty(filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return os.Remove(dir)
}

// copyTo is for a scratch folder on another file system: unlink and create,
// as git does itself. A kill leaves a short file, which the next run preserves
// and replaces.
func (d Disk) copyTo(p, ready string) error {
	info, err := os.Lstat(ready)
	if err != nil {
		return fmt.Errorf("write %q: %w", p, err)
	}
	if err := os.Remove(d.path(p)); err != nil && !gone(err) {
		return err
	}
	if modeOf(info) == object.ModeSymlink {
		text, err := os.Readlink(ready)
		if err != nil {
			return err
		}
		return os.Symlink(text, d.path(p))
	}
	src, err := os.Open(ready)
	if err != nil {
		return err
	}
	defer func() { _ = src.Close() }()
	return Create(d.path(p), modeOf(info), src)
}

// Create makes a file or link that must not exist, with a mode as git gives it.
func Create(name, mode string, content io.Reader) error {
	if mode == object.ModeSymlink {
		text, err := io.ReadAll(content)
		if err != nil {
			return err
		}
		return os.Symlink(string(text), name)
	}
	perm := os.FileMode(0o666)
	if mode == object.ModeExecutable {
		perm = 0o777
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, content)
	return errors.Join(err, f.Close())
}
