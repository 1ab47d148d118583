package run

import (
	"context"
	"fmt"
	"strconv"

	"github.com/git-agent/git-agent/pkg/landing"
	"github.com/git-agent/git-agent/pkg/object"
)

// defaultScan is how many commits of the target a preflight looks at
// (agent.preflightScan; 0: only ancestry and markers).
const defaultScan = 20000

// scan is what a target holds above the commit that a run, or several, began
// from: one walk, whatever there is to find.
type scan struct {
	target
	base    string // "": from the beginning
	limit   int
	commits []object.Commit // parents before children
	at      map[string]int
	claims  map[string][]claimAt // by run
	undos   map[string][]claimAt // steps that the run took back, by run
	trees   map[string]string    // the newest commit with a tree
	doubts  []landing.Doubt
	skipped bool // agent.preflightScan=0
}

// claimAt is what a commit of the target says about a step.
type claimAt struct {
	landing.Claim
	commit string
}

func (s *session) scanLimit() int {
	value, ok := s.Config.Config("agent.preflightscan")
	if n, err := strconv.Atoi(value); ok && err == nil && n >= 0 {
		return n
	}
	return defaultScan
}

// scanTarget reads the target above base, once. What it could not read is a doubt.
func (s *session) scanTarget(ctx context.Context, t target, base string) (*scan, error) {
	key := t.branch + " " + t.tip + " " + base
	if g := s.scans[key]; g != nil {
		return g, nil
	}
	g, err := s.newScan(ctx, t, base)
	if err == nil && t.doubt == nil {
		if s.scans == nil {
			s.scans = map[string]*scan{}
		}
		s.scans[key] = g
	}
	return g, err
}

func (s *session) newScan(ctx context.Context, t target, base string) (*scan, error) {
	g := &scan{target: t, base: base, limit: s.scanLimit(), at: map[string]int{}, claims: map[string][]claimAt{}, undos: map[string][]claimAt{}, trees: map[string]string{}}
	switch {
	case t.doubt != nil:
		g.doubts = append(g.doubts, *t.doubt)
		return g, nil
	case t.tip == "" || t.tip == base:
		return g, nil
	}
	if err := s.fetchTarget(ctx, t); err != nil {
		return g, g.unanswered(ctx, landing.NoRemote, err)
	}
	if g.skipped = g.limit == 0; g.skipped {
		return g, nil
	}
	if err := s.readTarget(ctx, g); err != nil {
		return g, g.unanswered(ctx, landing.NoAncestry, err)
	}
	g.index()
	return g, nil
}

// unanswered turns an error into a doubt, but for an interrupt.
func (g *scan) unanswered(ctx context.Context, how string, err error) error {
	if ctx.Err() != nil {
		return err
	}
	g.doubts = append(g.doubts, landing.Doubt{How: how, Text: err.Error()})
	return nil
}

// readTarget walks the target. Where this clone's history is cut short of the
// base, more of it is fetched, and where that does not help either, it cannot
// be told what landed.
func (s *session) readTarget(ctx context.Context, g *scan) error {
	for try := 0; ; try++ {
		var err error
		if g.commits, err = s.Git.Scan(ctx, g.base, g.tip, g.limit+1); err != nil {
			return err
		}
		if len(g.commits) > g.limit {
			g.doubts = append(g.doubts, landing.Doubt{How: landing.Truncated,
				Text: fmt.Sprintf("%s gained more than %d commits since the run began (agent.preflightScan)", g.branch, g.limit)})
			return nil
		}
		cut, err := s.isCut(ctx, g)
		if err != nil || !cut {
			return err
		}
		if !s.deepenTarget(ctx, g, try) {
			g.doubts = append(g.doubts, landing.Doubt{How: landing.Truncated, Text: "history truncated: this clone does not hold " + g.branch + " down to " + short(g.base)})
			return nil
		}
	}
}

// isCut: in a shallow clone a commit without parents may be where it was cut.
func (s *session) isCut(ctx context.Context, g *scan) (bool, error) {
	for _, c := range g.commits {
		if len(c.Parents) == 0 {
			return s.Git.IsShallow(ctx)
		}
	}
	return false, nil
}

func (s *session) deepenTarget(ctx context.Context, g *scan, try int) bool {
	const most = 10
	if s.landsHere() || try > most {
		return false
	}
	how := fmt.Sprintf("--deepen=%d", 64<<try)
	if try == most {
		how = "--unshallow"
	}
	return s.Git.Fetch(ctx, s.remote.name, []string{g.ref()}, how) == nil
}

func (g *scan) index() {
	for i, c := range g.commits {
		g.at[c.ID] = i
		g.trees[c.Tree] = c.ID
		made, undone := landing.Claims(c.Message)
		for _, claim := range made {
			g.claims[claim.Run] = append(g.claims[claim.Run], claimAt{claim, c.ID})
		}
		for _, claim := range undone {
			g.undos[claim.Run] = append(g.undos[claim.Run], claimAt{claim, c.ID})
		}
	}
}

// has reports whether the target contains a commit that the run made.
func (g *scan) has(commit string) bool {
	_, ok := g.at[commit]
	return ok
}

// reach is everything of the walk that these commits contain.
func (g *scan) reach(ids ...string) map[string]bool {
	seen := map[string]bool{}
	for todo := ids; len(todo) > 0; {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		i, known := g.at[id]
		if !known || seen[id] {
			continue
		}
		seen[id] = true
		todo = append(todo, g.commits[i].Parents...)
	}
	return seen
}

// after are the commits that a landing does not contain: only they can take it
// back.
func (g *scan) after(ids ...string) []object.Commit {
	below := g.reach(ids...)
	var rest []object.Commit
	for _, c := range g.commits {
		if !below[c.ID] {
			rest = append(rest, c)
		}
	}
	return rest
}

// order sorts commits of the target as they came.
func (g *scan) order(a, b string) int { return g.at[a] - g.at[b] }
