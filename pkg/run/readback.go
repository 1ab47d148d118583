package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/lease"
	"github.com/git-agent/git-agent/pkg/object"
)

// pushed is a push that did not end cleanly.
type pushed struct {
	tip      string
	refs     []object.PushRef
	lease    lease.Lease
	verdicts []object.PushVerdict
	cause    error
	try      int
}

// readBack decides it from what the remote holds: a client can exit non-zero
// for a push that was applied. done: it was, after all. Neither: try again.
func (s *session) readBack(ctx context.Context, p pushed) (done bool, err error) {
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	sent, names := map[string]string{}, []string{s.branch}
	for _, ref := range p.refs {
		sent[ref.Name], names = ref.ID, append(names, ref.Name)
	}
	before := map[string]string{s.branch: s.remote.branch, s.planThere(): s.remote.plan, lease.Ref(s.run): s.remote.lease}
	there, err := s.Git.RemoteRefs(ctx, s.remote.name, names...)
	if err != nil {
		s.remote.err = err
		return false, s.notPushed(errors.Join(p.cause, err))
	}
	switch lease.Settle(sent, before, there) {
	case lease.Won:
		s.tellMirror(p.refs, p.verdicts, p.cause)
		return true, s.taken(ctx, p.refs, p.lease)
	case lease.Fenced:
		return true, s.outrun(ctx, p.tip, there)
	}
	if why := refusedHere(p.cause); why != "" {
		return false, s.hookRefused(why)
	}
	if p.try < pushTries-1 && ctx.Err() == nil {
		return false, nil
	}
	if err := s.notBehind(ctx); err != nil {
		return true, err // an earlier look brought the remote's branch: not a refusal by policy
	}
	if taken, err := s.branchAlone(ctx, p); taken || err != nil {
		return taken, err
	}
	if refused(p.verdicts) {
		return false, failf("PUSH_REFUSED", ExitPerson, "%s here, not pushed: %q refuses it: %s", s.whatIsHere(), s.remote.name, whyRefused(p.verdicts, p.cause)).
			hint("git agent resume %s   # once the remote takes it", s.run)
	}
	return false, s.notPushed(p.cause)
}

// outrun looks closer at refs that are neither as sent nor as before: our own
// sign of life arrived late, or our push arrived and somebody took over after
// it; else the run went on there, or somebody began to work meanwhile.
func (s *session) outrun(ctx context.Context, tip string, there map[string]string) error {
	if there[s.branch] == s.remote.branch {
		moved, err := s.planMovedThere(ctx, there)
		if err != nil {
			return err
		}
		if moved {
			return s.pushTo(ctx, tip)
		}
		ours, err := s.heldByUs(ctx, there[lease.Ref(s.run)])
		if err != nil {
			return err
		}
		if ours {
			return s.pushTo(ctx, tip)
		}
		if err := s.cancelledThere(ctx, there[lease.Ref(s.run)]); err != nil {
			return err
		}
		if late, err := s.lateSign(ctx, there[lease.Ref(s.run)]); err != nil {
			return err
		} else if late {
			return s.pushTo(ctx, tip)
		}
		if s.hold.mine.ID == "" && there[lease.Ref(s.run)] != s.remote.lease {
			return s.busyElsewhere(ctx, lease.Lease{Holder: lease.Holder{Host: "somebody who began meanwhile"}}, "")
		}
		return s.lost(there)
	}
	if err := s.ask(ctx); err != nil {
		return err
	}
	if s.remote.err != nil {
		return s.notPushed(s.remote.err)
	}
	arrived, err := s.Git.IsAncestor(ctx, tip, s.remote.branch)
	switch {
	case err != nil:
		return err
	case !arrived:
		return s.lost(there)
	}
	return s.planArrived(ctx, tip)
}

// planArrived: the branch can be there without our plan, where somebody else
// began the run at the same moment; theirs is followed, or ours refused.
func (s *session) planArrived(ctx context.Context, tip string) error {
	if err := s.followPlan(ctx); err != nil {
		return err
	}
	if err := s.read(ctx); err != nil || s.planTip == s.remote.plan {
		return err
	}
	return s.pushTo(ctx, tip)
}

// planMovedThere follows a plan ref that gained a record or a version on the
// remote while this command was at work: ours goes on top.
func (s *session) planMovedThere(ctx context.Context, there map[string]string) (bool, error) {
	if now, asked := there[s.planThere()]; !asked || now == s.remote.plan {
		return false, nil
	}
	if err := s.ask(ctx); err != nil || s.remote.err != nil {
		return false, errors.Join(err, s.remote.err)
	}
	if err := s.followPlan(ctx); err != nil {
		return false, err
	}
	return true, s.read(ctx)
}

func refused(verdicts []object.PushVerdict) bool { return slices.ContainsFunc(verdicts, refuses) }

// refuses: a ref of which the remote reported nothing has the same flag as one
// that it rejected ("[remote failure]", git-push(1)), and is no verdict.
func refuses(v object.PushVerdict) bool {
	return v.Flag == '!' && !strings.HasPrefix(v.Text, "[remote failure]")
}

// tellMirror: what the remote has, by the address that it is asked at, counts. Where
// it is pushed to more addresses (`git remote set-url --add --push`), git reports
// each ref once for each, and one of the others refused.
func (s *session) tellMirror(refs []object.PushRef, verdicts []object.PushVerdict, cause error) {
	if len(verdicts) > len(refs) && refused(verdicts) {
		s.Notify("warning: %q has it, but another address that it is pushed to does not: %s", s.remote.name, whyRefused(verdicts, cause))
	}
}

// whyRefused is the verdict on the first refused ref and what the remote says
// about it: a hook's words, a lock of its own that is in its way.
func whyRefused(verdicts []object.PushVerdict, cause error) string {
	said := ""
	var remote interface{ RemoteSaid() string }
	if errors.As(cause, &remote) && remote.RemoteSaid() != "" {
		said = ": " + remote.RemoteSaid()
	}
	for _, v := range verdicts {
		if refuses(v) {
			return fmt.Sprintf("%s %s%s", v.Ref, v.Text, said)
		}
	}
	return cause.Error()
}

// refusedHere is how the person's own hook refused a push, of which nothing was
// sent then; "" where it did not.
func refusedHere(cause error) string {
	var hook interface{ RefusedHere() string }
	if errors.As(cause, &hook) {
		return hook.RefusedHere()
	}
	return ""
}

func (s *session) hookRefused(why string) error {
	return failf("PUSH_REFUSED", ExitPerson, "%s here, not pushed to %q: %s", s.whatIsHere(), s.remote.name, why).
		hint("git agent resume %s   # once the hook takes it", s.run)
}

func (s *session) lost(there map[string]string) error {
	became := "nothing was pushed or undone"
	if s.did != "" {
		became = s.did + " here, and nothing was pushed"
	}
	return failf("LOST", ExitLost, "the run moved on elsewhere: %q has %s at %s, here it is at %s; %s",
		s.remote.name, ShortBranch(s.branch), short(there[s.branch]), short(s.tip), became).
		hint("git agent resume %s", s.run)
}
