package cli

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/git-agent/git-agent/internal/durable"
	"github.com/git-agent/git-agent/pkg/run"
)

// openFolder opens a private folder. Readers get one that is never made, a
// command that writes gets it made with the first thing that it keeps: one that
// is refused leaves no trace.
func openFolder(path string, writes bool) (run.Folder, error) {
	if _, err := os.Lstat(path); writes && errors.Is(err, os.ErrNotExist) {
		return &lateFolder{where: func() (string, error) { return path, nil }}, nil
	}
	open := durable.OpenDirReadOnly
	if writes {
		open = durable.OpenDir
	}
	dir, err := open(path)
	return folder{dir}, err
}

// lateFolder is made when something is first written into it.
type lateFolder struct {
	where func() (string, error)
	dir   *durable.Dir
}

func (l *lateFolder) open(writes bool) (folder, error) {
	if l.dir != nil { // readers too: some look ten times a second
		return folder{l.dir}, nil
	}
	path, err := l.where()
	if err != nil {
		return folder{}, err
	}
	if !writes {
		d, err := durable.OpenDirReadOnly(path)
		return folder{d}, err
	}
	l.dir, err = durable.OpenDir(path)
	return folder{l.dir}, err
}

func (l *lateFolder) Read(name string) ([]byte, error) {
	d, err := l.open(false)
	if err != nil {
		return nil, err
	}
	return d.Read(name)
}

func (l *lateFolder) List(name string) ([]string, error) {
	d, err := l.open(false)
	if err != nil {
		return nil, err
	}
	return d.List(name)
}

func (l *lateFolder) Write(name string, data []byte) error {
	d, err := l.open(true)
	if err != nil {
		return err
	}
	return d.Write(name, data)
}

func (l *lateFolder) Remove(name string) error {
	d, err := l.open(true)
	if err != nil {
		return err
	}
	return d.Remove(name)
}

func (l *lateFolder) RemoveAll(name string) error {
	d, err := l.open(true)
	if err != nil {
		return err
	}
	return d.RemoveAll(name)
}

func (l *lateFolder) Lock(name string, holder func([]byte) any) (run.Lock, error) {
	d, err := l.open(true)
	if err != nil {
		return nil, err
	}
	return d.Lock(name, holder)
}

func (l *lateFolder) OpenRoot(name string) (*os.Root, error) {
	d, err := l.open(true)
	if err != nil {
		return nil, err
	}
	return d.OpenRoot(name)
}

func (l *lateFolder) Path(name string) string {
	path, _ := l.where()
	return filepath.Join(path, filepath.FromSlash(name))
}

// userState is where a person's own state lies (XDG base directories).
func (a *app) userState() (string, error) {
	if state := a.env("XDG_STATE_HOME"); filepath.IsAbs(state) {
		return filepath.Join(state, "git-agent"), nil
	}
	home := a.env("HOME")
	if home == "" {
		return "", errors.New("neither XDG_STATE_HOME nor HOME is set: there is nowhere to remember trust")
	}
	return filepath.Join(home, ".local", "state", "git-agent"), nil
}
