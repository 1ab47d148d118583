package run

import (
	"slices"

	"github.com/git-agent/git-agent/pkg/ledger"
)

// badEvidence names evidence that cannot be used and the ways on: the repair,
// while nobody else has the commit, and a new certificate on top of it.
func (s *session) badEvidence(c ledger.Claim, step string) error {
	f := failf("EVIDENCE", ExitPerson, "%s: evidence is present but cannot be used, in %s: %s; nothing was moved", first(step, "no step"), short(c.Commit), joinFaults(c))
	if c.Repair != "" && !s.onRemote(c.Commit) {
		f = f.hint("%s", c.Repair)
	}
	if step != "" {
		f = f.hint("git agent step %s --empty   # check it again, for a certificate on top", step)
	}
	return f.hint("git show --no-patch %s", short(c.Commit))
}

// unmended reports whether a command stopped for evidence that can still be
// repaired in place: pushing it would take that away.
func (s *session) unmended(err error) bool {
	open := func(c ledger.Claim) bool { return !s.onRemote(c.Commit) }
	return CodeOf(err) == "EVIDENCE" && slices.ContainsFunc(s.ledger.Claims, open)
}

// onRemote: rewriting the commit would part this clone from the remote.
func (s *session) onRemote(commit string) bool {
	at, on := s.ledger.Place(commit)
	there, known := s.ledger.Within(s.remote.branch)
	return on && known && at <= there
}

// unplacedClaims stops for evidence that no step could be made out of, until a
// certificate lies above it: whatever it meant was checked since.
func (s *session) unplacedClaims() error {
	for _, c := range s.ledger.Claims {
		at, on := s.ledger.Place(c.Commit)
		top := s.ledger.Certificate()
		if len(c.Steps) == 0 && on && (top == nil || top.Index < at) {
			return s.badEvidence(c, "")
		}
	}
	return nil
}
