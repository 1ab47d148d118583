package run

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/git-agent/git-agent/pkg/object"
)

// sight is a working tree as it was seen: HEAD, and every path that differs
// from it, with its content. Ignored files are nobody's.
type sight struct {
	head  object.Head
	paths map[string]string
}

// see looks at the working tree without writing anything, an object included.
func (s *session) see(ctx context.Context) (*sight, error) {
	s.forget()
	head, err := s.Git.Head(ctx)
	if err != nil {
		return nil, err
	}
	status, err := s.status(ctx)
	if err != nil {
		return nil, err
	}
	seen := &sight{head: head, paths: map[string]string{}}
	for _, f := range status {
		content, err := contentOf(filepath.Join(s.Place.Top, filepath.FromSlash(f.Path)))
		if err != nil {
			return nil, fmt.Errorf("look at %q: %w", f.Path, err)
		}
		seen.paths[f.Path] = fmt.Sprintf("%c%c %s %s %s %s", f.Staged, f.Unstaged, f.Sub, f.IndexMode, f.IndexID, content)
	}
	return seen, nil
}

// theHEAD stands among paths for HEAD, or the branch that it is on.
const theHEAD = "HEAD"

// differs lists what is not as it was, sorted.
func (was *sight) differs(now *sight) []string {
	var paths []string
	if was.head != now.head {
		paths = append(paths, theHEAD)
	}
	for path, content := range was.paths {
		if now.paths[path] != content {
			paths = append(paths, path)
		}
	}
	for path := range now.paths {
		if _, there := was.paths[path]; !there {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

// contentOf names what is at a path: kind, mode, and a file's bytes by hash.
func contentOf(path string) (string, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "none", nil
	case err != nil:
		return "", err
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := os.Readlink(path)
		return "link " + target, err
	case !info.Mode().IsRegular():
		return info.Mode().String(), nil
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return info.Mode().String() + " " + hex.EncodeToString(h.Sum(nil)), nil
}
