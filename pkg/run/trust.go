package run

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-agent/git-agent/pkg/plan"
)

// TrustRequest is how a caller vouches for a plan.
type TrustRequest struct {
	Trust  bool   // --trust: for this clone and digest
	Digest string // --trust-plan or GIT_AGENT_TRUST_PLAN: this digest only
}

// asDigest is what of it counts for a plan that comes later: --trust was for the
// one that there was.
func (r TrustRequest) asDigest() TrustRequest { return TrustRequest{Digest: r.Digest} }

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

func (s *session) grant(clone string) error { return s.grantDigest(s.digest(), clone) }

func (s *session) grantDigest(digest, clone string) error {
	g := grant{Digest: digest, Run: s.run, Clone: clone, Given: s.Now()}
	if err := writeJSON(s.User, grantFile(g.Digest, clone), g); err != nil {
		return fmt.Errorf("remember trust: %w", err)
	}
	return nil
}

// needTrust refuses a plan that came from somebody else until this person has
// said so; nothing of it has run by then.
func (s *session) needTrust(ctx context.Context, req TrustRequest) error {
	err := s.letRun(ctx, req)
	if err == nil {
		s.cleared = s.digest()
	}
	return err
}

func (s *session) letRun(ctx context.Context, req TrustRequest) error {
	ok, err := s.trusted()
	if err != nil || ok {
		return err
	}
	digest := first(req.Digest, lookup(s.Env, "GIT_AGENT_TRUST_PLAN"))
	switch {
	case req.Trust:
		return s.grant(s.Place.CommonDir)
	case digest == s.digest():
		return nil
	case digest != "":
		return s.untrusted("the plan's digest is %s, not %s", s.digest(), digest)
	}
	return s.needSignature(ctx)
}

// needSignature is the last way to be trusted: the person or the machine (never
// the repository) says that plans signed by certain people are.
func (s *session) needSignature(ctx context.Context) error {
	if mode, _ := s.Config.UserConfig("agent.trust"); mode != "signed" {
		return s.untrusted("run %s, plan version %d, comes from elsewhere: its commands do not run before you said so", s.run, s.version)
	}
	file, ok := s.Config.UserConfig("agent.allowedsigners")
	if !ok || file == "" {
		return failf("UNTRUSTED", ExitPerson, "agent.trust is signed, but agent.allowedSigners names no file; nothing was executed").
			hint("git config --global agent.allowedSigners ~/.config/git/allowed_signers")
	}
	version := s.chain.Latest().Commit
	good, signer, err := s.Git.GoodSignature(ctx, version, s.expandHome(file))
	if err != nil {
		return fail("UNKNOWN", ExitUnknown, fmt.Errorf("verify the signature of plan version %d: %w", s.version, err), "git agent trust "+s.run)
	}
	if !good {
		return s.untrusted("plan version %d (%s) carries no signature of anybody in %s", s.version, short(version), file)
	}
	s.Notify("plan version %d is signed by %s", s.version, signer)
	return nil
}

func (s *session) expandHome(file string) string {
	if rest, ok := strings.CutPrefix(file, "~/"); ok {
		return filepath.Join(lookup(s.Env, "HOME"), rest)
	}
	return file
}

// UntrustedError shows what would run.
type UntrustedError struct {
	Err      error
	Digest   string
	Commands []plan.Command
	// Since is the newest version that was trusted here, 0 for none, and
	// Changed what differs from it.
	Since   int
	Changed []plan.Difference
}

func (e *UntrustedError) Error() string { return e.Err.Error() }

func (s *session) untrusted(format string, args ...any) error {
	e := &UntrustedError{Err: fmt.Errorf(format, args...), Digest: s.digest(), Commands: plan.Commands(s.plan)}
	for _, v := range slices.Backward(s.chain.Versions) {
		if old := s.plans[v.Number]; v.Number < s.version && s.grantedFor(old.Digest(s.run, v.Number, s.base)) {
			e.Since, e.Changed = v.Number, plan.Diff(old, s.plan)
			break
		}
	}
	return fail("UNTRUSTED", ExitPerson, e, "git agent resume "+s.run+" --trust", "git agent trust "+s.run)
}

func (s *session) grantedFor(digest string) bool {
	for _, clone := range []string{s.Place.CommonDir, ""} {
		if _, err := s.User.Read(grantFile(digest, clone)); err == nil {
			return true
		}
	}
	return false
}

// Trust remembers today's plan of a run as trusted in every clone, and says
// what it was.
func (e *Engine) Trust(ctx context.Context, run string) (digest string, commands []plan.Command, err error) {
	if err := e.Outside(); err != nil {
		return "", nil, err
	}
	s, err := e.openSynced(ctx, run)
	if err != nil {
		return "", nil, err
	}
	return s.digest(), plan.Commands(s.plan), s.grant("")
}

// Grant is one thing that this person trusted.
type Grant struct {
	Format int       `json:"format"`
	Run    string    `json:"run"`
	Digest string    `json:"digest"`
	Clone  string    `json:"clone"` // "": every clone of this person
	Given  time.Time `json:"given"`

	file string // its own: a clone's name that is no UTF-8 reads otherwise than it was
}

// Grants lists what this person trusted, newest first.
func (e *Engine) Grants() ([]Grant, error) {
	names, err := e.User.List("trust")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []Grant
	for _, name := range names {
		var g grant
		if err := readJSON(e.User, "trust/"+name, &g); err != nil {
			return nil, err
		}
		if g.Digest != "" {
			all = append(all, Grant{1, g.Run, g.Digest, g.Clone, g.Given.UTC(), "trust/" + name})
		}
	}
	slices.SortFunc(all, func(a, b Grant) int { return b.Given.Compare(a.Given) })
	return all, nil
}

// Revoke takes back what was trusted, by digest or for every version of a run.
func (e *Engine) Revoke(what string) ([]Grant, error) {
	if err := e.Outside(); err != nil {
		return nil, err
	}
	all, err := e.Grants()
	if err != nil {
		return nil, err
	}
	var gone []Grant
	for _, g := range all {
		if g.Digest != what && g.Run != what {
			continue
		}
		if err := e.User.Remove(g.file); err != nil {
			return gone, err
		}
		gone = append(gone, g)
	}
	if len(gone) == 0 {
		return nil, failf("NO_TRUST", ExitNo, "nothing is trusted under %q", what).hint("git agent trust list")
	}
	return gone, nil
}
