package run

import "context"

// boundaryOf an attempt (the design, section 2) is the tip it started from, or
// the newest commit above that was pushed from elsewhere meanwhile: what others
// published is no work of the attempt, and nothing at or below is ever undone.
func (s *session) boundaryOf(ctx context.Context, a *attempt) (string, error) {
	if a == nil {
		return s.boundary(), nil
	}
	start, on := s.ledger.Place(a.Tip)
	if !on {
		return s.boundary(), nil
	}
	others, err := s.newestOfOthers(ctx, start)
	if err != nil || others == start {
		return a.Tip, err
	}
	return s.ledger.Chain[s.aboveMerges(others)].ID, nil
}

// boundary without an attempt is the newest commit on the chain that is a
// certificate, an undo of ours or on the remote, else the base.
func (s *session) boundary() string {
	best := -1
	if r := s.ledger.Certificate(); r != nil {
		best = r.Index
	}
	for _, i := range s.ledger.Undone {
		best = max(best, i)
	}
	best = s.aboveMerges(max(best, s.newestThere()))
	if best < 0 {
		return s.base
	}
	return s.ledger.Chain[best].ID
}

// newestThere is the place of the newest commit of the chain that the remote is
// known to have, -1 for none above the base.
func (s *session) newestThere() int {
	newest := -1
	for _, id := range []string{s.remote.branch, s.remote.tracked[trackBranch(s.remote.name, s.run)]} {
		if i, known := s.ledger.Within(id); known {
			newest = max(newest, i)
		}
	}
	return newest
}

// newestOfOthers is the place of the newest commit above one that the remote has
// and that was not committed here; that place itself where there is none. A job
// that pushed what it committed did so against the brief; it is its work still.
func (s *session) newestOfOthers(ctx context.Context, above int) (int, error) {
	var here map[string]bool
	for at := s.newestThere(); at > above; at-- {
		id := s.ledger.Chain[at].ID
		if s.madeByJob(id) {
			continue
		}
		if here == nil {
			var err error
			if here, err = s.Git.CommittedHere(ctx, s.branch); err != nil {
				return above, err
			}
		}
		if !here[id] {
			return at, nil
		}
	}
	return above, nil
}
