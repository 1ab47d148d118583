package git

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/git-agent/git-agent/pkg/object"
)

// without is the repository without its working tree and index: git looks for
// .gitattributes in the working tree first, whatever it is asked about (tested,
// 2.39), and runs a merge driver there. top takes its place.
func (r *Repo) without(top string) *Repo {
	x := *r
	x.workDir = top
	x.env = append(slices.Clone(r.env), "GIT_WORK_TREE="+top, "GIT_INDEX_FILE="+filepath.Join(r.GitDir, "no-index"))
	return &x
}

// layAttributes writes the .gitattributes of a tree, and nothing else of it, into
// an empty folder. One that is a link says nothing (gitattributes(5)).
func (r *Repo) layAttributes(ctx context.Context, folder, treeish string) error {
	entries, err := r.Entries(ctx, treeish)
	if err != nil {
		return err
	}
	entries = slices.DeleteFunc(entries, func(e object.Entry) bool {
		return path.Base(e.Path) != ".gitattributes" || e.Mode == object.ModeSymlink
	})
	ids := make([]string, 0, len(entries))
	for _, e := range entries {
		ids = append(ids, e.ID)
	}
	texts, err := r.Blobs(ctx, ids)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	for _, e := range entries {
		if err := root.MkdirAll(path.Dir(e.Path), 0o700); err != nil {
			return err
		}
		if err := root.WriteFile(e.Path, texts[e.ID], 0o600); err != nil {
			return err
		}
	}
	return nil
}
