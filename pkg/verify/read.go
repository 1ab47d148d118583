package verify

import (
	"context"
	"slices"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/trailers"
)

// read fills in the chains. Where the run's base is known, everything above it
// is judged but what this very branch had before; what other branches hold
// does not matter, else a commit would pass by being pushed elsewhere first.
// Without a plan nothing says where the run begins: then what the receiver has
// is left out, and that is told.
func (v *Verifier) read(ctx context.Context, report *Report, q question) error {
	var based, others []int
	for i, t := range q.targets {
		if t.base != "" {
			based = append(based, i)
			continue
		}
		if len(q.side.Known) == 0 {
			return ErrNoBase
		}
		others = append(others, i)
		report.note("the plan of run %s is not here: only what no other branch has was looked at", t.run)
	}
	if err := v.walk(ctx, q, based, nil); err != nil {
		return err
	}
	return v.walk(ctx, q, others, q.side.Known)
}

// walk reads the chains of some targets in one go. Messages are read while git
// still prints.
func (v *Verifier) walk(ctx context.Context, q question, which []int, patterns []string) error {
	if len(which) == 0 {
		return nil
	}
	var tips, bases, olds []string
	for _, i := range which {
		t := q.targets[i]
		tips, bases, olds = append(tips, t.tip), append(bases, t.base), append(olds, t.old)
	}
	known, err := v.known(ctx, unique(olds), unique(bases))
	if err != nil {
		return err
	}
	var g graph
	var reader trailers.Reader
	err = v.Git.Unpublished(ctx, unique(tips), known, patterns, func(c object.Commit) {
		g.put(&commit{c, reader.Read(c.Message)})
	})
	if err != nil {
		return err
	}
	for _, i := range which {
		t := &q.targets[i]
		t.chain, t.side = g.chain(t.tip, t.base)
	}
	return nil
}

// known is what no chain goes below: old values (one that somebody else pushed
// is not here and stops nothing: more is judged, not less), and what all the
// bases have in common. Each chain ends at its own base anyway; this bounds
// what is read.
func (v *Verifier) known(ctx context.Context, olds, bases []string) ([]string, error) {
	if len(bases) < 2 {
		return append(olds, bases...), nil
	}
	here, err := v.Git.Peel(ctx, bases)
	if err != nil || len(here) < len(bases) {
		return olds, err
	}
	common, err := v.Git.CommonAncestor(ctx, bases)
	if common != "" {
		olds = append(olds, common)
	}
	return olds, err
}

func unique(ids []string) []string {
	out := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == "" })
	slices.Sort(out)
	return slices.Compact(out)
}
