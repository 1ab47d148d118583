package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/git-agent/git-agent/internal/ui"
	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/run"
)

// trustFlags are in every command that may run a fetched plan's commands.
type trustFlags struct {
	Trust     bool   `help:"Trust the plan in this clone: its commands may run." xor:"trust"`
	TrustPlan string `help:"Trust the plan if it has this digest, for this command only." placeholder:"SHA256" xor:"trust"`
}

func (f trustFlags) request() run.TrustRequest {
	return run.TrustRequest{Trust: f.Trust, Digest: f.TrustPlan}
}

type checkCmd struct {
	trustFlags
	Step   string  `arg:"" optional:"" help:"The step; else the next one."`
	Repeat fromOne `help:"Run its checks this often, for their pass rate." placeholder:"N"`
	Trace  bool    `help:"Also find out what they read, through strace, and propose the step's reads."`
	JSON   bool    `name:"json" help:"Print one JSON object."`
}

// Help is what the grammar cannot say: that nothing comes of it.
func (c *checkCmd) Help() string {
	return `Runs the checks of a step on what is in the working tree and says how far they can be relied on: how often they pass, with the interval that so few runs leave open, the slowest, whether they are flaky. Nothing is certified, recorded or moved by it.`
}

func (c *checkCmd) Run(a *app) error {
	a.json = c.JSON
	if c.Repeat > 100000 {
		return usageFor("check", "--repeat %d: write a number from 1 to 100000", c.Repeat)
	}
	e, id, err := a.onRun(true, "")
	if err != nil {
		return err
	}
	scratch, drop, err := a.scratch()
	if err != nil {
		return err
	}
	defer drop()
	r, err := e.Check(a.ctx, run.CheckRequest{Run: id, Step: c.Step, Repeat: int(c.Repeat), Trace: c.Trace, Trust: c.request(), Scratch: scratch})
	return a.shown(r != nil, r, err, func() error { return a.showExamination(r) })
}

func usageFor(command, format string, args ...any) error {
	return &run.Failure{Code: "USAGE", Exit: run.ExitUsage, Err: fmt.Errorf(format, args...), Hints: []string{"git agent help " + command}}
}

// scratch is an empty folder outside every repository, and what removes it.
func (a *app) scratch() (dir string, drop func(), err error) {
	if dir, err = os.MkdirTemp(a.env("TMPDIR"), "git-agent-"); err != nil {
		return "", nil, &run.Failure{Code: "ENVIRONMENT", Exit: run.ExitPerson, Err: fmt.Errorf("make a scratch folder: %w; nothing was done", err), Hints: []string{"df ."}}
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	return dir, func() { run.DropScratch(dir) }, nil
}

// shown prints an answer, where there is one, and then what it comes to.
func (a *app) shown(there bool, answer any, err error, text func() error) error {
	if !there {
		return err
	}
	show := text
	if a.json {
		show = func() error { return a.printJSON(answer) }
	}
	if errPrint := show(); errPrint != nil && err == nil && !isBroken(errPrint) {
		return errPrint
	}
	return err
}

func (a *app) showExamination(r *run.CheckExamination) error {
	head := fmt.Sprintf("%s: %s: %d of %s passed, in the %s", r.Step, r.Title, r.Passes, plural(r.Runs, "run", "runs"), r.Where)
	if r.Runs > 1 {
		head += ", " + interval(r.Low, r.High)
	}
	if err := a.print(ui.Escape(head) + "\n"); err != nil {
		return err
	}
	t := ui.NewTable(a.streams)
	for _, c := range r.Checks {
		glyph := ui.Painted(ui.Green, a.streams.Glyph(ui.Check))
		if c.Passes < c.Runs {
			glyph = ui.Painted(ui.Red, a.streams.Glyph(ui.Cross))
		}
		word := c.Outcome
		if c.Flaky {
			word = "flaky, " + c.Outcome
		}
		t.Row(glyph, ui.Plain(fmt.Sprintf("%d/%d", c.Passes, c.Runs)), ui.Plain(word), ui.Plain(took(c)), ui.Plain(c.Command))
	}
	if err := t.Flush(); err != nil || r.Trace == nil {
		return err
	}
	return a.showTrace(r.Trace)
}

// interval is what so few runs leave open.
func interval(low, high float64) string {
	return fmt.Sprintf("a pass rate of %s to %s %% (95 %% confidence)", percent(low), percent(high))
}

func percent(x float64) string { return strconv.FormatFloat(100*x, 'f', 0, 64) }

func took(c run.CheckTally) string {
	if c.Runs == 1 {
		return fmt.Sprintf("%.1fs", c.Slowest)
	}
	return fmt.Sprintf("median %.1fs, slowest %.1fs", c.Median, c.Slowest)
}

// showTrace says what matters for the plan; --json has all of it.
func (a *app) showTrace(r *run.TraceReport) error {
	var b strings.Builder
	fmt.Fprintf(&b, "\nread: %s of the tree, %s, %s of the system\n", plural(len(r.Reads), "file", "files"),
		plural(len(r.Lists), "folder's names", "folders' names"), plural(r.System, "file", "files"))
	if len(r.Propose) > 0 {
		fmt.Fprintf(&b, "not declared, add to the step:\n    reads: %s\n", plan.FlowList(r.Propose))
	} else {
		b.WriteString("the step declares all of it\n")
	}
	if len(r.Unused) > 0 {
		fmt.Fprintf(&b, "declared and not read: %s\n", strings.Join(r.Unused, ", "))
	}
	if len(r.Untracked) > 0 {
		fmt.Fprintf(&b, "inside, but not kept by git, so no clone has it: %s\n", strings.Join(r.Untracked, ", "))
	}
	if r.Git {
		b.WriteString("git's own state: history, refs or index differ between clones of one tree\n")
	}
	for _, o := range r.Outside {
		fmt.Fprintf(&b, "outside the repository: %s (%s)\n", o.Path, plural(o.Files, "file", "files"))
	}
	if len(r.Network) > 0 {
		fmt.Fprintf(&b, "network: %s\n", strings.Join(r.Network, ", "))
	}
	fmt.Fprintf(&b, "programs: %s\n", strings.Join(r.Programs, ", "))
	return a.print(ui.EscapeText(b.String()))
}
