package run

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/git-agent/git-agent/pkg/check"
)

// forgeQuestion is what the command agent.forge gets on standard input, as one
// line of JSON. Fields are only added.
type forgeQuestion struct {
	Format int `json:"format"`
	// Verb: open (a pull request), comment (the marker on an item, posted or
	// updated), close (an item), item (is it closed), find (open pull requests
	// for a branch).
	Verb   string `json:"verb"`
	Run    string `json:"run"`
	Item   string `json:"item,omitempty"`
	Branch string `json:"branch,omitempty"` // without refs/heads/
	Target string `json:"target,omitempty"`
	Title  string `json:"title,omitempty"`
	Body   string `json:"body,omitempty"`
	Marker string `json:"marker,omitempty"`
	Commit string `json:"commit,omitempty"`
	Remote string `json:"remote,omitempty"` // the remote's URL
}

// forgeAnswer is one line of JSON on the command's standard output.
type forgeAnswer struct {
	Number int    `json:"number"` // of the pull request; 0: there is none
	URL    string `json:"url"`
	Closed bool   `json:"closed"`
}

const forgeTimeout = 2 * time.Minute

// askForge runs the forge command once. What it prints on standard error is for
// people; an exit status other than 0 is an answer that did not come.
func (s *session) askForge(ctx context.Context, q forgeQuestion) (a forgeAnswer, err error) {
	q.Format, q.Run = 1, s.run
	if s.remote.name != "" {
		if q.Remote, err = s.Git.RemoteURL(ctx, s.remote.name); err != nil {
			return a, err
		}
	}
	text, err := json.Marshal(q)
	if err != nil {
		return a, err
	}
	name := s.run + "/forge.json"
	if err := s.State.Write(name, append(text, '\n')); err != nil {
		return a, err
	}
	defer func() { _ = s.State.Remove(name) }()
	result, err := s.Runner.Run(ctx, check.Command{Run: s.forgeCommand(), Dir: s.Place.Top, Env: check.Environ(s.Env, s.LocalEnv, false, nil, nil),
		Timeout: forgeTimeout, Stdin: s.State.Path(name)}, nil)
	if err != nil {
		return a, fmt.Errorf("agent.forge, %s: %w", q.Verb, err)
	}
	if !result.Outcome.Passed() {
		return a, fmt.Errorf("agent.forge, %s: it ended with %s: %s", q.Verb, result.Outcome, strings.TrimSpace(string(lastBytes(result.Merged.Bytes, 300))))
	}
	line := strings.TrimSpace(string(result.Stdout.Bytes))
	if line == "" {
		return a, nil
	}
	if err := json.Unmarshal([]byte(line), &a); err != nil {
		return a, fmt.Errorf("agent.forge, %s: read its answer: %w", q.Verb, err)
	}
	return a, nil
}
