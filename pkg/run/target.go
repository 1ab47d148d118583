package run

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/git-agent/git-agent/pkg/landing"
	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/plan"
)

// target is the branch that a run lands on.
type target struct {
	branch string // without refs/heads/; "" where nobody said
	tip    string // "" where it does not exist
	doubt  *landing.Doubt
}

func (t target) ref() string { return headsPrefix + t.branch }

// noBranch are spellings of a base that name no branch.
var noBranch = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(HEAD|@|refs/.*|[0-9a-f]{7,64}|.*[~^:@{].*|-.*)$`)
})

// targetName is the branch to land on: the one that was asked for, the plan's
// target, its base where that names a branch, else the one that the run landed on
// last, by its marker.
func (s *session) targetName(onto string) string {
	switch {
	case onto != "":
		return onto
	case s.plan.Target != "":
		return s.plan.Target
	}
	return first(s.baseBranch(), landedOn(s.run, s.chain.Markers))
}

// baseBranch is the plan's base where its spelling may be that of a branch to land
// on. One of a remote, or of another run that this one is stacked on, is none.
func (s *session) baseBranch() string {
	base := s.plan.Base
	if noBranch().MatchString(base) || strings.HasPrefix(base, s.branchPrefix()) ||
		slices.ContainsFunc(s.Git.Remotes(), func(remote string) bool { return strings.HasPrefix(base, remote+"/") }) {
		return ""
	}
	return base
}

// landedOn is the branch that the newest readable landing marker names.
func landedOn(run string, markers []plan.Marker) string {
	for _, m := range slices.Backward(markers) {
		if read, ok := landing.ParseValue(m.Landed); ok && read.Verb == landing.Landed && read.Run == run {
			return read.Branch
		}
	}
	return ""
}

// TargetHere is the branch that HEAD is on, for a plan to begin with; "" where
// it is on none, on a run's own, or git could not say.
func (e *Engine) TargetHere(ctx context.Context) string {
	head, err := e.Git.Head(ctx)
	if err != nil || strings.HasPrefix(head.Branch, e.BranchRef("")) {
		return ""
	}
	return ShortBranch(head.Branch)
}

// local reports whether a landing stays in this clone.
func (s *session) landsHere() bool { return s.remote.name == "" || s.local.NoPush }

// noOwnTarget: on its own branch everything of a run has landed by itself, and
// another run's takes that run's commits only: hooks refuse it with others.
func (s *session) noOwnTarget(branch string) error {
	whose := "a run's"
	switch {
	case branch == "":
		return nil
	case branch == ShortBranch(s.branch):
		whose = "the run's own"
	case !strings.HasPrefix(branch, ShortBranch(s.BranchRef(""))):
		return nil
	}
	return failf("USAGE", ExitUsage, "%s is %s branch: nothing lands there; nothing was done", branch, whose).hint("git agent help land")
}

// lookTarget finds the target's tip: here where nothing is pushed, else on the
// remote. The look that began this command brought it, unless fresh wants a
// newer one or the plan names another branch than it did last time.
func (s *session) lookTarget(ctx context.Context, onto string, fresh bool) (target, error) {
	t := target{branch: s.targetName(onto)}
	if err := s.noOwnTarget(onto); err != nil || t.branch == "" {
		return t, err
	}
	if s.landsHere() {
		var err error
		t.tip, err = s.Git.Ref(ctx, t.ref())
		return t, err
	}
	if onto == "" && s.local.Target != t.branch {
		s.local.Target = t.branch
		if err := s.saveLocal(); err != nil {
			return t, err
		}
	}
	if s.remote.err != nil {
		t.doubt = &landing.Doubt{How: landing.NoRemote, Text: s.remote.err.Error()}
		return t, nil //nolint:nilerr // a doubt of the answer, told in its place
	}
	if fresh || s.remote.aimed != t.branch {
		there, err := s.Git.RemoteRefs(ctx, s.remote.name, t.ref())
		if err != nil {
			t.doubt = &landing.Doubt{How: landing.NoRemote, Text: fmt.Sprintf("remote %q did not answer: %v", s.remote.name, err)}
			return t, ctx.Err()
		}
		s.remote.target, s.remote.aimed = there[t.ref()], t.branch
	}
	t.tip = s.remote.target
	return t, nil
}

// fetchTarget brings the target's commits, and keeps them at our mirror ref. In
// a shallow clone it brings the tip alone; the scan asks for more. Otherwise git
// would send the whole history.
func (s *session) fetchTarget(ctx context.Context, t target) error {
	if s.landsHere() || t.tip == "" {
		return nil
	}
	track := trackTarget(s.remote.name, s.run)
	if s.remote.tracked[track] == t.tip {
		return nil
	}
	have, err := s.Git.Peel(ctx, []string{t.tip})
	if err != nil {
		return err
	}
	if have[t.tip] == "" {
		if err := s.bringTarget(ctx, t); err != nil {
			return err
		}
	}
	if s.onlyLooks {
		return nil
	}
	update := object.RefUpdate{Name: track, Old: s.remote.tracked[track], New: t.tip}
	if err := s.Git.UpdateRefs(ctx, s.why("fetch", ""), update); err != nil {
		now, errRead := s.Git.Ref(ctx, track) // another command of this clone keeps it too
		if errRead != nil || now == update.Old {
			return errors.Join(err, errRead)
		}
		s.remote.tracked[track] = now
		return nil
	}
	s.remote.tracked[track] = t.tip
	return nil
}

func (s *session) bringTarget(ctx context.Context, t target) error {
	shallow, err := s.Git.IsShallow(ctx)
	if err != nil {
		return err
	}
	var extra []string
	if shallow {
		extra = []string{"--depth=1"}
	}
	if err := s.Git.Fetch(ctx, s.remote.name, []string{t.ref()}, extra...); err != nil {
		return fmt.Errorf("fetch %s from %q: %w", t.branch, s.remote.name, err)
	}
	return nil
}

// landCommand is what a person types to land the run there.
func (s *session) landCommand(branch string) string {
	command := "git agent land " + s.run
	if branch != "" && branch != s.targetName("") {
		command += " --onto " + quoteArg(branch)
	}
	return command
}

// atNewest makes the remote's branch the one that is looked at, where it is ahead
// of what is here or nothing is: whoever asks, or lands, needs no checkout.
func (s *session) atNewest(ctx context.Context) error {
	there := s.remote.branch
	if there == "" || there == s.tip || !s.remote.answers() {
		return nil
	}
	if s.tip != "" {
		if ahead, err := s.holds(ctx, there); err != nil || ahead {
			return err
		}
	}
	s.tip = there
	return s.readLedger(ctx)
}
