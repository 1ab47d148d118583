package run

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-agent/git-agent/pkg/object"
)

// follow takes working tree and index from one commit, HEAD, to another.
func (s *session) follow(ctx context.Context, from, to string) error {
	return s.past(ctx, from, to, func() error { return s.Git.Follow(ctx, from, to) })
}

// past makes a move of git's from HEAD to a commit, and where git refuses it because
// of files that nobody changed, makes way and tries again.
func (s *session) past(ctx context.Context, from, to string, move func() error) error {
	err := move()
	if locked := new(object.LockedError); err == nil || ctx.Err() != nil || errors.As(err, &locked) {
		return err
	}
	tmp, errTmp := s.tmp()
	if errTmp != nil {
		return errors.Join(err, errTmp)
	}
	passed, errPass := s.Git.PassUntouched(ctx, tmp, from, to)
	s.forget()
	switch {
	case errPass != nil:
		return fmt.Errorf("%w (past files that nobody changed: %w)", err, errPass)
	case !passed:
		return err
	}
	s.Fault("passed")
	return move()
}
