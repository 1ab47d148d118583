package run

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/plan"
)

// work is one step being certified.
type work struct {
	step     *plan.Step
	touches  plan.Paths
	sees     plan.Paths // touches and reads: what its checks depend on
	attempt  *attempt   // nil where nobody opened one here
	boundary string     // nothing at or below is ever undone
	policy   string     // for strays
	verb     string     // what a person typed, for the hints
	notes    []string
	empty    bool     // --empty
	by       *attempt // without a job, whose words count; it is retired once they did
	found    bool     // nobody named the step: its work was found in the tree
	back     bool     // a person takes it back

	// Of work that was found: loose files that are its own (claimed), whether all
	// are, and whether one was left alone.
	claimed       []string
	loose, spares bool

	before, ours map[string]bool // attempt.Untracked and claimed, in which every untracked file is looked up

	unattended bool // nobody mends a failed attempt by hand
}

// job reports whether a job made the work, so that an untracked file older
// than the attempt is not the step's unless the plan names it.
func (w *work) job() bool { return w.attempt != nil && w.attempt.Job }

func (s *session) work(ctx context.Context, step *plan.Step, a *attempt, policy, verb string) (*work, error) {
	touches, err := plan.CompilePaths(step.Touches)
	if err != nil {
		return nil, fmt.Errorf("step %s: %w", step.ID, err)
	}
	sees, err := seenBy(step)
	if err != nil {
		return nil, err
	}
	boundary, err := s.boundaryOf(ctx, a)
	if err != nil {
		return nil, err
	}
	w := &work{step: step, touches: touches, sees: sees, attempt: a, boundary: boundary, verb: verb}
	w.policy = first(policy, s.plan.Stray, s.strays, plan.StrayRefuse)
	if a != nil {
		w.asOf(a, policy)
	}
	return w, nil
}

// asOf certifies by what was asked of an attempt; policy, where there is one, was
// said since.
func (w *work) asOf(a *attempt, policy string) {
	w.notes, w.policy = a.Notes, first(policy, a.Stray, w.policy)
}

// seenBy are the paths that a step's checks depend on: its touches and reads.
func seenBy(step *plan.Step) (plan.Paths, error) {
	paths, err := plan.CompilePaths(append(slices.Clone(step.Touches), step.Reads...))
	if err != nil {
		return plan.Paths{}, fmt.Errorf("step %s: %w", step.ID, err)
	}
	return paths, nil
}

// counted is a number with its noun.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func first(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}

// survey is what lies in the working tree and above the boundary, sorted by
// whose it is.
type survey struct {
	mine      []string // changed in the working tree or index, the step's
	committed []string // changed by commits above the boundary, the step's
	strays    []string // tracked changes elsewhere, untracked files made since the attempt began
	above     []string // changed elsewhere by commits above the boundary
	dirty     int      // untracked files that are nobody's here
	beside    []string // those of them that the step's checks would look at
	rewritten []string // those of them that the step touches and its job wrote over, as it seems
	hidden    []string // changed, git was told not to look, and no job of the step's did it
	leftOut   []string // a sparse checkout has no file of it, and the step's checks would look at it
	left      []string // left the index, and git ignores the files that lie there
	status    map[string]object.FileStatus
}

// tracked lists the strays that git knows: they would be in nobody's commit.
func (v *survey) all() []string { return sortedUnion(v.strays, v.above) }

// paths lists everything of the step's that differs from the boundary, or may.
func (v *survey) paths() []string { return sortedUnion(v.mine, v.committed) }

// standing lists what lies, as a file or a link, where some of these paths need
// a folder: the paths can only go back together with it.
func (v *survey) standing(paths []string) []string {
	var found []string
	for _, p := range paths {
		for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
			if _, shown := v.status[dir]; shown && !slices.Contains(paths, dir) {
				found = append(found, dir)
			}
		}
	}
	return sortedUnion(found)
}

func sortedUnion(lists ...[]string) []string {
	var all []string
	for _, l := range lists {
		all = append(all, l...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// survey looks at the working tree now.
func (s *session) survey(ctx context.Context, w *work) (*survey, error) {
	s.forget()
	return s.sort(ctx, w)
}

// sort is survey where nothing can have changed since the last look.
func (s *session) sort(ctx context.Context, w *work) (*survey, error) {
	l, err := s.lookClosely(ctx, w.sees)
	if err != nil {
		return nil, err
	}
	v := &survey{status: map[string]object.FileStatus{}, leftOut: l.leftOut}
	if err := unmerged(l.status); err != nil {
		return nil, err
	}
	w.ours = setOf(w.claimed)
	if w.attempt != nil {
		w.before = setOf(w.attempt.Untracked)
	}
	for _, f := range l.status {
		filed(v.status, f)
		s.sortOne(w, v, f)
	}
	w.sortHidden(v, l.hidden)
	for _, c := range s.ledger.Changed(w.boundary) {
		if w.touches.Match(c.Path) {
			v.committed = append(v.committed, c.Path)
		} else {
			v.above = append(v.above, c.Path)
		}
	}
	v.left, err = s.leftIndex(ctx, v)
	return v, err
}

// unmerged refuses a conflict: nothing here is for git to take away.
func unmerged(status []object.FileStatus) error {
	for _, f := range status {
		if f.Unmerged() {
			return failf("UNMERGED", ExitPerson, "%s is unmerged; nothing was touched", quoteArg(f.Path)).
				hint("git status").hint("git add -- %s   # once the conflict is resolved", pathspecs([]string{f.Path}))
		}
	}
	return nil
}

// sortOne files one path of the status.
func (s *session) sortOne(w *work, v *survey, f object.FileStatus) {
	if f.Untracked() {
		s.sortUntracked(w, v, f.Path)
		return
	}
	switch {
	case w.touches.Match(strings.TrimSuffix(f.Path, "/")):
		v.mine = append(v.mine, f.Path)
	case f.InsideOnly():
		v.dirty++ // of another repository, as an untracked file is of none
	default:
		v.strays = append(v.strays, f.Path)
	}
}

// sortUntracked: what is older than a job's attempt is nobody's, and so is what
// is spared, unless the plan names it exactly, or it is a link where that has a
// folder.
func (s *session) sortUntracked(w *work, v *survey, path string) {
	match := w.touches.Match(strings.TrimSuffix(path, "/"))
	spared := match && s.spared(w, path)
	older := w.attempt == nil || w.before[path]
	switch {
	case !spared && match && (!w.job() || !older || w.touches.Exact(path)):
		v.mine = append(v.mine, path)
	case !match && (!older || s.standsFor(w, path)):
		v.strays = append(v.strays, path)
	default:
		s.leaveOut(w, v, path, match)
	}
}

// leaveOut files an untracked file that is no part of the step.
func (s *session) leaveOut(w *work, v *survey, path string, match bool) {
	v.dirty++
	if w.sees.Match(path) {
		v.beside = append(v.beside, path)
	}
	if match && w.job() && s.writtenSince(w.attempt.Opened, path) {
		v.rewritten = append(v.rewritten, path)
	}
}

func (s *session) stamp() string { return s.Now().UTC().Format("2006-01-02 15:04:05 UTC") }
