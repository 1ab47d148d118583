package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/git-agent/git-agent/internal/git"
	"github.com/git-agent/git-agent/pkg/run"
	"github.com/git-agent/git-agent/pkg/verify"
)

// hookDeadline bounds what a hook may take: a push waits for it.
const hookDeadline = 2 * time.Minute

type verifyCmd struct {
	Args       []string `arg:"" optional:"" name:"range" help:"<from>..<to>, or the tip of a run's branch; else the whole run. With --pre-push the hook's arguments, with --update <ref> <old> <new>."`
	PrePush    bool     `help:"Judge what a push is about to send; git's pre-push input is on standard input." xor:"mode"`
	PreReceive bool     `help:"Judge what is being received; git's pre-receive input is on standard input." xor:"mode"`
	Update     bool     `help:"Judge one ref that is being received, as an update hook is asked." xor:"mode"`
	Message    string   `help:"Judge a commit message that is about to be used, as a commit-msg hook is asked." placeholder:"FILE" xor:"mode"`
	JSON       bool     `name:"json" help:"Print one JSON object."`
}

func (c *verifyCmd) Run(a *app) error {
	a.json = c.JSON
	hook := c.PrePush || c.PreReceive || c.Update || c.Message != ""
	if hook {
		ctx, cancel := context.WithTimeout(a.ctx, hookDeadline)
		defer cancel()
		a.ctx = ctx
		if !c.JSON {
			a.streams.Out = a.streams.Err // git push --porcelain owns standard output
		}
	}
	report, err := c.judge(a)
	if err != nil {
		return unjudged(err)
	}
	if report == nil {
		return nil
	}
	return a.verified(report, hook)
}

func (c *verifyCmd) judge(a *app) (*verify.Report, error) {
	switch {
	case c.PrePush:
		return a.verifyPush(c.Args)
	case c.PreReceive:
		return a.verifyReceive()
	case c.Update:
		return a.verifyUpdate(c.Args)
	case c.Message != "":
		return nil, a.verifyMessage(c.Message)
	case len(c.Args) > 1:
		return nil, usageFor("verify", "one range at most, not %q", c.Args)
	}
	return a.verifyRange(strings.Join(c.Args, ""))
}

// fromGit refuses to wait for a person to type what git pipes into a hook.
func (a *app) fromGit() error {
	if a.streams.InTTY {
		return usageFor("verify", "standard input is a terminal; git itself gives a hook its input there")
	}
	return nil
}

// verifyPush reads its input before it opens anything: a push of nothing costs
// nothing.
func (a *app) verifyPush(args []string) (*verify.Report, error) {
	if err := a.fromGit(); err != nil {
		return nil, err
	}
	updates, err := verify.ReadPrePush(a.In)
	if err != nil {
		return nil, usageFor("verify", "%w", err)
	}
	if len(updates) == 0 {
		return nil, nil
	}
	repo, err := a.repo()
	if err != nil {
		return nil, err
	}
	v, err := a.verifier(repo)
	if err != nil {
		return nil, err
	}
	return v.Push(a.ctx, updates, verify.Side{Known: knownTo(repo, args)})
}

// knownTo are the refs that say what the remote has. One that was given by its
// URL has none of its own; then what any remote has counts.
func knownTo(repo *git.Repo, args []string) []string {
	if len(args) > 0 {
		for _, name := range repo.Remotes() {
			if name == args[0] {
				return []string{"refs/remotes/" + name + "/*", "refs/agent-remote/" + name + "/*"}
			}
		}
	}
	return []string{"refs/remotes/*", "refs/agent-remote/*"}
}

func (a *app) verifyReceive() (*verify.Report, error) {
	if err := a.fromGit(); err != nil {
		return nil, err
	}
	updates, err := verify.ReadPreReceive(a.In)
	if err != nil {
		return nil, usageFor("verify", "%w", err)
	}
	if len(updates) == 0 {
		return nil, nil
	}
	return a.received(updates, verify.Side{Known: []string{"*"}, Server: true})
}

func (a *app) verifyUpdate(args []string) (*verify.Report, error) {
	if len(args) != 3 {
		return nil, usageFor("verify", "--update takes <ref> <old> <new>, as git gives them")
	}
	u, err := verify.NewUpdate(args[0], args[1], args[2])
	if err != nil {
		return nil, usageFor("verify", "%w", err)
	}
	return a.received([]verify.Update{u}, verify.Side{Known: []string{"*"}, Server: true, Later: true})
}

// received judges where git's receive-pack put us, with its environment: the
// pushed objects are in quarantine. Nothing is written, no folder of ours is
// opened.
func (a *app) received(updates []verify.Update, side verify.Side) (*verify.Report, error) {
	dir, err := a.here()
	if err != nil {
		return nil, err
	}
	repo, err := git.Open(a.ctx, git.Options{Dir: dir, Env: a.Env, Log: a.logger(), Now: a.now, Quarantined: true})
	if err != nil {
		return nil, err
	}
	v, err := a.verifier(repo)
	if err != nil {
		return nil, err
	}
	return v.Push(a.ctx, updates, side)
}

func (a *app) verifier(repo *git.Repo) (*verify.Verifier, error) {
	value, _ := repo.Config("agent.verify")
	policy, err := verify.ParsePolicy(value)
	if bad := run.CheckSettings(a.ctx, repo, "agent.verify", "agent.branchPrefix"); bad != nil {
		return nil, bad
	}
	if err != nil {
		return nil, err
	}
	return &verify.Verifier{Git: repo, Heads: heads(repo), Policy: policy}, nil
}

// heads is the full prefix of run branches.
func heads(config run.Config) string {
	return run.New(run.Deps{Config: config}).BranchRef("")
}

// unjudged places the errors of verifying in the contract.
func unjudged(err error) error {
	switch {
	case errors.Is(err, verify.ErrTruncated):
		return &run.Failure{Code: "HISTORY_TRUNCATED", Exit: run.ExitUnknown, Err: err, Hints: []string{"git fetch --unshallow"}}
	case errors.Is(err, context.DeadlineExceeded):
		return &run.Failure{Code: "UNKNOWN", Exit: run.ExitUnknown, Err: fmt.Errorf("not judged within %v: %w", hookDeadline, err)}
	}
	return err
}
