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
	CloneTo(ctx context.Context, dir, remote, url string) error
}

// CloneBeside makes a plain clone of a repository in a new folder, with the
// same remote, for a run that must not disturb the working tree here. It is
// never a linked worktree: that would share refs, hooks and locks with it.
func CloneBeside(ctx context.Context, git Cloner, remote, dir string) error {
	name, err := pickRemote(git, git, remote)
	if err != nil {
		return err
	}
	url := ""
	if name != "" {
		if url, err = git.RemoteURL(ctx, name); err != nil {
			return err
		}
	}
	if err := git.CloneTo(ctx, dir, name, url); err != nil {
		return fail("CLONE", ExitUnknown, fmt.Errorf("make a clone in %q: %w; nothing was started", dir, err), "ls -la "+quoteArg(filepath.Dir(dir)))
	}
	return nil
}
