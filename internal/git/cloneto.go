package git

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// CloneTo makes a plain clone of this repository in a new or empty folder, with the
// remote of that name ("": this repository as origin), and takes its own settings
// along, with mark, a setting and its value. It gets its name once it is whole: one
// that was killed half way would push to where it was cloned from.
func (r *Repo) CloneTo(ctx context.Context, dir, remote, mark string) (err error) {
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return err
	}
	beside, err := os.MkdirTemp(filepath.Dir(dir), filepath.Base(dir)+".new-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(beside)) }()
	clone := filepath.Join(beside, filepath.Base(dir))
	if err := r.cloneTo(ctx, clone, remote, mark); err != nil {
		return err
	}
	if info, err := os.Lstat(dir); err == nil && info.IsDir() {
		if err := os.Remove(dir); err != nil { // an empty one, whose place the clone takes
			return err
		}
	}
	return os.Rename(clone, dir)
}

func (r *Repo) cloneTo(ctx context.Context, dir, remote, mark string) error {
	origin := remote
	if remote == "" {
		origin = "origin"
	}
	// upload-pack fetches what a partial clone lacks where it is told to (see ColdClone).
	if err := r.elsewhere(dir).command("clone", "-q", "--no-hardlinks", "--no-checkout", "--config="+mark, "--origin="+origin,
		"--end-of-options", r.CommonDir, dir).environ("GIT_NO_LAZY_FETCH=0").do(ctx); err != nil {
		return err
	}
	clone, err := r.openOther(ctx, dir)
	if err != nil {
		return err
	}
	if err := clone.adoptConfig(ctx, r, remote); err != nil {
		return err
	}
	if err := clone.adoptInfo(r); err != nil {
		return err
	}
	return clone.checkOutHead(ctx)
}

// Give brings a commit, and all below it, to the clone with that git folder. No
// branch of this repository needs to have it.
func (r *Repo) Give(ctx context.Context, gitDir, commit string) error {
	// As in ColdClone: any id, and what a partial clone lacks is fetched on the way.
	return r.elsewhere(gitDir).command("--git-dir="+gitDir, "-c", "protocol.version=2", "fetch", "-q", "--no-tags", "--no-prune", "--no-recurse-submodules",
		"--update-shallow", "--no-write-fetch-head", "--no-auto-maintenance", r.CommonDir, commit).
		overFiles().environ("GIT_NO_LAZY_FETCH=0").do(ctx)
}

// adoptInfo takes along the attributes and the ignore rules that the person has
// for this repository alone: filters may be named there.
func (r *Repo) adoptInfo(from *Repo) error {
	for _, name := range []string{"attributes", "exclude"} {
		text, err := os.ReadFile(filepath.Join(from.CommonDir, "info", name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Join(r.CommonDir, "info"), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(r.CommonDir, "info", name), text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// checkOutHead fills the working tree of a clone once its configuration is
// there; a branch without a commit has nothing to check out.
func (r *Repo) checkOutHead(ctx context.Context) error {
	head, err := r.Head(ctx)
	if err != nil || head.ID == "" {
		return err
	}
	return r.plumbing("read-tree", "-m", "-u", head.ID).do(ctx)
}
