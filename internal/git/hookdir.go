package git

import (
	"context"
	"os"
	"strings"
	"time"
)

// HooksDir is the folder in which git looks for hooks, absolute, whether or
// not it exists (core.hooksPath, relative to the top of the working tree; else
// hooks in the common git folder). "" where an empty core.hooksPath or the
// null device switches them off.
//
// The configuration that Open read does not answer this: there the hardened
// children's own core.hooksPath comes last.
func (r *Repo) HooksDir(ctx context.Context) (string, error) {
	asked := func(args ...string) *command {
		return &command{repo: r, env: r.env, deadline: time.Minute, args: args}
	}
	out, code, err := asked("config", "--get", "core.hooksPath").answers(1).run(ctx)
	if err != nil {
		return "", err
	}
	value := strings.TrimSuffix(string(out), "\n")
	if code == 0 && (value == "" || value == os.DevNull) {
		return "", nil
	}
	return asked("rev-parse", "--path-format=absolute", "--git-path", "hooks").text(ctx)
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
