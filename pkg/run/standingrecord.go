package run

import (
	"context"

	"github.com/git-agent/git-agent/pkg/ledger"
	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/reconcile"
)

// stands is which records of a history count by a plan, looked at once for both.
type stands struct {
	ledger *ledger.Ledger
	plan   *plan.Plan
	found  *reconcile.Standing
}

func (c *stands) of(p *plan.Plan, l *ledger.Ledger) *reconcile.Standing {
	if c.found != nil && c.plan == p && c.ledger == l {
		return c.found
	}
	found, err := reconcile.StandingOf(p, l)
	if err != nil { // no plan is stored whose touches do not compile
		found, _ = reconcile.StandingOf(nil, l)
	}
	*c = stands{l, p, found}
	return found
}

// records says which of the run's records stand.
func (s *session) records() *reconcile.Standing { return s.stand.of(s.plan, s.ledger) }

func (o *subject) records() *reconcile.Standing { return o.stand.of(o.plan, o.ledger) }

// standing is a step's newest record where it is valid and nothing took its work
// back, else nil.
func (s *session) standing(step string) *ledger.Record { return s.records().Record(step) }

// doubt notes, on a walk from the newest commit down, whether a certificate may
// have been taken back: only what the commits changed tells, which a walk of
// messages alone does not see.
type doubt struct {
	found bool
	// answered: a certificate that changed something was passed; its checks saw
	// all that lies below.
	answered    bool
	above       object.Commit
	certificate bool // that one is
}

func (d *doubt) see(c object.Commit, certificate bool) {
	d.answered = d.answered || d.certificate && d.above.Tree != c.Tree
	d.found = d.found || !certificate && !d.answered
	d.above, d.certificate = c, certificate
}

// takenBack reads all of the run and corrects what the messages alone said.
func (s *session) takenBack(ctx context.Context, entries []*LogEntry) error {
	if err := s.read(ctx); err != nil {
		return err
	}
	by := map[string]string{}
	for _, r := range s.ledger.Records {
		by[r.Commit.ID] = s.records().TakenBackBy(r)
	}
	for _, one := range entries {
		one.Undone = by[one.Commit]
	}
	return nil
}
