// Package durable keeps small private files and locks that survive a killed
// process and a power cut. It owns how a file is replaced (temporary file,
// fsync, rename, fsync of the folder) and how a lock is taken; it never
// decides what the files mean, never starts a process and never follows a
// name out of its folder: every access goes through one [os.Root].
//
//	d, err := durable.OpenDir(filepath.Join(commonDir, "agent"))
//	lock, err := d.Lock(run+"/lock", holder)  // *BusyError: somebody has it
//	err = d.WriteJSON(run+"/job.json", job)
//
// Names are slash-separated and relative to the folder. Nothing in here is a
// memory that git agent depends on (the design, section 3): the whole folder
// may be deleted at any moment.
package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
)

const (
	dirMode  = 0o700
	fileMode = 0o600
)

// errReadOnly is what every change through OpenDirReadOnly answers.
var errReadOnly = fmt.Errorf("folder is open for reading only: %w", fs.ErrPermission)

// Dir is one private folder (0700, its files 0600). Its methods may be used
// by several goroutines and several processes at once.
type Dir struct {
	path     string
	root     *os.Root // nil: read-only and the folder is absent
	readOnly bool

	// at is told where a write or a lock stands; nil outside tests.
	at func(point)
}

// OpenDir opens the folder, made with its missing parents (0700) if need be.
// An existing folder that others may enter is closed to them. The folder's
// own name must not be a symbolic link; its existing parents are the
// caller's, so a planted link is refused only from path on: open the
// outermost folder that is git agent's own.
func OpenDir(path string) (*Dir, error) {
	if err := makePath(path); err != nil {
		return nil, fmt.Errorf("make folder: %w", err)
	}
	root, err := openRoot(path)
	if err != nil {
		return nil, err
	}
	if err := makePrivate(root); err != nil {
		return nil, errors.Join(fmt.Errorf("close %q to others: %w", path, err), root.Close())
	}
	return &Dir{path: path, root: root}, nil
}

// OpenDirReadOnly opens the folder without making or changing anything.
// Where it is absent, reads answer [fs.ErrNotExist]; every write is refused
// with [fs.ErrPermission].
func OpenDirReadOnly(path string) (*Dir, error) {
	root, err := openRoot(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return &Dir{path: path, root: root, readOnly: true}, nil
}

// openRoot opens path as a root and makes sure that what was opened is the
// folder that was looked at, not what a link put in its place leads to.
func openRoot(path string) (*os.Root, error) {
	seen, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !seen.IsDir() {
		return nil, fmt.Errorf("open folder: %q is not a folder (%s)", path, seen.Mode().Type())
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	opened, err := root.Stat(".")
	if err == nil && !os.SameFile(seen, opened) {
		err = fmt.Errorf("open folder: %q was replaced meanwhile", path)
	}
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return root, nil
}

// makePrivate takes the folder away from group and others. Windows has no
// such bits: there the folder inherits the access list of the repository.
func makePrivate(root *os.Root) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	info, err := root.Stat(".")
	if err != nil || info.Mode().Perm()&0o077 == 0 {
		return err
	}
	return root.Chmod(".", dirMode)
}

// Path is the name in the file system, for messages and for git; opening it
// by hand gives up the protection of the root.
func (d *Dir) Path(name string) string {
	return filepath.Join(d.path, filepath.FromSlash(name))
}

// Close lets the folder go. Locks taken from it stay held.
func (d *Dir) Close() error {
	if d.root == nil {
		return nil
	}
	return d.root.Close()
}

// Read returns the content of a regular file; [fs.ErrNotExist] where it, or
// the whole folder, is absent. A link or a device is refused, not read.
func (d *Dir) Read(name string) ([]byte, error) {
	if err := d.regular(name); err != nil {
		return nil, err
	}
	return d.root.ReadFile(filepath.FromSlash(name))
}

// List returns the names inside a subfolder ("." for the folder itself),
// sorted, without the temporary files of unfinished writes.
func (d *Dir) List(name string) ([]string, error) {
	if err := d.check(name, true); err != nil {
		return nil, err
	}
	names, err := readNames(d.root, filepath.FromSlash(name))
	names = slices.DeleteFunc(names, isTemp)
	slices.Sort(names)
	return names, err
}

// check refuses names that cannot be inside, and reads of an absent folder.
func (d *Dir) check(name string, dotAllowed bool) error {
	if !fs.ValidPath(name) || (name == "." && !dotAllowed) {
		return fmt.Errorf("%q is not a name inside %q: %w", name, d.path, fs.ErrInvalid)
	}
	if d.root == nil {
		return &fs.PathError{Op: "open", Path: d.Path(name), Err: fs.ErrNotExist}
	}
	return nil
}

// regular refuses a name that leads to anything but a plain file: a planted
// link would show another file, a planted pipe would block for ever.
func (d *Dir) regular(name string) error {
	if err := d.check(name, false); err != nil {
		return err
	}
	info, err := d.root.Lstat(filepath.FromSlash(name))
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%q is not a regular file (%s)", d.Path(name), info.Mode().Type())
	}
	return nil
}
