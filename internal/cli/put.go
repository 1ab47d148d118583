package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// put writes a file that a person named. A regular one, or a new one, is written
// beside its place and moved there, so that who looks at it never sees half of
// it; of a symbolic link that is its target. What else has the name (a pipe, a
// device) is there to be written to, and stays.
func (a *app) put(name string, text []byte) error {
	place, stream := placeOf(name)
	if !stream {
		return replaceFile(place, text)
	}
	done := make(chan error, 1)
	go func() { done <- appendTo(name, text) }() // to open a pipe takes until it has a reader
	select {
	case err := <-done:
		return err
	case <-a.ctx.Done():
		return a.ctx.Err()
	}
}

// placeOf follows symbolic links to where a file is or will be. stream: what is
// there is no regular file, or is one that the system only shows as a link, as
// /dev/stdout: somebody has it open and goes on writing to it.
func placeOf(name string) (place string, stream bool) {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return name, true
	}
	for range 40 { // as many as Linux follows
		dir, err := filepath.EvalSymlinks(filepath.Dir(name))
		if err == nil && (strings.HasPrefix(dir, "/proc/") || dir == "/dev/fd") {
			return name, true
		}
		target, errLink := os.Readlink(name)
		if err != nil || errLink != nil {
			break
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(dir, target)
		}
		name = target
	}
	return name, false
}

func appendTo(name string, text []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}

func replaceFile(name string, text []byte) error {
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(name); err == nil {
		mode = info.Mode().Perm()
	}
	tmp, err := os.CreateTemp(filepath.Dir(name), ".git-agent-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(tmp.Name()) }() // gone once it is moved
	_, err = tmp.Write(text)
	if err == nil {
		err = tmp.Chmod(mode)
	}
	if errClose := tmp.Close(); err == nil {
		err = errClose
	}
	if err != nil {
		return err
	}
	return os.Rename(tmp.Name(), name)
}
