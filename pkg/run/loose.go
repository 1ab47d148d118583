package run

import (
	"context"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/reconcile"
)

// A loose file is untracked and matched only by a folder or wildcard of a
// step's touches. Where no attempt of ours accounts for it, it may be anybody's
// notes: it is not rolled back, and certified only where a step that was found
// in the tree fails without it and passes with it.

// spared reports whether a path under a step's touches is left alone although
// no job's attempt says that it is older. A rollback that a person asks for takes
// whatever may be the step's.
func (s *session) spared(w *work, path string) bool {
	switch {
	case !w.found && !w.back || w.job() || w.touches.Exact(path):
		return false
	case s.olderThanJobs(path):
		return true
	case w.back || w.loose || slices.Contains(w.claimed, path):
		return false
	}
	w.spares = true
	return true
}

// olderThanJobs reports whether an untracked file lay there before the run, or
// before the job of an attempt that is over, and no step names it exactly:
// nobody's work then.
func (s *session) olderThanJobs(path string) bool {
	if !slices.Contains(s.local.Older, path) {
		return false
	}
	for i := range s.plan.Steps {
		if touches, err := plan.CompilePaths(s.plan.Steps[i].Touches); err == nil && touches.Exact(path) {
			return false
		}
	}
	return true
}

// rememberOlder is what lies here untracked before the run's first attempt.
func (s *session) rememberOlder(ctx context.Context) error {
	status, err := s.status(ctx)
	if err != nil {
		return err
	}
	if s.local.Older = untracked(status); len(s.local.Older) == 0 {
		return nil
	}
	return s.saveLocal()
}

func untracked(status []object.FileStatus) (paths []string) {
	for _, f := range status {
		if f.Untracked() {
			paths = append(paths, f.Path)
		}
	}
	return paths
}

// certifyFound is certify, without loose files first. Only where the checks
// need them are they taken for the step's.
func (s *session) certifyFound(ctx context.Context, w *work) (judged, error) {
	j, err := s.certify(ctx, w)
	if err != nil || j.outcome != reconcile.Failed || !w.spares {
		return j, err
	}
	w.loose = true
	with, err := s.certify(ctx, w)
	if err != nil || with.outcome != reconcile.Failed {
		return with, err
	}
	w.loose = false
	return j, nil
}

// changes is what differs from the boundary.
type changes struct {
	sure  plan.PathSet // in the index, in tracked files, by commits
	loose plan.PathSet // untracked, and not known to be older than a job
	names []string     // of loose
}

// of reports whether a step has changes of its own; claimed are those that a
// person said to be its.
func (c *changes) of(touches plan.Paths, claimed []string) bool {
	if touches.Touches(&c.sure) {
		return true
	}
	return touches.Touches(&c.loose) && slices.ContainsFunc(c.names, func(path string) bool {
		return touches.Exact(path) || slices.Contains(claimed, path) && touches.Match(strings.TrimSuffix(path, "/"))
	})
}

// tellLoose names what is left alone of the next step.
func (s *session) tellLoose(step *plan.Step, touches plan.Paths, c *changes) {
	left := only(c.names, func(path string) bool { return touches.Match(strings.TrimSuffix(path, "/")) })
	if len(left) > 0 {
		s.Notify("%s: left alone: untracked, and only a folder or wildcard of its touches matches: %s (%s takes such files)",
			step.ID, listPaths(left), s.afterwards(step))
	}
}
