package stash

import (
	"context"
	"strings"
	"time"

	"github.com/git-agent/git-agent/pkg/object"
)

// TrailerBoundary in a preserving commit's message names the boundary that
// the work began from.
const TrailerBoundary = "Agent-Boundary"

// Saved is one ref that preserves something.
type Saved struct {
	Ref, Commit string
	Run         string
	Step        string // or [Strays] or [Lost]
	N           int    // 0: a rollback is under way
	Subject     string
	Time        time.Time
	Base        string // the commit HEAD was at; "" where only commits are kept
	Boundary    string // as the message names it; may be ""
	// HoldsCommits: commits above the boundary hang on this ref alone. Such a
	// ref is never dropped without a person's word.
	HoldsCommits bool
}

// List lists what is preserved for a run ("": for all), in the refs' order.
func (s *Store) List(ctx context.Context, run string) ([]Saved, error) {
	under := Root
	if run != "" {
		under += run + "/"
	}
	refs, err := s.Git.Refs(ctx, under)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, r := range refs {
		ids = append(ids, r.ID)
	}
	commits, err := s.Git.Commits(ctx, ids)
	if err != nil {
		return nil, err
	}
	var seconds []string
	for _, c := range commits {
		if len(c.Parents) > 1 {
			seconds = append(seconds, c.Parents[1])
		}
	}
	indexes, err := s.Git.Commits(ctx, seconds)
	if err != nil {
		return nil, err
	}
	var list []Saved
	for _, r := range refs {
		if saved, ok := describe(r, commits[r.ID], indexes); ok {
			list = append(list, saved)
		}
	}
	return list, nil
}

func describe(r object.Ref, c object.Commit, indexes map[string]object.Commit) (Saved, bool) {
	run, step, n, ok := parseRef(r.Name)
	if !ok {
		return Saved{}, false
	}
	subject, _, _ := strings.Cut(c.Message, "\n")
	s := Saved{Ref: r.Name, Commit: r.ID, Run: run, Step: step, N: n, Subject: subject, Time: c.Time,
		Boundary: boundary(c.Message), HoldsCommits: true}
	if len(c.Parents) > 1 && indexFlags(c, indexes[c.Parents[1]]) != nil {
		s.Base = c.Parents[0]
		s.HoldsCommits = s.Boundary != "" && s.Boundary != s.Base
	}
	return s, true
}

// boundary reads the trailer from the message's last paragraph.
func boundary(message string) string {
	paragraphs := strings.Split(strings.TrimRight(message, "\n"), "\n\n")
	for line := range strings.Lines(paragraphs[len(paragraphs)-1]) {
		key, value, ok := strings.Cut(line, ":")
		if ok && strings.EqualFold(key, TrailerBoundary) {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
