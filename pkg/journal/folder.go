package journal

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// The files of one attempt, by the attempt's name in its folder.
const (
	logSuffix   = ".log"
	indexSuffix = ".index"
	tornSuffix  = ".index.torn"

	fileMode = 0o600
)

// Folder is where the files of attempts lie; see [RootFolder]. Names are
// relative to it.
type Folder interface {
	// Open opens a file for reading; [fs.ErrNotExist] where there is none.
	Open(name string) (File, error)
	// Append opens a file for reading and for writing at its end, made empty
	// and private if need be.
	Append(name string) (File, error)
	// Sync makes durable which files there are.
	Sync() error
}

// File is an open file of a [Folder]. Write appends; a short write is an
// error, as for every [io.Writer].
type File interface {
	io.ReaderAt
	io.Writer
	io.Closer
	Size() (int64, error)
	// Sync returns when everything written is on the disk.
	Sync() error
	// Truncate drops what lies behind size. It is called for the torn end of
	// an index only, never for a log.
	Truncate(size int64) error
}

// RootFolder is the folder dir (slash-separated, "." for the root itself) in
// root. No name in it leads out of the root, nor through a link in the last
// place: what is no regular file is refused.
func RootFolder(root *os.Root, dir string) Folder {
	return rootFolder{root: root, dir: filepath.FromSlash(dir)}
}

type rootFolder struct {
	root *os.Root
	dir  string
}

func (r rootFolder) Open(name string) (File, error) { return r.open(name, os.O_RDONLY) }

func (r rootFolder) Append(name string) (File, error) {
	return r.open(name, os.O_RDWR|os.O_APPEND|os.O_CREATE)
}

func (r rootFolder) Sync() error {
	f, err := r.root.Open(r.dir)
	if err != nil {
		return err
	}
	return errors.Join(syncFolder(f), f.Close())
}

// open looks before it opens, because opening a planted pipe would wait for
// its other end, and compares after, because a link may have come between.
func (r rootFolder) open(name string, flag int) (File, error) {
	name = filepath.Join(r.dir, name)
	if info, err := r.root.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return nil, notRegular(name, info)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	f, err := r.root.OpenFile(name, flag, fileMode)
	if err != nil {
		return nil, err
	}
	if err := r.same(name, f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return rootFile{f}, nil
}

func (r rootFolder) same(name string, f *os.File) error {
	opened, err := f.Stat()
	if err != nil {
		return err
	}
	if seen, err := r.root.Lstat(name); err != nil || !os.SameFile(seen, opened) {
		return errors.Join(fmt.Errorf("open %q: it was replaced meanwhile", name), err)
	}
	if !opened.Mode().IsRegular() {
		return notRegular(name, opened)
	}
	return nil
}

func notRegular(name string, info fs.FileInfo) error {
	return fmt.Errorf("open %q: not a regular file (%s)", name, info.Mode().Type())
}

type rootFile struct{ *os.File }

func (f rootFile) Sync() error { return syncData(f.File) }

func (f rootFile) Size() (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// readSome fills p from off on as far as the file reaches.
func readSome(f io.ReaderAt, p []byte, off int64) (int, error) {
	n, err := f.ReadAt(p, off)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return n, err
}
