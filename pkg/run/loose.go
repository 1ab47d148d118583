package run

import (
	"context"
	"os"
	"slices"
	"strings"
	"time"

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
	case w.back || w.loose || w.ours[path]:
		return false
	}
	w.spares = true
	return true
}

// olderThanJobs reports whether an untracked file lay there before the run, or
// before the job of an attempt that is over, and no step names it exactly:
// nobody's work then. It is asked about every untracked file.
func (s *session) olderThanJobs(path string) bool {
	if s.older == nil || s.olderBy != s.plan {
		s.older, s.olderBy = unnamed(s.local.Older, s.plan), s.plan
	}
	return s.older[path]
}

func (s *session) setOlder(paths []string) { s.local.Older, s.older = paths, nil }

// unnamed are those of the paths that no step names exactly, as it is spelt.
func unnamed(paths []string, p *plan.Plan) map[string]bool {
	set := setOf(paths)
	for i := range p.Steps {
		for _, entry := range p.Steps[i].Touches {
			if set[entry] && namesExactly(entry) {
				delete(set, entry)
			}
		}
	}
	return set
}

// namesExactly reports whether an entry of touches names the one path that it spells.
func namesExactly(entry string) bool {
	one, err := plan.CompilePaths([]string{entry})
	return err == nil && one.Exact(entry)
}

func setOf(paths []string) map[string]bool {
	set := make(map[string]bool, len(paths))
	for _, p := range paths {
		set[p] = true
	}
	return set
}

// rememberOlder is what lies here untracked before the run's first attempt.
func (s *session) rememberOlder(ctx context.Context) error {
	status, err := s.status(ctx)
	if err != nil {
		return err
	}
	s.setOlder(untracked(status))
	return s.saveLocal()
}

// writtenSince reports whether a file seems to have been written since a moment.
// It decides what is told, nothing else: clocks differ, and times can be set.
func (s *session) writtenSince(moment time.Time, path string) bool {
	const tick = 10 * time.Millisecond // of a file system's clock
	info, err := os.Lstat(s.at(path))
	return err == nil && info.ModTime().After(moment.Add(-tick))
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
func (c *changes) of(step *plan.Step, touches plan.Paths, claimed []string) bool {
	return touches.Touches(&c.sure) ||
		slices.ContainsFunc(step.Touches, func(entry string) bool { return c.loose.Has(entry) && namesExactly(entry) }) ||
		slices.ContainsFunc(claimed, func(path string) bool {
			return c.loose.Has(path) && touches.Match(strings.TrimSuffix(path, "/"))
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
