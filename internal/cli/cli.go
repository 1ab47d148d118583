// Package cli is the command line of git agent: the kong grammar, one file per
// command, and how answers look. A command turns flags into a request, calls
// the engine in pkg/run, and prints. It holds no logic that another front
// would need again.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/alecthomas/kong"

	"github.com/git-agent/git-agent/internal/ui"
	"github.com/git-agent/git-agent/pkg/check"
	"github.com/git-agent/git-agent/pkg/run"
)

// World is what a process gets from outside.
type World struct {
	Args         []string
	Env          []string
	In, Out, Err *os.File
	// Exit ends the process at once: a second interrupt.
	Exit func(code int)
	// Fault is called at the named points of the design's tables; tests die there.
	Fault func(point string)
	// Now is the clock; nil: the machine's.
	Now func() time.Time
}

const supervise = "__supervise"

// grammar is the whole command line; groups follow the design, section 13.
type grammar struct {
	Run   string `help:"The run; else GIT_AGENT_RUN, the run whose branch HEAD is on, or the only run there is." placeholder:"ID"`
	Quiet bool   `short:"q" help:"Say nothing on standard error but errors."`
	Color string `help:"When to use colour: auto, always or never." enum:"auto,always,never" default:"auto"`
	Pager bool   `help:"Page long output as git does." negatable:"" default:"true"`

	Plan planCmd `cmd:"" group:"the plan" help:"Write, check, show and change plans."`

	Start  startCmd  `cmd:"" group:"doing" help:"Begin a run from a plan."`
	Step   stepCmd   `cmd:"" group:"doing" help:"Do the next step, or certify what is in the working tree."`
	Loop   runCmd    `cmd:"" name:"run" group:"doing" help:"Do one step after the other with nobody watching."`
	Resume resumeCmd `cmd:"" group:"doing" help:"Find out what is true, here or in a fresh clone, and what is next."`
	Say    sayCmd    `cmd:"" group:"doing" help:"Try a step again, with a word to whoever does it."`
	Cancel cancelCmd `cmd:"" group:"doing" help:"Stop whoever works on a run, here or in another clone."`

	Status statusCmd `cmd:"" group:"seeing" help:"Which steps are certified; runs no check."`
	Brief  briefCmd  `cmd:"" group:"seeing" help:"What the one doing the next step needs to know, as Markdown."`
	Log    logCmd    `cmd:"" group:"seeing" help:"The certificates, oldest first."`
	Logs   logsCmd   `cmd:"" group:"seeing" help:"What an attempt's job, or a check, printed."`
	Rev    revCmd    `cmd:"" group:"seeing" help:"The commit that certifies a step."`
	Runs   runsCmd   `cmd:"" group:"seeing" help:"The runs here, and with --remote those elsewhere."`
	Report reportCmd `cmd:"" group:"seeing" help:"Everything about a run on one page, for whoever reviews it."`

	Verify verifyCmd `cmd:"" group:"judging" help:"Whether the evidence on a branch is well-formed, for hooks and CI; runs no check."`
	Check  checkCmd  `cmd:"" group:"judging" help:"How far a step's checks can be relied on: pass rate, flakiness, what they read."`
	Audit  auditCmd  `cmd:"" group:"judging" help:"Run every certificate's checks again, in a throw-away clone."`

	Rollback rollbackCmd `cmd:"" group:"undoing" help:"Preserve what a step left behind, and take it back."`
	Stash    stashCmd    `cmd:"" group:"undoing" help:"Look at preserved work, bring it back, or let go of it."`

	Preflight preflightCmd `cmd:"" group:"landing" help:"Whether the work is still to be done: of a run, a step or an item."`
	Land      landCmd      `cmd:"" group:"landing" help:"Verify a run's steps and integrate them into the target, once."`
	Marker    markerCmd    `cmd:"" group:"landing" help:"Write or read the line that says that something landed."`
	Message   messageCmd   `cmd:"" group:"landing" help:"The message for a squash that keeps every step's evidence."`

	Hooks   hooksCmd   `cmd:"" group:"living with it" help:"Have git ask git agent before a push: install, uninstall, status."`
	Hook    hookCmd    `cmd:"" group:"living with it" help:"What an agent's own hooks call."`
	Setup   setupCmd   `cmd:"" group:"living with it" help:"Put git agent into a coding agent's settings, or take it out again."`
	MCP     mcpCmd     `cmd:"" name:"mcp" group:"living with it" help:"Serve the Model Context Protocol on standard input and output, for clients without a shell."`
	Doctor  doctorCmd  `cmd:"" group:"living with it" help:"What is wrong here, and the command that mends it."`
	Trust   trustCmd   `cmd:"" group:"living with it" help:"Say that the plan of a run may execute its commands."`
	Demo    demoCmd    `cmd:"" group:"living with it" help:"See it work in a scratch folder: a run is killed and resumed elsewhere."`
	Version versionCmd `cmd:"" group:"living with it" help:"Which git agent this is."`
	Help    helpCmd    `cmd:"" group:"living with it" help:"Help for a command."`

	Completion  completionCmd  `cmd:"" group:"living with it" help:"Print what makes a shell complete git agent."`
	InstallDocs installDocsCmd `cmd:"" group:"living with it" help:"Write the manual pages and the completions to where they are looked for."`
}

// remoteFlag is in every command that follows or pushes a run.
type remoteFlag struct {
	Remote string `help:"The remote to follow and push to; else agent.remote, remote.pushDefault, origin or the only one." placeholder:"NAME"`
}

// app is what every command works with.
type app struct {
	World
	grammar *grammar
	parser  *kong.Kong
	ctx     context.Context
	keys    *interrupts
	streams ui.Streams
	trace   *tracing
	json    bool // this command reports as JSON
	color   string
	verb    string   // the command's name
	command []string // what stands behind `--`
	dir     string   // where to work; "": the current folder
	remote  string   // --remote of the commands that have it
	config  config   // git's, once a repository is open
}

// Main runs one command line and answers its exit status.
func Main(w World) int {
	if len(w.Args) > 0 && w.Args[0] == supervise {
		return check.Supervise(w.Args[1:], w.Env, w.Err)
	}
	keys := &interrupts{}
	ctx, stop := keys.context(w.Exit)
	defer stop()
	a := &app{World: w, ctx: ctx, keys: keys, grammar: &grammar{}, trace: &tracing{}}
	if isComplete(w.Args) {
		return a.completeWords(w.Args[1:])
	}
	if i := slices.Index(w.Args, "--"); i >= 0 {
		a.Args, a.command = w.Args[:i], w.Args[i+1:]
	}
	a.streams = ui.Detect(w.In, w.Out, w.Err, a.env, "")
	if len(w.Args) > 0 && w.Args[0] == keepJob {
		return a.failed(a.succeed(w.Args[1:]))
	}
	if isFarJob(w.Args) {
		return a.failed(a.answerJob(w.Args[1:]))
	}
	return a.parseAndRun()
}

// stopped is what kong's exit (after --help) unwinds with.
type stopped struct{ code int }

func (a *app) parserOf(grammar any) (*kong.Kong, error) {
	return kong.New(grammar,
		kong.Name("git agent"),
		kong.Description("Runs a plan of steps and certifies each one by commands that git agent itself saw pass. Progress lives in commits, so any clone can go on."),
		kong.UsageOnError(),
		kong.Writers(a.streams.Out, a.streams.Err),
		kong.Exit(func(code int) { panic(stopped{code}) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.Bind(a),
	)
}

func (a *app) parseAndRun() (code int) {
	defer func() {
		if r := recover(); r != nil {
			s, ok := r.(stopped)
			if !ok {
				panic(r)
			}
			code = s.code
		}
	}()
	if err := noEmptyWord(a.Args); err != nil {
		return a.usage(err)
	}
	k, err := a.parse()
	if err != nil {
		return a.usage(err)
	}
	if len(a.command) > 0 && k.Selected().Name != "step" {
		return a.usage(fmt.Errorf("only step takes a command behind --, not %s", k.Selected().Name))
	}
	a.color, a.verb = a.grammar.Color, k.Selected().Name
	a.paint()
	return a.failed(k.Run(a))
}

// wantHelp: bare `git agent` shows what there is.
func wantHelp(args []string) []string {
	if len(args) == 0 {
		return []string{"--help"}
	}
	return args
}

func (a *app) usage(err error) int {
	a.json = wantsJSON(a.Args)
	return a.failed(&run.Failure{Code: "USAGE", Exit: run.ExitUsage, Err: err, Hints: []string{helpFor(err)}})
}

// helpFor is the page about the command that the words got as far as.
func helpFor(err error) string {
	var wrong *kong.ParseError
	if errors.As(err, &wrong) && wrong.Context != nil {
		node := wrong.Context.Selected()
		if node != nil && node.Parent.DefaultCmd == node { // `trust` by itself is `trust grant`
			node = node.Parent
		}
		if node != nil {
			return "git agent help " + node.Path()
		}
	}
	return "git agent help"
}

func wantsJSON(args []string) bool {
	return slices.Contains(args, "--json")
}

func (a *app) env(name string) string {
	value := ""
	for _, kv := range a.Env {
		if len(kv) > len(name) && kv[len(name)] == '=' && kv[:len(name)] == name {
			value = kv[len(name)+1:]
		}
	}
	return value
}

func (a *app) now() time.Time {
	if a.Now != nil {
		return a.Now()
	}
	return time.Now()
}

// live is where jobs' and checks' output goes as it comes.
func (a *app) live() io.Writer {
	if a.json || a.grammar.Quiet {
		return nil
	}
	if a.streams.ErrTTY {
		return &escaped{to: a.streams.Err}
	}
	return a.streams.Err
}

// isBroken: whoever read our output is gone. That is nobody's failure.
func isBroken(err error) bool { return errors.Is(err, errPipe) }
