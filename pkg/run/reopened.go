package run

import (
	"github.com/git-agent/git-agent/pkg/landing"
)

// A step that landed is done for everybody, unless a person takes it back on the
// run's own branch (`rollback <step> --yes`): then the run has it to do again, and
// what landed of it says nothing about what it is to become. Other runs are still
// told that it landed: the target holds it.

// reopened reports whether the run took a step back above a place of its chain.
func (o *subject) reopened(step string, landed int) bool {
	at, undone := o.ledger.Undone[step]
	return o.own && undone && at > landed
}

// ofReopened: the target's commit is of a certificate from before the step was
// taken back, or of none that says when.
func (f *finder) ofReopened(step, tree string) bool {
	at, undone := f.o.ledger.Undone[step]
	return f.o.own && undone && (tree == "" || !f.certified(step, tree, at))
}

// leaveReopened drops what was found of steps whose last word is that they were
// taken back, or of which only what was before it is there.
func (f *finder) leaveReopened() {
	for id := range f.found {
		if r := f.o.solid(id); r != nil && f.o.reopened(id, r.Index) {
			delete(f.found, id)
		}
	}
}

// reopenedSince: a verdict that a step, or the run, has landed is from before a
// step was taken back.
func (s *session) reopenedSince(p *Preflight, step string) bool {
	if p.Token() != landing.AlreadyLanded || p.Run != s.run || len(s.ledger.Undone) == 0 {
		return false
	}
	o := s.itself()
	landed := -1
	if marks, _ := o.landed(p.Evidence.Target); len(marks) > 0 {
		landed = marks[len(marks)-1].index
	}
	for id := range o.ledger.Undone {
		at := landed
		if r := o.ledger.Newest(id); landed < 0 && r != nil {
			at = r.Index // found there, and not marked
		}
		if _, n := s.plan.Step(id); n >= 0 && (step == wholeRun || step == id) && o.reopened(id, at) {
			return true
		}
	}
	return false
}

// tellReopened says what becomes of a step that landed, once it is taken back.
func (s *session) tellReopened(step string) {
	branch := s.targetName("")
	marks, _ := s.itself().landed(branch)
	for _, k := range marks {
		if containsAll(k.steps, []string{step}) {
			s.Notify("%s: it landed on %s as %s; what is there of it stays until it lands anew: git agent step %s, then git agent land", step, branch, short(k.SHA), step)
			return
		}
	}
}
