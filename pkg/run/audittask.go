package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"github.com/git-agent/git-agent/pkg/ledger"
	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/reconcile"
	"github.com/git-agent/git-agent/pkg/trailers"
)

// auditTask is one fresh checkout and the steps that are judged in it.
type auditTask struct {
	commit string
	plan   *plan.Plan
	steps  []*plan.Step
	into   []*AuditOutcome // one for each step
	what   string          // for people
}

// plan decides what runs where.
func (a *auditor) plan() {
	newest := map[string]*ledger.Record{}
	for _, r := range a.ledger.Records {
		newest[r.Evidence.Step] = r
	}
	a.report.Certificates = make([]AuditCertificate, len(a.ledger.Records))
	for i, r := range a.ledger.Records {
		c := &a.report.Certificates[i]
		*c = AuditCertificate{Step: r.Evidence.Step, Commit: r.Commit.ID, Tree: r.Commit.Tree, PlanVersion: r.Evidence.PlanVersion,
			Newest: newest[r.Evidence.Step] == r, Transplanted: r.Transplanted, Claims: checkReports(r.Evidence.Checks)}
		a.planCertificate(c, r)
	}
	for _, c := range a.ledger.Claims {
		a.report.Faults = append(a.report.Faults, AuditFault{Commit: c.Commit, Steps: c.Steps, Says: joinFaults(c)})
	}
	a.planTip()
}

func (a *auditor) planCertificate(c *AuditCertificate, r *ledger.Record) {
	c.Checks = []CheckReport{}
	p := a.plans[c.PlanVersion]
	switch {
	case p == nil:
		c.Outcome, c.Reason = "failed", fmt.Sprintf("it names plan version %d, which there is not", c.PlanVersion)
		return
	case c.Transplanted && !c.Newest:
		c.Outcome, c.Reason = "skipped", "transplanted, and replaced by a newer certificate"
		return
	}
	step, _ := p.Step(c.Step)
	if step == nil {
		c.Outcome, c.Reason = "failed", fmt.Sprintf("plan version %d has no such step", c.PlanVersion)
		return
	}
	if !reconcile.Claims(r.Evidence.Checks, step.Check) {
		c.Outcome, c.Reason = "failed", foreignChecks(step, r.Evidence.Checks)
		return
	}
	if c.Transplanted {
		c.Reason = "transplanted: its checks saw another tree"
	}
	a.tasks = append(a.tasks, &auditTask{commit: c.Commit, plan: p, steps: []*plan.Step{step}, into: []*AuditOutcome{&c.AuditOutcome},
		what: "on its own tree " + short(c.Commit)})
}

// foreignChecks says in what a certificate's checks are not its plan version's.
func foreignChecks(step *plan.Step, claimed []trailers.Check) string {
	for i, c := range claimed {
		if i < len(step.Check) && c.Command != step.Check[i].Run {
			return fmt.Sprintf("it claims the check `%s`, its plan version has `%s`", oneLine(c.Command), oneLine(step.Check[i].Run))
		}
	}
	return fmt.Sprintf("it claims %d checks, its plan version has %d", len(claimed), len(step.Check))
}

// planTip has the certified steps of today's plan judged on one tree, in as many
// checkouts as may run at a time.
func (a *auditor) planTip() {
	today := a.session.plan
	a.report.Steps = make([]AuditStep, 0, len(today.Steps)) // never grows: pointers into it stay
	var due []int
	for i := range today.Steps {
		step := &today.Steps[i]
		r := a.ledger.Newest(step.ID)
		if r == nil || !r.Valid() {
			continue
		}
		one := AuditStep{ID: step.ID, Title: step.Title, Commit: r.Commit.ID, AuditOutcome: AuditOutcome{Checks: []CheckReport{}}}
		switch {
		case a.after == "":
			one.Outcome, one.Reason = "skipped", "there is no merge to check it on"
		case a.heldUntil(step):
			one.Outcome, one.Reason = "skipped", "held until "+step.Until
		case a.records().TakenBackBy(r) != "":
			one.Outcome, one.Reason = "skipped", "undone"
		default:
			due = append(due, len(a.report.Steps))
		}
		a.report.Steps = append(a.report.Steps, one)
	}
	share := (len(due) + max(1, a.req.Jobs) - 1) / max(1, a.req.Jobs)
	for len(due) > 0 {
		n := min(share, len(due))
		a.tasks = append(a.tasks, a.tipTask(due[:n]))
		due = due[n:]
	}
}

func (a *auditor) tipTask(due []int) *auditTask {
	t := &auditTask{commit: a.after, plan: a.session.plan, what: "at the tip " + short(a.after)}
	if a.report.Onto != "" {
		t.what = "merged into " + a.req.Onto
	}
	for _, i := range due {
		step, _ := a.session.plan.Step(a.report.Steps[i].ID)
		t.steps, t.into = append(t.steps, step), append(t.into, &a.report.Steps[i].AuditOutcome)
	}
	return t
}

// heldUntil: one whose work was taken back holds nothing any more.
func (a *auditor) heldUntil(step *plan.Step) bool {
	return step.Until != "" && a.standing(step.Until) != nil
}

// run works the tasks off, several at a time. The first error ends all.
func (a *auditor) run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	queue := make(chan int, len(a.tasks))
	for i := range a.tasks {
		queue <- i
	}
	close(queue)
	var (
		workers sync.WaitGroup
		telling sync.Mutex
	)
	for range max(1, min(a.req.Jobs, len(a.tasks))) {
		workers.Go(func() {
			for i := range queue {
				if err := a.task(ctx, i, &telling); err != nil {
					cancel(err)
					return
				}
			}
		})
	}
	workers.Wait()
	err := context.Cause(ctx)
	if errors.Is(err, context.Canceled) && CodeOf(err) == "UNKNOWN" { // somebody's signal
		return failf("INTERRUPTED", ExitInterrupted, "interrupted; nothing was moved").hint("git agent status")
	}
	return err
}

// task judges one task's steps in a checkout of its own, which is gone afterwards.
func (a *auditor) task(ctx context.Context, i int, telling *sync.Mutex) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	t := a.tasks[i]
	dir := filepath.Join(a.req.Scratch, "tree-"+strconv.Itoa(i))
	defer DropScratch(dir)
	if err := a.Git.ScratchFrom(ctx, a.clone, dir, t.commit); err != nil {
		if ctx.Err() == nil {
			t.notHere(err)
		}
		return context.Cause(ctx)
	}
	s := a.aside(t.plan)
	for k, step := range t.steps {
		j, err := s.judge(ctx, step, place{dir: dir, step: step.ID})
		if err != nil {
			return err
		}
		t.into[k].take(j)
		telling.Lock()
		a.Notify("%s %s: %s in %.1fs", step.ID, t.what, t.into[k].Outcome, t.into[k].Secs)
		telling.Unlock()
	}
	return nil
}

// notHere: what cannot be checked out here (a filter that lacks its key, no space, a
// name that the file system refuses) says nothing against a certificate.
func (t *auditTask) notHere(cause error) {
	for _, one := range t.into {
		one.Outcome, one.Reason = "environment", "it cannot be checked out here: "+cause.Error()
	}
}

// aside is a session that can judge beside others: it says nothing, and shares
// nothing that judging writes.
func (s *session) aside(p *plan.Plan) *session {
	quiet, own := *s.Engine, *s
	quiet.Live, quiet.Notify = nil, func(string, ...any) {}
	own.Engine, own.plan = &quiet, p
	own.cleared = own.digest() // trustVersions asked
	own.prepared, own.flaky, own.outcomes = map[string]bool{}, nil, nil
	own.scratches, own.grounds = map[string]string{}, map[string]*ground{}
	return &own
}

func (o *AuditOutcome) take(j judged) {
	o.Checks = checkReports(j.checks)
	for _, c := range o.Checks {
		o.Secs += c.Secs
	}
	switch j.outcome {
	case reconcile.Passed:
		o.Outcome, o.Flaky = "passed", j.tally.failed > 0
	case reconcile.Failed:
		o.Outcome = "failed"
		o.Reason = fmt.Sprintf("`%s` ended with %s", oneLine(j.command), j.failed.Outcome)
	default:
		o.Outcome, o.Reason = "environment", j.reason
	}
	if j.failed != nil {
		o.Tail = lastPart(string(j.failed.Merged.Bytes), 2<<10)
	}
}

// DropScratch removes a folder of ours, read-only ones in it included, which some
// tools make.
func DropScratch(dir string) {
	if os.RemoveAll(dir) == nil {
		return
	}
	_ = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			_ = os.Chmod(path, 0o700) //nolint:gosec // a folder of ours, about to go
		}
		return nil
	})
	_ = os.RemoveAll(dir)
}
