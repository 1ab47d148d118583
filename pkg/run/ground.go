package run

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/git-agent/git-agent/pkg/plan"
)

// ground is a scratch checkout as checks are to find it: the tree of its
// commit, and what setup made beside it. The checks of one judging see what the
// ones before them made, as in the working tree; nobody else does. nil is the
// working tree itself, which is looked at by others.
type ground struct {
	*session
	dir, commit string
	made        litter // by setup
}

// litter is what a scratch checkout differs in from its commit, sorted.
type litter struct{ changed, beside []string }

// ground is the place as setup left it, whatever checks did there since.
func (s *session) ground(ctx context.Context, dir string) (*ground, error) {
	commit, scratch := s.scratches[dir]
	if !scratch {
		return nil, nil
	}
	if g := s.grounds[dir]; g != nil {
		return g, g.restore(ctx, g.made)
	}
	g := &ground{session: s, dir: dir, commit: commit}
	var err error
	if g.made, err = g.look(ctx); err == nil {
		s.grounds[dir] = g
	}
	return g, err
}

func (g *ground) look(ctx context.Context) (litter, error) {
	if g == nil {
		return litter{}, nil
	}
	changed, beside, err := g.Git.ScratchLook(ctx, g.dir, g.commit)
	slices.Sort(changed)
	slices.Sort(beside)
	return litter{changed, beside}, err
}

// restore takes the checkout back to what it was: a file that is there since
// goes; where a tracked one changed since, all of them are as at the commit,
// also one that setup had changed.
func (g *ground) restore(ctx context.Context, was litter) error {
	if g == nil {
		return nil
	}
	now, err := g.look(ctx)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(g.dir)
	if err != nil {
		return fmt.Errorf("clean the scratch checkout: %w", err)
	}
	defer func() { _ = root.Close() }()
	for _, path := range without(now.beside, was.beside) {
		if err := root.RemoveAll(filepath.FromSlash(path)); err != nil {
			return fmt.Errorf("clean the scratch checkout: %w", err)
		}
	}
	if len(without(now.changed, was.changed)) == 0 {
		return nil
	}
	return g.Git.ScratchRestore(ctx, g.dir, g.commit)
}

// same refuses a pass during which a check changed what would be committed.
func (g *ground) same(ctx context.Context, step *plan.Step) error {
	if g == nil {
		return nil
	}
	touches, err := plan.CompilePaths(step.Touches)
	if err != nil {
		return err
	}
	now, err := g.look(ctx)
	if err != nil {
		return err
	}
	moved := without(now.changed, g.made.changed)
	for _, path := range without(now.beside, g.made.beside) {
		if touches.Match(path) {
			moved = append(moved, path)
		}
	}
	if len(moved) == 0 {
		return nil
	}
	return g.checkChanged(&work{step: step, verb: "step " + step.ID}, moved)
}

// without is what of a sorted list is not in another.
func without(list, other []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(path string) bool {
		_, in := slices.BinarySearch(other, path)
		return in
	})
}
