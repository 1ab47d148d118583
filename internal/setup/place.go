package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// place is one file: where its name leads, and what is there.
type place struct {
	path string // as a person knows it
	real string // where it leads: a person's settings may be links
	text []byte
	mode fs.FileMode
	made bool // it is not there
}

const newMode = 0o644

// place finds the file of a part and reads it.
func (s *Setup) place(p part, scope Scope) (*place, error) {
	base, err := s.base(p, scope)
	if err != nil {
		return nil, err
	}
	var at *place
	for name := range strings.SplitSeq(p.file, "|") {
		if at, err = look(filepath.Join(base, filepath.FromSlash(name))); err != nil {
			return nil, refuse("", "%w", err)
		}
		if !at.made {
			break
		}
	}
	if scope == Project {
		return at, s.inside(at)
	}
	return at, nil
}

func (s *Setup) base(p part, scope Scope) (string, error) {
	if scope == Project {
		if s.Top == "" {
			return "", refuse("git init", "there is no working tree here")
		}
		return s.Top, nil
	}
	if p.base != "" {
		if dir := s.Env(p.base); filepath.IsAbs(dir) {
			return dir, nil
		}
	}
	if !filepath.IsAbs(s.Home) {
		return "", refuse("", "HOME is not set: there is no place for a person's settings")
	}
	return filepath.Join(s.Home, filepath.FromSlash(p.dir)), nil
}

// look follows links: a settings file that leads into a folder of dotfiles stays
// a link.
func look(path string) (*place, error) {
	at := &place{path: path, mode: newMode}
	var err error
	if at.real, err = leadsTo(path); err != nil {
		return nil, err
	}
	info, err := os.Stat(at.real)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		at.made = true
		return at, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file", path)
	}
	at.mode = info.Mode().Perm()
	at.text, err = os.ReadFile(at.real)
	return at, err
}

// leadsTo resolves links as far as the path exists.
func leadsTo(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if err == nil {
		return real, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%s: %w", path, err) // which alone need not say where
	}
	if _, err := os.Lstat(path); err == nil {
		return "", fmt.Errorf("%s is a link that leads nowhere", path)
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path, nil
	}
	real, err = leadsTo(parent)
	return filepath.Join(real, filepath.Base(path)), err
}

// inside refuses what a repository's planted link would lead out of it.
func (s *Setup) inside(at *place) error {
	top, err := filepath.EvalSymlinks(s.Top)
	if err != nil {
		return refuse("", "%w", err)
	}
	rel, err := filepath.Rel(top, at.real)
	first, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
	if err != nil || first == ".." || strings.EqualFold(first, ".git") {
		return refuse("", "%s leads out of the working tree, to %s", at.path, at.real)
	}
	return nil
}

// write replaces the file: whoever reads has the old text or the new one whole.
// It answers the folders that it had to make, the outermost first.
func (p *place) write(text []byte) (folders []string, err error) {
	dir := filepath.Dir(p.real)
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Stat(d); err == nil || d == filepath.Dir(d) {
			break
		}
		folders = append([]string{d}, folders...)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return folders, err
	}
	f, err := os.CreateTemp(dir, ".git-agent-*")
	if err != nil {
		return folders, err
	}
	_, err = f.Write(text)
	err = errors.Join(err, f.Chmod(p.mode), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), p.real)
	}
	if err != nil {
		return folders, errors.Join(err, os.Remove(f.Name()))
	}
	return folders, nil
}

// removeEmpty deletes folders that were made for files which are gone, the
// innermost first. One in which somebody else has something stays.
func removeEmpty(folders []string) {
	slices.SortFunc(folders, func(a, b string) int { return len(b) - len(a) })
	for _, folder := range folders {
		_ = os.Remove(folder)
	}
}
