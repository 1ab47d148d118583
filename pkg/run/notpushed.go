package run

import (
	"strings"
)

// notPushed says what is here and, for all that is known, on no remote.
func (s *session) notPushed(cause error) error {
	if s.tip != s.branchThere() || s.planTip != s.planSeen() {
		return failf("NOT_PUSHED", ExitNotPushed, "%s here, not pushed to %q: %w", s.whatIsHere(), s.remote.name, cause).
			hint("git agent resume %s", s.run)
	}
	return failf("NOT_PUSHED", ExitNotPushed, "%s here; whether %q has all of the run cannot be told: %w", first(s.did, "nothing new"), s.remote.name, cause).
		hint("git agent resume %s", s.run)
}

// whatIsHere is what the remote, as it was seen last, lacks, and what this
// command did beside certifying.
func (s *session) whatIsHere() string {
	var what []string
	if s.unseenCertificate() {
		what = append(what, "certified")
	}
	if s.did != "" {
		what = append(what, s.did)
	}
	switch {
	case len(what) > 0:
		return strings.Join(what, " and ")
	case s.tip != s.branchThere():
		return "committed"
	case s.planTip != s.planSeen():
		return "recorded"
	}
	return "done"
}

// branchThere and planSeen are the remote's, as they were seen last.
func (s *session) branchThere() string {
	return first(s.remote.branch, s.remote.tracked[trackBranch(s.remote.name, s.run)])
}

func (s *session) planSeen() string {
	return first(s.remote.plan, s.remote.tracked[trackPlan(s.remote.name, s.run)])
}

// unseenCertificate reports whether a certificate here is above what the remote has.
func (s *session) unseenCertificate() bool {
	if s.ledger == nil || s.ledger.Certificate() == nil {
		return false
	}
	there, on := s.ledger.Since(s.branchThere())
	return !on || there < s.ledger.Certificate().Index
}
