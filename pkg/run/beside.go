package run

import (
	"context"
	"fmt"
	"path/filepath"
)

// Cloner is what CloneBeside asks of git.
type Cloner interface {
	remotes
	Config
	CloneTo(ctx context.Context, dir, remote, mark string) error
}

// Origin is the repository that the clone of a run is made of.
type Origin interface {
	Resolve(ctx context.Context, rev string) (string, error)
	// Give brings a commit, and all below it, to the clone with that git folder.
	Give(ctx context.Context, gitDir, commit string) error
}

// besideKey is the setting of a clone that says for which run it was made.
const besideKey = "git-agent.startedfor"

// MadeFor reports whether a clone was made for a run by [CloneBeside].
func MadeFor(clone Config, run string) bool {
	mark, _ := clone.Config(besideKey)
	return mark == run
}

// unbegun: this clone was made for the run, which did not begin yet. All that it
// has is a copy, what its HEAD is at too.
func (s *session) unbegun() bool {
	return MadeFor(s.Config, s.run) && s.local.Top == "" && (s.tip == "" || s.tip == s.base)
}

// CloneBeside makes a plain clone of a repository in a new folder, with the
// same remote, for a run that must not disturb the working tree here. It is
// never a linked worktree: that would share refs, hooks and locks with it.
func CloneBeside(ctx context.Context, git Cloner, remote, dir, run string) error {
	name, err := pickRemote(git, git, remote)
	if err != nil {
		return err
	}
	if err := git.CloneTo(ctx, dir, name, besideKey+"="+run); err != nil {
		return fail("CLONE", ExitUnknown, fmt.Errorf("make a clone in %q: %w; nothing was started", dir, err), "ls -la "+quoteArg(filepath.Dir(dir)))
	}
	return nil
}
