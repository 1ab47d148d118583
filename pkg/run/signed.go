package run

import (
	"context"

	"github.com/git-agent/git-agent/pkg/object"
)

// writeCommit writes a commit object, and tells a signature that the person
// wants and that was not made from everything else that can fail: the same
// commit without it is the second question.
func (e *Engine) writeCommit(ctx context.Context, c object.NewCommit) (string, error) {
	id, err := e.Git.WriteCommit(ctx, c)
	if err == nil || !c.Sign || ctx.Err() != nil {
		return id, err
	}
	c.Sign = false
	if _, unsigned := e.Git.WriteCommit(ctx, c); unsigned != nil {
		return "", err
	}
	return "", failf("NOT_SIGNED", ExitUnknown, "commit.gpgSign is on, but signing fails: %w; nothing was committed", err).
		hint("git config --show-origin --get-regexp 'gpg|signingkey'").
		hint("git config commit.gpgSign false   # if nothing has to be signed here; then run this again")
}
