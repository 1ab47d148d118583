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

// besideKey is the setting of a clone that says for which run it was made.
const besideKey = "git-agent.startedfor"

// MadeFor reports whether a clone was made for a run by [CloneBeside].
func MadeFor(clone Config, run string) bool {
	mark, _ := clone.Config(besideKey)
	return mark == run
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
