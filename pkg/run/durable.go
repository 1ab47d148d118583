package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/git-agent/git-agent/pkg/object"
)

// syncBetween is [session.syncFiles] for a working tree that was taken from one
// commit to another.
func (s *session) syncBetween(ctx context.Context, from, to string) error {
	if from == to {
		return nil
	}
	changes, err := s.Git.DiffTrees(ctx, from, to)
	if err != nil {
		return err
	}
	return s.syncFiles(changes)
}

// syncFiles makes the content of changed files durable where a branch says, or
// is about to say, what it is. Git makes only its own files durable: after a
// power cut a certified step's files would be empty in the working tree, changes
// that nobody made. Folders need no care: ext4 and xfs keep a synced file's name.
func (s *session) syncFiles(changes []object.Change) error {
	root, err := os.OpenRoot(s.Place.Top)
	if err != nil {
		return fmt.Errorf("sync the working tree: %w", err)
	}
	defer func() { _ = root.Close() }()
	for _, c := range changes {
		if err := syncFile(root, filepath.FromSlash(c.Path)); err != nil {
			return fmt.Errorf("sync %q: %w", c.Path, err)
		}
	}
	return nil
}

// syncFile skips what is no file, or cannot be opened: there is nothing of ours
// to keep in it. A sync that fails is a disk that cannot be relied on.
func syncFile(root *os.Root, name string) error {
	info, lstatErr := root.Lstat(name)
	if lstatErr != nil || !info.Mode().IsRegular() {
		return nil //nolint:nilerr // gone by now
	}
	f, openErr := root.Open(name)
	if openErr != nil {
		return nil //nolint:nilerr // see above
	}
	err := f.Sync()
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrInvalid) || errors.Is(err, fs.ErrPermission) {
		err = nil // not every file system can, and Windows wants leave to write
	}
	return errors.Join(err, f.Close())
}
