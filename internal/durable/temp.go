package durable

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

const tempSuffix = ".tmp"

// tempName is a hidden, unguessable name for an unfinished write of base:
// ".<base>.<random>.tmp".
func tempName(base string) string {
	return "." + base + "." + rand.Text() + tempSuffix
}

// isTemp reports whether a name has the form of tempName.
func isTemp(name string) bool {
	_, ok := tempBase(name)
	return ok
}

// tempBase returns the name whose write a temporary file belongs to.
func tempBase(name string) (string, bool) {
	inner, dotted := strings.CutPrefix(name, ".")
	inner, suffixed := strings.CutSuffix(inner, tempSuffix)
	dot := strings.LastIndexByte(inner, '.')
	if !dotted || !suffixed || dot <= 0 || len(inner)-dot-1 != len(rand.Text()) {
		return "", false
	}
	return inner[:dot], true
}

// clearTemps removes what killed writes of base left in dir. A temporary
// file whose lock is held belongs to a writer that is alive and stays.
func clearTemps(root *os.Root, dir, base string) error {
	names, err := readNames(root, dir)
	if err != nil {
		return err
	}
	var errs []error
	for _, name := range names {
		if of, ok := tempBase(name); ok && of == base {
			errs = append(errs, clearTemp(root, filepath.Join(dir, name)))
		}
	}
	return errors.Join(errs...)
}

func clearTemp(root *os.Root, name string) error {
	info, err := root.Lstat(name)
	if err != nil || !info.Mode().IsRegular() {
		return ignoreAbsent(err)
	}
	f, err := root.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return ignoreAbsent(err)
	}
	dead := tryLock(f) == nil
	if err := f.Close(); err != nil || !dead {
		return err
	}
	return ignoreAbsent(root.Remove(name))
}

// readNames lists a folder of the root, unsorted.
func readNames(root *os.Root, dir string) ([]string, error) {
	f, err := root.Open(filepath.Clean(dir))
	if err != nil {
		return nil, err
	}
	names, err := f.Readdirnames(-1)
	return names, errors.Join(err, f.Close())
}

// makePath is [os.MkdirAll] with 0700 that puts each new name on disk.
func makePath(path string) error {
	if _, err := os.Stat(path); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	parent := filepath.Dir(path)
	if parent != path {
		if err := makePath(parent); err != nil {
			return err
		}
	}
	if err := os.Mkdir(path, dirMode); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	f, err := os.Open(parent)
	if err != nil {
		return err
	}
	return errors.Join(fsyncDir(f), f.Close())
}

// makeSubdirs is makePath inside the root.
func makeSubdirs(root *os.Root, dir string) error {
	if _, err := root.Stat(dir); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	parent := filepath.Dir(dir)
	if err := makeSubdirs(root, parent); err != nil {
		return err
	}
	if err := root.Mkdir(dir, dirMode); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return syncDir(root, parent)
}

// syncDir puts the names of a folder on disk.
func syncDir(root *os.Root, dir string) error {
	f, err := root.Open(filepath.Clean(dir))
	if err != nil {
		return err
	}
	return errors.Join(fsyncDir(f), f.Close())
}
