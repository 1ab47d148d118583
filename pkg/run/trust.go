package run

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/git-agent/git-agent/pkg/plan"
)

// TrustRequest is how a caller vouches for a plan.
type TrustRequest struct {
	Trust  bool   // --trust: for this clone and digest
	Digest string // --trust-plan or GIT_AGENT_TRUST_PLAN: this digest only
}

// grant is one entry of the person's trust folder.
type grant struct {
	Digest string    `json:"digest"`
	Run    string    `json:"run"`
	Clone  string    `json:"clone,omitempty"` // "": everywhere
	Given  time.Time `json:"given"`
}

func grantFile(digest, clone string) string {
	sum := sha256.Sum256([]byte(digest + "\x00" + clone))
	return "trust/" + hex.EncodeToString(sum[:]) + ".json"
}

func (s *session) digest() string { return s.plan.Digest(s.run, s.version, s.base) }

// trusted reports whether this person said that today's plan may run here.
func (s *session) trusted() (bool, error) {
	for _, clone := range []string{s.Place.CommonDir, ""} {
		_, err := s.User.Read(grantFile(s.digest(), clone))
		if err == nil {
			return true, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return false, fmt.Errorf("read trust: %w", err)
		}
	}
	return false, nil
}

func (s *session) grant(clone string) error {
	g := grant{Digest: s.digest(), Run: s.run, Clone: clone, Given: s.Now()}
	if err := writeJSON(s.User, grantFile(g.Digest, clone), g); err != nil {
		return fmt.Errorf("remember trust: %w", err)
	}
	return nil
}

// needTrust refuses a plan that came from somebody else until this person has
// said so; nothing of it has run by then.
func (s *session) needTrust(req TrustRequest) error {
	ok, err := s.trusted()
	if err != nil || ok {
		return err
	}
	digest := req.Digest
	if digest == "" {
		digest = lookup(s.Env, "GIT_AGENT_TRUST_PLAN")
	}
	switch {
	case req.Trust:
		return s.grant(s.Place.CommonDir)
	case digest == "":
		return s.untrusted("run %s, plan version %d, comes from elsewhere: its commands do not run before you said so", s.run, s.version)
	case digest == s.digest():
		return nil
	}
	return s.untrusted("the plan's digest is %s, not %s", s.digest(), digest)
}

// UntrustedError shows what would run.
type UntrustedError struct {
	Err      error
	Digest   string
	Commands []plan.Command
}

func (e *UntrustedError) Error() string { return e.Err.Error() }

func (s *session) untrusted(format string, args ...any) error {
	return fail("UNTRUSTED", ExitPerson,
		&UntrustedError{Err: fmt.Errorf(format, args...), Digest: s.digest(), Commands: plan.Commands(s.plan)},
		"git agent resume "+s.run+" --trust", "git agent trust "+s.run)
}

// Trust remembers today's plan of a run as trusted in every clone, and says
// what it was.
func (e *Engine) Trust(ctx context.Context, run string) (digest string, commands []plan.Command, err error) {
	s, err := e.open(ctx, run)
	if err != nil && CodeOf(err) == "NO_RUN" {
		s, err = e.openSynced(ctx, run)
	}
	if err != nil {
		return "", nil, err
	}
	return s.digest(), plan.Commands(s.plan), s.grant("")
}

// Commands lists what a run's plan would execute, for a person to look at.
func (e *Engine) Commands(ctx context.Context, run string) ([]plan.Command, error) {
	s, err := e.open(ctx, run)
	if err != nil {
		return nil, err
	}
	return plan.Commands(s.plan), nil
}
