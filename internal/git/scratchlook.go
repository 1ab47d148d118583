package git

import (
	"context"
	"path/filepath"
)

// inScratch works on the files and the index of a scratch checkout with our
// configuration, by which they were written.
func (r *Repo) inScratch(dir string, args ...string) *command {
	return r.plumbing(args...).config("core.sparseCheckout=false").
		environ("GIT_WORK_TREE="+dir, "GIT_INDEX_FILE="+filepath.Join(dir, ".git", "index"))
}

// ScratchLook lists what a scratch checkout differs in from its commit: tracked
// paths by content, and files beside them, ignored ones too.
func (r *Repo) ScratchLook(ctx context.Context, dir, commit string) (changed, beside []string, err error) {
	if err := searchable(dir); err != nil {
		return nil, nil, err
	}
	if _, _, err := r.inScratch(dir, "update-index", "-q", "--refresh").answers(1).run(ctx); err != nil {
		return nil, nil, err
	}
	changed, err = r.inScratch(dir, "diff-index", "-z", "--name-only", "--no-renames", "--no-ext-diff", commit, "--").records(ctx)
	if err != nil {
		return nil, nil, err
	}
	beside, err = r.inScratch(dir, "ls-files", "-z", "--others").records(ctx)
	return changed, beside, err
}

// ScratchRestore takes every tracked path of a scratch checkout back to its
// commit. Files beside them stay.
func (r *Repo) ScratchRestore(ctx context.Context, dir, commit string) error {
	return r.inScratch(dir, "read-tree", "-u", "--reset", commit).do(ctx)
}
