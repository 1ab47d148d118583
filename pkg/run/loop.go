package run

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/git-agent/git-agent/pkg/plan"
)

// LoopRequest does the steps of a run with nobody watching.
type LoopRequest struct {
	Run   string
	Trust TrustRequest
	// Agent is the command that does each step, for sh -c; "": agent.command,
	// else the step's own `do`.
	Agent string
	// MaxAttempts is how many failed attempts a step may have, wherever they
	// were made; 0: agent.maxAttempts, else 5.
	MaxAttempts int
	Until       string        // the last step to do, "" for all
	Budget      time.Duration // of time for this command, 0 for no end
	Takeover    bool
	// Progress is told where the loop is, for a live view; nil: nobody.
	Progress func(Progress)
}

// Progress is the attempt that begins now.
type Progress struct {
	Step, Title    string
	Number, Of     int // the step is number Number of Of
	Attempt, Limit int // of the step, and how many may fail
}

// errBudget is why a loop's context ends when its time is over.
var errBudget = errors.New("the time is over")

// Loop reconciles as [Engine.Resume] does and then does one step after the
// other: preflight, brief, command, checks, certificate, push. A failed attempt
// is preserved, rolled back, counted where it survives this machine, and
// tried again. It ends where every step is certified, or at the first thing
// that only a person or another moment can mend; the exit status says which
// (the design, section 13). The run stays locked throughout.
func (e *Engine) Loop(ctx context.Context, req LoopRequest) (r *Report, err error) {
	defer func() { err = e.orDiskFull(req.Run, err) }()
	if req.Agent != "" && strings.TrimSpace(req.Agent) == "" {
		return nil, fail("USAGE", ExitUsage, errors.New("--agent is empty; nothing was done"), "git agent help run")
	}
	s, unlock, err := e.begin(ctx, req.Run, "run", false)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if err := s.needTrust(ctx, req.Trust); err != nil {
		return nil, err
	}
	l := &loop{Engine: e, req: req, last: s, tried: map[string]int{}}
	heeding, done := e.heed(ctx, s.run)
	defer done()
	timed, stop := l.within(heeding)
	defer stop()
	err = s.orCancelled(heeding, l.all(timed))
	r, errReport := l.last.report()
	return r, errors.Join(l.timeOver(timed, err), errReport)
}

// loop is one [Engine.Loop]. Each attempt reads the run anew, as `step` does:
// the plan may have been amended meanwhile, or the run taken over.
type loop struct {
	*Engine
	req   LoopRequest
	last  *session       // the newest look at the run
	tried map[string]int // attempts of this loop, by step
}

func (l *loop) all(ctx context.Context) error {
	s := l.last
	if _, err := l.pastUntil(nil); err != nil {
		return err
	}
	s.takeover, s.vouched, s.strays = l.req.Takeover, l.req.Trust.asDigest(), plan.StraySetAside
	s.limit = l.limit()
	err := s.reconcile(ctx, ResumeRequest{foresee: l.foresee})
	s.release(ctx) // of a job that was adopted
	if err != nil {
		return err
	}
	if len(s.skips) == len(s.plan.Steps) {
		return nil // it landed, and its branch is gone
	}
	for more := true; more; {
		if err := interrupted(ctx); err != nil {
			return err
		}
		if more, err = l.one(ctx); err != nil {
			return err
		}
	}
	return nil
}

// one is one attempt at the next step. more: there may be something left to do.
func (l *loop) one(ctx context.Context) (more bool, err error) {
	s, err := l.look(ctx)
	if err != nil {
		return false, err
	}
	defer s.letGoFences()
	defer s.release(ctx)
	defer s.letGoPlan()
	step, err := s.nextToDo(ctx)
	if err != nil {
		return false, errors.Join(err, s.pushFailures(ctx))
	}
	past, err := l.pastUntil(step)
	if err != nil || past {
		return false, err
	}
	req, err := l.request(step)
	if err != nil {
		return false, err
	}
	l.tell(step)
	l.tried[step.ID]++
	done, err := s.stepOn(ctx, step, req)
	if !done && CodeOf(err) == "CHECK_FAILED" {
		return true, nil // told, counted and rolled back
	}
	return err == nil, err
}

// look reads the run as the remote has it now and makes it ready for work.
func (l *loop) look(ctx context.Context) (*session, error) {
	s, err := l.openSynced(ctx, l.req.Run)
	if err != nil {
		return nil, err
	}
	s.vouched = l.req.Trust.asDigest()
	s.limit, s.flaky, s.dropped, l.last = l.limit(), l.last.flaky, l.last.dropped, s
	s.strays = plan.StraySetAside // nobody is there to be asked
	s.keepPlan()
	err = s.ready(ctx, StepRequest{})
	// --takeover was for the holder, or the cancel, that was there at the beginning.
	s.takeover = l.req.Takeover && len(l.tried) == 0
	return s, err
}

// pastUntil reports whether nothing is left to do: step is nil, or behind the
// last one that was asked for.
func (l *loop) pastUntil(step *plan.Step) (bool, error) {
	if l.req.Until == "" {
		return step == nil, nil
	}
	if _, err := l.last.step(l.req.Until); err != nil {
		return false, err
	}
	if step == nil {
		return true, nil
	}
	_, last := l.last.plan.Step(l.req.Until)
	_, at := l.last.plan.Step(step.ID)
	return at > last, nil
}

// request is the attempt at a step: whether there may be one, and by which
// command.
func (l *loop) request(step *plan.Step) (StepRequest, error) {
	req := StepRequest{Run: l.req.Run, Step: step.ID, Takeover: l.req.Takeover, unattended: true}
	if err := l.mayTry(step); err != nil {
		return req, err
	}
	configured, _ := l.Config.Config("agent.command")
	req.line = first(l.req.Agent, strings.TrimSpace(configured))
	if req.line == "" && step.Do == "" {
		return req, failf("NO_AGENT", ExitPerson, "step %s has no `do` in the plan, and no command was named that could do it; nothing was begun", step.ID).
			hint("%s --agent 'claude -p'   # or whatever takes a brief on its standard input", l.again(0)).
			hint("git agent brief %s   # do it by hand, then: git agent step %s", l.req.Run, step.ID)
	}
	return req, nil
}

func (l *loop) tell(step *plan.Step) {
	if l.req.Progress == nil {
		return
	}
	p, s := Progress{Step: step.ID, Title: step.Title, Of: len(l.last.plan.Steps), Limit: l.last.limit}, l.last
	_, at := s.plan.Step(step.ID)
	p.Number, p.Attempt = at+1, s.openNumber(step.ID)
	l.req.Progress(p)
}
