package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Scratch makes a checkout of exactly a commit in a new folder: a repository
// of its own, with a detached HEAD, that borrows our objects. Its files are
// written with our configuration (filters, eol, promised objects), so a check
// sees there what it would see here. It is never a linked worktree: those
// share refs, hooks and a registry that somebody would have to prune.
func (r *Repo) Scratch(ctx context.Context, dir, commit string) error {
	gitDir := filepath.Join(dir, ".git")
	if err := r.elsewhere(dir).do(ctx, "init", "-q", "--template=", "--object-format="+r.Format, "-b", "scratch", dir); err != nil {
		return err
	}
	if err := r.borrow(gitDir); err != nil {
		return fmt.Errorf("borrow objects: %w", err)
	}
	if err := r.elsewhere(dir).do(ctx, "--git-dir="+gitDir, "update-ref", "--no-deref", "HEAD", commit); err != nil {
		return err
	}
	return r.ScratchRestore(ctx, dir, commit)
}

// borrow lets another repository read our objects, its shallow border included.
func (r *Repo) borrow(gitDir string) error {
	info := filepath.Join(gitDir, "objects", "info")
	if err := os.MkdirAll(info, 0o700); err != nil {
		return err
	}
	objects := filepath.Join(r.CommonDir, "objects")
	if strings.Contains(objects, "\n") {
		objects = cQuote(objects)
	}
	if err := os.WriteFile(filepath.Join(info, "alternates"), []byte(objects+"\n"), 0o600); err != nil {
		return err
	}
	shallow, err := os.ReadFile(filepath.Join(r.CommonDir, "shallow"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(gitDir, "shallow"), shallow, 0o600)
}

// away runs git where our repository must not be seen.
type away struct {
	repo *Repo
	dir  string
}

func (r *Repo) elsewhere(dir string) away { return away{r, dir} }

func (a away) do(ctx context.Context, args ...string) error { return a.command(args...).do(ctx) }

func (a away) command(args ...string) *command {
	other := &Repo{Top: filepath.Dir(a.dir), bin: a.repo.bin, logger: a.repo.logger, now: a.repo.now, config: a.repo.config,
		env: stripped(a.repo.env)}
	return other.plumbing(args...)
}

// stripped drops GIT_DIR and its like, which we set for our own children.
func stripped(env []string) []string { return childEnv(env) }

// CloneTo makes a plain clone of this repository in a new folder, whose remote
// is url under the given name ("": this repository as origin), and takes
// identity and agent.* along. mark, a setting and its value, is there from the
// beginning, whenever it is killed.
func (r *Repo) CloneTo(ctx context.Context, dir, remote, url, mark string) error {
	if remote == "" {
		remote = "origin"
	}
	if err := r.elsewhere(dir).do(ctx, "clone", "-q", "--no-hardlinks", "--no-checkout", "--config="+mark, "--origin="+remote, "--end-of-options", r.CommonDir, dir); err != nil {
		return err
	}
	clone, err := Open(ctx, Options{Dir: dir, Env: stripped(r.env), Bin: r.bin, Log: r.logger, Now: r.now})
	if err != nil {
		return err
	}
	if url != "" {
		if err := clone.plumbing("remote", "set-url", "--end-of-options", remote, url).do(ctx); err != nil {
			return err
		}
	}
	if err := clone.adoptConfig(ctx, r); err != nil {
		return err
	}
	return clone.checkOutHead(ctx)
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

// adoptConfig copies what a repository's own configuration says about the
// person and about us.
func (r *Repo) adoptConfig(ctx context.Context, from *Repo) error {
	recs, code, err := from.reading("config", "-z", "--local", "--get-regexp", `^(user|agent|agent\..*|commit\.gpgsign|gpg)\.`).answers(1).run(ctx)
	if err != nil || code == 1 {
		return err
	}
	for _, rec := range splitNUL(recs) {
		key, value := cutLine(rec)
		if err := r.plumbing("config", "--local", "--add", key, value).do(ctx); err != nil {
			return err
		}
	}
	return nil
}
