package hooks

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// script is a hook in a file: a script of ours that calls what was there
// before, or our lines in somebody else's.
type script struct {
	event, path, how string
	known            string // every text that was ever shipped
}

// chained is where the hook that was there is kept, byte for byte. pre-commit,
// installed after us, moves our script to .legacy and leaves that one alone.
func (s *script) chained() string {
	if moved := strings.TrimSuffix(s.path, ".legacy") + ".chained"; exists(moved) {
		return moved
	}
	return s.path + ".chained"
}

func (s *script) look() (Hook, error) {
	h := Hook{Event: s.event, State: Absent, How: s.how, Path: s.path}
	if exists(s.chained()) {
		h.Chained = s.chained()
	}
	text, err := os.ReadFile(s.path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !exists(s.path):
		return h, nil
	case errors.Is(err, fs.ErrNotExist): // a symbolic link to nothing
		h.State = Foreign
		return h, nil
	case err != nil:
		return h, err
	}
	h.State = stateOf(string(text), s.event, s.known)
	if _, _, inside := block(string(text), s.event); inside && !s.isWhole(string(text)) {
		h.How = ByBlock
	}
	return h, nil
}

// isWhole: the script is one of ours from its first byte, not lines in one.
func (s *script) isWhole(text string) bool {
	return text == Text(s.event) || shipped(s.known, text, s.event, "whole")
}

func (s *script) install(context.Context) error {
	h, err := s.look()
	if err != nil {
		return err
	}
	text, _ := os.ReadFile(s.path)
	switch {
	case h.State == Absent:
		return s.write(Text(s.event), 0o755)
	case h.State == Changed:
		return s.changed(string(text))
	case h.State == Outdated && h.How == ByBlock:
		return s.write(withBlock(withoutBlock(string(text), s.event), s.event), 0)
	case h.State == Outdated:
		return s.write(Text(s.event), 0)
	case s.how == ByBlock:
		return s.insert(string(text))
	}
	return s.chain(string(text))
}

// insert puts our lines into somebody else's script.
func (s *script) insert(text string) error {
	if !isShell(text) {
		return &Refusal{Path: s.path, Why: "it is no shell script, and the tool that runs it takes one file", Shown: text,
			Hints: []string{"git agent verify --pre-push   # is what it has to run, with its own standard input"}}
	}
	return s.write(withBlock(text, s.event), 0)
}

// chain keeps the hook that is there beside, and calls it. A kill in between
// leaves it beside; installing again goes on from there.
func (s *script) chain(text string) error {
	if exists(s.chained()) {
		return &Refusal{Path: s.path, Why: fmt.Sprintf("somebody replaced git agent's hook, and %s is kept already", s.chained()), Shown: text,
			Hints: []string{"mv " + quote(s.path) + " " + quote(s.path+".other") + "   # or whichever of the two is not wanted"}}
	}
	if err := os.Rename(s.path, s.chained()); err != nil {
		return err
	}
	return s.write(Text(s.event), 0o755)
}

func (s *script) uninstall(context.Context) error {
	h, err := s.look()
	if err != nil {
		return err
	}
	text, err := os.ReadFile(s.path)
	switch {
	case err != nil && h.State != Absent:
		return err
	case h.State == Changed:
		return s.changed(string(text))
	case h.How == ByBlock && !s.isWhole(string(text)):
		return s.write(withoutBlock(string(text), s.event), 0)
	case h.Chained != "":
		return os.Rename(s.chained(), s.path)
	}
	return os.Remove(s.path)
}

func (s *script) changed(text string) error {
	hint := "mv " + quote(s.path) + " " + quote(s.path+".edited") + "   # keeps the edits"
	if _, _, inside := block(text, s.event); inside && !strings.HasPrefix(text, header(s.event)) {
		begin, end := marks(s.event)
		hint = "sed -i.edited '/^" + strings.TrimSpace(begin) + "$/,/^" + strings.TrimSpace(end) + "$/d' " + quote(s.path) + "   # keeps the edits in .edited"
	}
	return &Refusal{Path: s.path, Why: "it is git agent's hook, edited since", Shown: text, Hints: []string{hint}}
}

// write replaces the file whole; mode 0 keeps the one it has. A link stays a
// link: what it leads to is written.
func (s *script) write(text string, mode fs.FileMode) error {
	path := s.path
	if mode == 0 {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		mode = info.Mode().Perm()
	}
	return replace(path, text, mode)
}

func replace(path, text string, mode fs.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".git-agent-*")
	if err != nil {
		return err
	}
	_, err = tmp.WriteString(text)
	err = errors.Join(err, tmp.Chmod(mode), tmp.Sync(), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		_ = os.Remove(tmp.Name())
	}
	return err
}
