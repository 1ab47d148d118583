package git

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"syscall"

	"github.com/git-agent/git-agent/pkg/object"
)

// Git syncs a ref before it renames it into place, and neither the folder that
// the rename changed nor HEAD: a power cut takes back a move that was reported,
// or leaves HEAD empty and the clone no repository (ext4 and xfs, tried). What
// cannot be synced here (another ref format, another system) is left to git.

// syncRefs makes moves of refs durable. A disk that answers with an error is
// not one to rely on: the refs have moved, and whether they stay is unknown.
func (r *Repo) syncRefs(updates []object.RefUpdate) error {
	done := map[string]bool{}
	for _, u := range updates {
		dir := path.Dir(u.Name)
		if done[dir] || u.New == u.Old { // only looked at
			continue
		}
		done[dir] = true
		if err := syncPath(filepath.Join(r.CommonDir, filepath.FromSlash(dir))); err != nil {
			return err
		}
	}
	return nil
}

// syncHead makes HEAD of this working tree durable.
func (r *Repo) syncHead() error {
	return errors.Join(syncPath(filepath.Join(r.GitDir, "HEAD")), syncPath(r.GitDir))
}

func syncPath(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	if err := f.Sync(); errors.Is(err, syscall.EIO) || errors.Is(err, syscall.ENOSPC) {
		return fmt.Errorf("make %s durable: %w", name, err)
	}
	return nil
}
