package git

import (
	"os"
	"path"
	"path/filepath"

	"github.com/git-agent/git-agent/pkg/object"
)

// Git syncs a ref before it renames it into place, and neither the folder that
// the rename changed nor HEAD: a power cut takes back a move that was reported,
// or leaves HEAD empty and the clone no repository (ext4 and xfs, tried). What
// cannot be synced here (another ref format, another system) is left to git.

// syncRefs makes moves of refs durable.
func (r *Repo) syncRefs(updates []object.RefUpdate) {
	done := map[string]bool{}
	for _, u := range updates {
		if dir := path.Dir(u.Name); !done[dir] {
			done[dir] = true
			syncPath(filepath.Join(r.CommonDir, filepath.FromSlash(dir)))
		}
	}
}

// syncHead makes HEAD of this working tree durable.
func (r *Repo) syncHead() {
	syncPath(filepath.Join(r.GitDir, "HEAD"))
	syncPath(r.GitDir)
}

func syncPath(name string) {
	if f, err := os.Open(name); err == nil {
		_ = f.Sync()
		_ = f.Close()
	}
}
