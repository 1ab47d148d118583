package git

import (
	"context"
	"os"
	"time"
)

// HooksDir is the folder in which git looks for hooks, absolute, whether or
// not it exists (core.hooksPath, relative to the top of the working tree; else
// hooks in the common git folder). "" where an empty core.hooksPath or the
// null device switches them off.
func (r *Repo) HooksDir(ctx context.Context) (string, error) {
	if value, ok := r.Config("core.hookspath"); ok && (value == "" || value == os.DevNull) {
		return "", nil
	}
	c := &command{repo: r, env: r.env, deadline: time.Minute, args: []string{"rev-parse", "--path-format=absolute", "--git-path", "hooks"}}
	return c.text(ctx)
}

// SetConfig sets one value in the repository's own configuration and reads
// the configuration again.
func (r *Repo) SetConfig(ctx context.Context, key, value string) error {
	if err := r.porcelain("config", "--local", "--replace-all", key, value).do(ctx); err != nil {
		return err
	}
	return r.readConfig(ctx)
}

// UnsetSection takes a section, with all it holds, out of the repository's own
// configuration and reads it again.
func (r *Repo) UnsetSection(ctx context.Context, section string) error {
	if err := r.porcelain("config", "--local", "--remove-section", section).do(ctx); err != nil {
		return err
	}
	return r.readConfig(ctx)
}

// AtLeast reports whether a version as [Repo.Version] gives it is not older
// than another, by its first two numbers.
func AtLeast(version, wanted string) bool { return !older(version, wanted) }
