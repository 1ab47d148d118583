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
