package run

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/git-agent/git-agent/pkg/lease"
	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/stash"
)

// Finding is what `doctor` says about one thing: fields are only added.
type Finding struct {
	Format int    `json:"format"`
	What   string `json:"what"`
	OK     bool   `json:"ok"`
	Says   string `json:"says"`
	Mend   string `json:"mend,omitempty"` // a command that mends it
}

func fine(what, format string, args ...any) Finding {
	return Finding{Format: 1, What: what, OK: true, Says: fmt.Sprintf(format, args...)}
}

func wrong(what, mend, format string, args ...any) Finding {
	return Finding{Format: 1, What: what, Says: fmt.Sprintf(format, args...), Mend: mend}
}

// Doctor looks at everything that a run depends on in this clone. It changes
// nothing, takes no lock, and asks the remote once.
func (e *Engine) Doctor(ctx context.Context) []Finding {
	var all []Finding
	for _, look := range []func(context.Context) []Finding{
		e.seeGit, e.seeTree, e.seeIndex, e.seeIdentity, e.seeSigning, e.seeRemote, e.seeHistory,
		e.seeSettings, e.seeReading, e.seeTrust, e.seeForge, e.seeLocks, e.seeRefs, e.seeRuns,
	} {
		all = append(all, look(ctx)...)
	}
	return all
}

func (e *Engine) seeGit(ctx context.Context) []Finding {
	version, err := e.Git.Version(ctx)
	if err == nil {
		err = e.Git.CheckVersion(ctx)
	}
	if err != nil {
		return []Finding{wrong("git", "git version", "%v", err)}
	}
	if hole := e.Git.KnownHole(version); hole != "" {
		return []Finding{fine("git", "version %s; by its number it has %s: do not clone with --recurse-submodules what you do not trust (git agent never does)", version, hole)}
	}
	return []Finding{fine("git", "version %s", version)}
}

func (e *Engine) seeTree(ctx context.Context) []Finding {
	if err := e.Git.NeedWorkTree(); err != nil {
		return []Finding{wrong("working tree", e.toWorkTree(), "%v", err)}
	}
	if what, _ := e.Git.Operation(); what != "" {
		return []Finding{wrong("working tree", "git status", "%s is under way", what)}
	}
	head, err := e.Git.Head(ctx)
	if err != nil {
		return []Finding{wrong("working tree", "git status", "%v", err)}
	}
	if head.Branch == "" {
		if kept, err := e.Git.Kept(ctx, head.ID); err != nil || !kept {
			return []Finding{wrong("working tree", keepCommit(head.ID), "detached at %s, which no branch or other ref has: start and resume do not leave it", short(head.ID))}
		}
		return []Finding{fine("working tree", "detached at %s; start and resume go to the run's branch", short(head.ID))}
	}
	return []Finding{fine("working tree", "on %s", ShortBranch(head.Branch))}
}

func (e *Engine) seeIdentity(ctx context.Context) []Finding {
	if err := e.Git.KnowsCommitter(ctx); err != nil {
		return []Finding{wrong("identity", strings.Join(HintsOf(e.noIdentity(err)), " && "), "git does not know who commits: %v", err)}
	}
	return []Finding{fine("identity", "known")}
}

// seeSigning tries it: a key that asks for a passphrase, or an agent that is
// gone, would stop every certificate.
func (e *Engine) seeSigning(ctx context.Context) []Finding {
	if !e.Git.SignsCommits() {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	tree, err := e.Git.EmptyTree(ctx)
	if err == nil {
		c := newCommit(tree, "", "git-agent: can this be signed?\n")
		c.Sign = true
		_, err = e.Git.WriteCommit(ctx, c)
	}
	if err != nil {
		return []Finding{wrong("signing", "git config --show-origin --get-regexp 'gpg|signingkey|gpgsign'", "commit.gpgSign is on, but signing fails: %v", err)}
	}
	return []Finding{fine("signing", "works")}
}

func (e *Engine) seeRemote(ctx context.Context) []Finding {
	name, err := pickRemote(e.Git, e.Config, e.Remote)
	if err != nil {
		return []Finding{wrong("remote", first(append(HintsOf(err), "git remote -v")...), "%v", err)}
	}
	if name == "" {
		return []Finding{wrong("remote", "git remote add origin <url>", "there is none: progress lives in this clone only")}
	}
	parents := clashPatterns([]string{planPrefix + "-", lease.Prefix + "-", headsPrefix + e.branchPrefix() + "-"})
	there, err := e.Git.RemoteRefs(ctx, name, append(parents, planPrefix+"*")...)
	if err != nil {
		return []Finding{wrong("remote", "git ls-remote "+quoteArg(name), "%q does not answer: %v", name, err)}
	}
	for _, parent := range parents {
		if id := there[parent]; id != "" {
			return []Finding{wrong("remote", renameThere(name, object.Ref{Name: parent, ID: id}), "%q has %s, which stands where refs of runs have to be", name, parent)}
		}
	}
	return []Finding{fine("remote", "%q answers", name)}
}

func (e *Engine) seeHistory(ctx context.Context) []Finding {
	shallow, err := e.Git.IsShallow(ctx)
	switch {
	case err != nil:
		return []Finding{wrong("history", "git fsck", "%v", err)}
	case shallow:
		return []Finding{fine("history", "shallow; resume fetches what a run needs")}
	}
	return []Finding{fine("history", "whole")}
}

// seeReading names settings that make git read trailers otherwise than they
// are written: our reader does not mind, a person's `git log` does.
func (e *Engine) seeReading(context.Context) []Finding {
	var bad []Finding
	for _, key := range []string{"core.commentchar", "core.commentstring", "trailer.separators", "trailer.ifexists", "trailer.ifmissing", "trailer.where"} {
		if value, ok := e.Config.Config(key); ok {
			bad = append(bad, Finding{Format: 1, What: "trailers", OK: true,
				Says: fmt.Sprintf("%s=%s may hide trailers from git's own %%(trailers); git agent reads them all the same", key, value)})
		}
	}
	return bad
}

func (e *Engine) seeTrust(context.Context) []Finding {
	mode, _ := e.Config.UserConfig("agent.trust")
	file, _ := e.Config.UserConfig("agent.allowedsigners")
	if local, _ := e.Config.Config("agent.trust"); local == "signed" && mode != "signed" {
		return []Finding{wrong("trust", "git config --global agent.trust signed", "agent.trust in the repository's configuration counts for nothing")}
	}
	if mode == "signed" && file == "" {
		return []Finding{wrong("trust", "git config --global agent.allowedSigners <file>", "agent.trust is signed, but agent.allowedSigners names no file")}
	}
	grants, err := e.Grants()
	if err != nil {
		return []Finding{wrong("trust", "git agent trust list", "%v", err)}
	}
	return []Finding{fine("trust", "%s trusted", counted(len(grants), "plan"))}
}

func (e *Engine) seeLocks(ctx context.Context) []Finding {
	locks, err := e.Git.StaleLocks(ctx, []string{"refs/heads/" + e.branchPrefix(), planPrefix, stash.Root, trackPrefix})
	if err != nil {
		return []Finding{wrong("locks", "git status", "%v", err)}
	}
	var bad []Finding
	for _, l := range locks {
		bad = append(bad, wrong("locks", "rm -f "+quoteArg(l.Path), "%s is there, made %s ago; it may belong to a live git", l.Path, e.Now().Sub(l.Made).Round(time.Second)))
	}
	if len(bad) == 0 {
		bad = append(bad, fine("locks", "none left behind"))
	}
	return bad
}

// seeRuns looks for what a killed command left, run by run.
func (e *Engine) seeRuns(ctx context.Context) []Finding {
	refs, err := e.Git.Refs(ctx, planPrefix)
	if err != nil {
		return []Finding{wrong("runs", "git for-each-ref refs/agent/", "%v", err)}
	}
	var all []Finding
	for _, r := range refs {
		all = append(all, e.seeRun(ctx, strings.TrimPrefix(r.Name, planPrefix)))
	}
	return all
}

func (e *Engine) seeRun(ctx context.Context, run string) Finding {
	what, resume := "run "+run, "git agent resume "+run
	s, err := e.open(ctx, run)
	if err != nil {
		return wrong(what, first(append(HintsOf(err), "git fsck --connectivity-only")...), "%v", err)
	}
	trees, err := e.Git.CheckedOutAt(ctx, s.branch)
	if err != nil {
		return wrong(what, "git worktree list", "%v", err)
	}
	for _, tree := range trees {
		if tree.Gone {
			return wrong(what, forgetTree(tree), "its branch is checked out in %s, which is not there any more", tree.Path)
		}
	}
	open, err := e.attempts(run)
	if err != nil {
		return wrong(what, resume, "%v", err)
	}
	for _, ref := range s.stashes {
		if strings.HasSuffix(ref.Name, "/pending") {
			return wrong(what, resume, "a rollback is under way (%s)", ref.Name)
		}
	}
	for _, a := range open {
		if a.Job && !a.Ended && a.Owner.Gone() && !e.jobAlive(run, a) {
			return wrong(what, resume, "attempt %d of step %s was killed", a.Number, a.Step)
		}
	}
	if len(s.ledger.Claims) > 0 {
		return wrong(what, resume, "%s with evidence that cannot be used", counted(len(s.ledger.Claims), "commit"))
	}
	return s.seeSync(ctx, what, resume)
}

// seeSync: what is not known is no fault, and neither is being behind.
func (s *session) seeSync(ctx context.Context, what, resume string) Finding {
	now := s.sync(ctx)
	lacks := now.State == SyncAhead || now.State == SyncDiverged || now.branchThere() && (now.Plan == SyncAhead || now.Plan == SyncDiverged)
	left, _, err := s.unshared(ctx)
	switch {
	case err != nil:
		return wrong(what, "git agent stash list", "%v", err)
	case now.NoPush && now.State != SyncNone:
		return fine(what, "in order; %s", now.Words())
	case lacks:
		return wrong(what, resume, "not everything is pushed: %s", now.Words())
	case len(left) > 0 && now.State != SyncNone:
		return wrong(what, resume, "partial work of %s is kept here only", left[0].Step)
	case now.State == SyncNone || now.Pushed() && now.State == SyncPushed && now.Plan == SyncPushed:
		return fine(what, "in order")
	}
	return fine(what, "in order; %s", now.Words())
}
