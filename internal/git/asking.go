package git

import (
	"context"
	"slices"
	"strings"
)

// pushAddress stands for the address that a remote is pushed to. git rewrites
// what it is given once (url.<base>.insteadOf), and what it pushes to may be the
// result of that already: given as it is, it could be rewritten once more, to
// the address to fetch from. Nobody else's setting begins as this one does.
const pushAddress = "git-agent-push-address:"

// asking prepares a child that asks a remote where it is pushed to. Another
// address for fetching may be a copy that lags behind, and would deny what was
// just pushed.
func (r *Repo) asking(ctx context.Context, remote string, command []string, names ...string) (*command, error) {
	address := ""
	if r.pushesElsewhere(remote) {
		var err error
		if address, err = r.reading("remote", "get-url", "--push", "--end-of-options", remote).text(ctx); err != nil {
			return nil, err
		}
		remote = pushAddress
	}
	c := r.network(slices.Concat(command, []string{"--end-of-options", remote}, names)...)
	if address == "" {
		return c, nil
	}
	// -c ends a setting's name at its first "=", and an address may have one.
	c.flags = append(slices.Clone(c.flags), "--config-env=url."+address+".insteadOf=GIT_AGENT_PUSH_ADDRESS")
	return c.environ("GIT_AGENT_PUSH_ADDRESS=" + pushAddress), nil
}

// pushesElsewhere reports whether git may push to another address than it
// fetches from; which one, git knows.
func (r *Repo) pushesElsewhere(remote string) bool {
	for key := range r.config {
		if key == "remote."+remote+".pushurl" || strings.HasPrefix(key, "url.") && strings.HasSuffix(key, ".pushinsteadof") {
			return true
		}
	}
	return false
}
