package run

import (
	"context"

	"github.com/git-agent/git-agent/pkg/ledger"
	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/reconcile"
)

// records says which of the run's records stand, looked at once for a history
// and a plan.
func (s *session) records() *reconcile.Standing {
	if s.stand == nil || s.standAt != s.tipRead || s.standBy != s.plan {
		s.stand, s.standAt, s.standBy = standingOf(s.itself()), s.tipRead, s.plan
	}
	return s.stand
}

func standingOf(o *subject) *reconcile.Standing {
	stand, err := reconcile.StandingOf(o.plan, o.ledger)
	if err != nil { // no plan is stored whose touches do not compile
		stand, _ = reconcile.StandingOf(nil, o.ledger)
	}
	return stand
}

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
