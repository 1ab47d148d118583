package run

import (
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
)

// modulesReplaced are the submodules that leave for files below their folder.
func modulesReplaced(changes []object.Change) (gone []string) {
	for _, c := range changes {
		below := func(other object.Change) bool {
			return other.NewMode != object.ModeNone && strings.HasPrefix(other.Path, c.Path+"/")
		}
		if c.OldMode == object.ModeGitlink && c.NewMode == object.ModeNone && slices.ContainsFunc(changes, below) {
			gone = append(gone, c.Path)
		}
	}
	return gone
}

// module: git takes its entry away, leaves the folder, and puts files into it.
func (r *room) module(dir string) error {
	if f, err := r.store.Disk(r.to).Look(dir); err != nil || f.Mode != object.ModeTree {
		return err
	}
	return r.folder(dir, true)
}
