package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/git-agent/git-agent/internal/git"
	"github.com/git-agent/git-agent/internal/ui"
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
		return nil, usageOf("one range at most, not %q", c.Args)
	}
	return a.verifyRange(strings.Join(c.Args, ""))
}

func usageOf(format string, args ...any) error {
	return &run.Failure{Code: "USAGE", Exit: run.ExitUsage, Err: fmt.Errorf(format, args...), Hints: []string{"git agent help verify"}}
}

// fromGit refuses to wait for a person to type what git pipes into a hook.
func (a *app) fromGit() error {
	if a.streams.InTTY {
		return usageOf("standard input is a terminal; git itself gives a hook its input there")
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
		return nil, usageOf("%w", err)
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
		return nil, usageOf("%w", err)
	}
	if len(updates) == 0 {
		return nil, nil
	}
	return a.received(updates, verify.Side{Known: []string{"*"}, Server: true})
}

func (a *app) verifyUpdate(args []string) (*verify.Report, error) {
	if len(args) != 3 {
		return nil, usageOf("--update takes <ref> <old> <new>, as git gives them")
	}
	u, err := verify.NewUpdate(args[0], args[1], args[2])
	if err != nil {
		return nil, usageOf("%w", err)
	}
	return a.received([]verify.Update{u}, verify.Side{Known: []string{"*"}, Server: true, Later: true})
}

// received judges where git's receive-pack put us, with its environment: the
// pushed objects are in quarantine. Nothing is written, no folder of ours is
// opened.
func (a *app) received(updates []verify.Update, side verify.Side) (*verify.Report, error) {
	dir := a.dir
	if dir == "" {
		var err error
		if dir, err = os.Getwd(); err != nil {
			return nil, err
		}
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
	if err != nil {
		return nil, &run.Failure{Code: "USAGE", Exit: run.ExitUsage, Err: err, Hints: []string{"git config agent.verify format"}}
	}
	return &verify.Verifier{Git: repo, Heads: heads(repo), Policy: policy}, nil
}

// heads is the full prefix of run branches.
func heads(config run.Config) string {
	return run.New(run.Deps{Config: config}).BranchRef("")
}

// verifyRange judges a run, the branch of one, or <from>..<to>.
func (a *app) verifyRange(arg string) (*verify.Report, error) {
	repo, err := a.repo()
	if err != nil {
		return nil, err
	}
	v, err := a.verifier(repo)
	if err != nil {
		return nil, err
	}
	req, err := a.rangeOf(repo, arg)
	if err != nil {
		return nil, err
	}
	return v.Range(a.ctx, req)
}

func (a *app) rangeOf(repo *git.Repo, arg string) (req verify.RangeRequest, err error) {
	from, to, isRange := strings.Cut(arg, "..")
	if strings.HasPrefix(to, ".") {
		return req, usageOf("%q: a range has two dots", arg)
	}
	if !isRange {
		from, to = "", arg
	}
	if isRange && from == "" {
		from = "HEAD"
	}
	if from != "" {
		if req.Base, err = a.commitOf(repo, from); err != nil {
			return req, err
		}
	}
	if req.Run, err = a.runOf(repo, to, isRange); err != nil {
		return req, err
	}
	if req.Run != "" {
		req.Ref = heads(repo) + req.Run
	}
	if to == "" && !isRange {
		to = req.Ref
	}
	if to == "" {
		to = "HEAD"
	}
	req.Tip, err = a.commitOf(repo, to)
	return req, err
}

// runOf is the run that a range is about: --run, the branch that its end
// names, or where HEAD is. A range may be about none, a run's branch must not.
func (a *app) runOf(repo *git.Repo, to string, isRange bool) (string, error) {
	e := run.New(run.Deps{Git: repo, Config: repo, Env: a.Env})
	named := a.grammar.Run
	for _, prefix := range []string{heads(repo), run.ShortBranch(heads(repo))} {
		if id, ok := strings.CutPrefix(to, prefix); ok && named == "" {
			named = id
		}
	}
	if isRange && named == "" && a.env("GIT_AGENT_RUN") == "" {
		head, err := repo.Head(a.ctx)
		id, ok := strings.CutPrefix(head.Branch, heads(repo))
		if err != nil || !ok || to != "" && to != "HEAD" {
			return "", err
		}
		named = id
	}
	return e.WhichRun(a.ctx, named)
}

func (a *app) commitOf(repo *git.Repo, rev string) (string, error) {
	id, err := repo.Resolve(a.ctx, rev)
	if errors.Is(err, git.ErrMissing) {
		return "", usageOf("%w", err)
	}
	return id, err
}

// verifyMessage is for a commit-msg hook: the message is still as the editor
// left it.
func (a *app) verifyMessage(file string) error {
	raw, err := os.ReadFile(file)
	if err != nil {
		return usageOf("read the message: %w", err)
	}
	repo, err := a.repo()
	if err != nil {
		return err
	}
	text, err := repo.StripComments(a.ctx, aboveScissors(string(raw)))
	if err != nil {
		return err
	}
	head, err := repo.Head(a.ctx)
	if err != nil {
		return err
	}
	id, ok := strings.CutPrefix(head.Branch, heads(repo))
	if !ok {
		id = ""
	}
	faults, repaired := verify.Message(text, id)
	if len(faults) == 0 {
		return nil
	}
	f := &run.Failure{Code: "BAD_EVIDENCE", Exit: run.ExitNo, Err: errors.New("the commit message: " + strings.Join(faults, "; "))}
	f.Hints = []string{"git commit --edit --file " + quoteWord(file) + "   # mend it; what is staged still is"}
	if repaired != "" {
		var lines []string
		for line := range strings.Lines(repaired) {
			lines = append(lines, quoteWord(strings.TrimSuffix(line, "\n")))
		}
		f.Hints = []string{"printf '%s\\n' " + strings.Join(lines, " ") + " | git commit --cleanup=verbatim --file -"}
	}
	return f
}

// aboveScissors drops the diff that `git commit -v` shows, whatever the
// comment character is.
func aboveScissors(message string) string {
	const line = " ------------------------ >8 ------------------------\n"
	at := strings.Index(message, line)
	if at < 0 {
		return message
	}
	return message[:strings.LastIndexByte(message[:at], '\n')+1]
}

func quoteWord(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// unjudged places the errors of verifying in the contract.
func unjudged(err error) error {
	switch {
	case errors.Is(err, verify.ErrTruncated):
		return &run.Failure{Code: "HISTORY_TRUNCATED", Exit: run.ExitUnknown, Err: err, Hints: []string{"git fetch --unshallow"}}
	case errors.Is(err, verify.ErrNoBase):
		return &run.Failure{Code: "NO_RUN", Exit: run.ExitFatal, Err: err, Hints: []string{"git agent verify main..HEAD   # or whatever it started from"}}
	case errors.Is(err, context.DeadlineExceeded):
		return &run.Failure{Code: "UNKNOWN", Exit: run.ExitUnknown, Err: fmt.Errorf("not judged within %v: %w", hookDeadline, err)}
	}
	return err
}

// verified prints a report. Each fault stands beside the command that mends it.
func (a *app) verified(r *verify.Report, quiet bool) error {
	if a.json {
		if err := a.printJSON(r); err != nil && !isBroken(err) {
			return err
		}
	} else if err := a.showVerified(r, quiet); err != nil && !isBroken(err) {
		return err
	}
	if r.OK {
		return nil
	}
	f := &run.Failure{Code: "BAD_EVIDENCE", Exit: run.ExitNo, Err: fmt.Errorf("%s that must not pass; nothing was changed", counted(len(r.Faults), "commit"))}
	for _, fault := range r.Faults {
		if a.json && fault.Repair != "" {
			f.Hints = append(f.Hints, fault.Repair)
		}
	}
	return f
}

func (a *app) showVerified(r *verify.Report, hook bool) error {
	for _, n := range r.Notes {
		if !a.grammar.Quiet {
			a.streams.Note("%s", n)
		}
	}
	for _, f := range r.Faults {
		a.streams.Error(errors.New(faultLine(f)))
		if f.Repair != "" {
			a.streams.Hint("%s", f.Repair)
		}
	}
	if hook {
		return nil
	}
	for _, b := range r.Branches {
		name := git.Short(b.Commit)
		if b.Ref != "" {
			name = run.ShortBranch(b.Ref) + " at " + name
		}
		if err := a.print(ui.Escape(fmt.Sprintf("%s: %s, %s", name, counted(b.Commits, "commit"), counted(b.Certificates, "certificate"))) + "\n"); err != nil {
			return err
		}
	}
	return nil
}

func faultLine(f verify.Fault) string {
	place := "commit " + git.Short(f.Commit)
	if f.Ref != "" {
		place = run.ShortBranch(f.Ref) + " " + place
	}
	if f.Step != "" {
		place += " (" + f.Step + ")"
	}
	return place + ": " + f.Says
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
