package run

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/git-agent/git-agent/pkg/check"
	"github.com/git-agent/git-agent/pkg/forge"
	"github.com/git-agent/git-agent/pkg/settings"
)

// forgeTimeout is how long one question may take, unless agent.forgeTimeout says.
const forgeTimeout = 2 * time.Minute

// errForeign: the item is none of the forge's.
var errForeign = errors.New("the item is none of the forge's")

func isForeign(err error) bool { return errors.Is(err, errForeign) }

// askForge runs the forge command once. What it prints on standard error is for
// people; an answer that did not come is an error, whatever the reason.
func (s *session) askForge(ctx context.Context, q forge.Question) (forge.Answer, error) {
	q.Run = s.run
	a, err := s.askOf(ctx, q)
	if err != nil {
		return forge.Answer{}, fmt.Errorf("agent.forge, %s: %w", q.Op, err)
	}
	return a, nil
}

func (s *session) askOf(ctx context.Context, q forge.Question) (a forge.Answer, err error) {
	if s.remote.name != "" {
		if q.Remote, err = s.Git.RemoteURL(ctx, s.remote.name); err != nil {
			return a, err
		}
	}
	text, err := q.JSON()
	if err != nil {
		return a, err
	}
	// On a pipe: the remote's URL may hold a token, which a kill would leave in a file.
	result, err := s.supervise(ctx, check.Command{Run: s.forgeCommand(), Dir: s.Place.Top, Input: text,
		Env: check.Environ(s.Env, s.LocalEnv, false, nil, q.Environ()), Timeout: s.forgeTimeout()}, nil)
	if err != nil {
		return a, err
	}
	said := strings.TrimSpace(string(lastBytes(result.Stderr.Bytes, 300)))
	switch {
	case ctx.Err() != nil:
		return a, ctx.Err()
	case result.Outcome == check.Outcome{Kind: check.Exit, Code: forge.Foreign} && q.Item != "":
		return a, errForeign
	case !result.Outcome.Passed():
		return a, fmt.Errorf("it ended with %s: %s", result.Outcome, first(said, "it printed nothing"))
	case result.Stdout.Cut():
		return a, fmt.Errorf("its answer of %d bytes is too long", result.Stdout.Total)
	}
	return forge.Read(q.Op, result.Stdout.Bytes)
}

func (s *session) forgeTimeout() time.Duration {
	return settings.Duration(s.Config, "agent.forgetimeout", forgeTimeout)
}
