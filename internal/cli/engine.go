package cli

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/git-agent/git-agent/internal/durable"
	"github.com/git-agent/git-agent/internal/git"
	"github.com/git-agent/git-agent/internal/ui"
	"github.com/git-agent/git-agent/pkg/check"
	"github.com/git-agent/git-agent/pkg/run"
	"github.com/git-agent/git-agent/pkg/settings"
)

// The engine reaches git through the interface that pkg/run declares.
var _ run.Git = (*git.Repo)(nil)

// engine is openEngine where every setting that counts is a value of its kind.
// What a reader shows is worse for one only: it would find no run.
func (a *app) engine(writes bool) (*run.Engine, error) {
	e, err := a.openEngine(writes)
	if err != nil {
		return nil, err
	}
	if writes {
		return e, run.CheckSettings(a.ctx, e.Config)
	}
	return e, run.CheckSettings(a.ctx, e.Config, "agent.branchPrefix")
}

// openEngine opens the repository that contains the current folder. Readers get
// folders that are never created: looking leaves no trace.
func (a *app) openEngine(writes bool) (*run.Engine, error) {
	tooOld := make(chan error, 1)
	if writes {
		go func() { tooOld <- git.CheckInstalled(a.ctx, a.Env) }() // while the repository is looked for
	}
	repo, err := a.repo()
	if err != nil {
		return nil, err
	}
	if writes {
		if err := <-tooOld; err != nil {
			return nil, err
		}
	}
	state, err := openFolder(filepath.Join(repo.CommonDir, "agent"), writes)
	if err != nil {
		return nil, err
	}
	tree, err := openFolder(filepath.Join(repo.GitDir, "agent"), writes)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return run.New(run.Deps{
		Git: repo, Config: repo,
		Place: run.Place{Top: repo.Top, GitDir: repo.GitDir, CommonDir: repo.CommonDir, Inside: repo.Inside, Outside: repo.WorkTree},
		State: state, Tree: tree, User: &lateFolder{where: a.userState},
		Runner: check.Runner{Supervisor: []string{self, supervise}, Successor: []string{self, keepJob}, Grace: settings.Duration(repo, "agent.grace", 0), Now: a.now},
		Env:    a.Env, LocalEnv: git.LocalEnvVars, Now: a.now,
		Live: a.live(), Notify: a.notify, Tell: a.streams.Note, Remote: a.remote, Host: hostName(), HoldTerminal: a.keys.hold, Fault: a.Fault,
	}), nil
}

// outside refuses what is for persons only from inside a job or a check.
func (a *app) outside() error {
	e, err := a.openEngine(false)
	if errors.Is(err, git.ErrNotARepository) {
		return nil
	}
	if err != nil {
		return err
	}
	return e.Outside()
}

// onRun opens the engine for the run that an argument or --run names, else the
// one around here.
func (a *app) onRun(writes bool, arg string) (*run.Engine, string, error) {
	e, err := a.engine(writes)
	if err != nil {
		return nil, "", err
	}
	if arg == "" {
		arg = a.grammar.Run
	}
	id, err := e.WhichRun(a.ctx, arg)
	return e, id, err
}

func (a *app) repo() (*git.Repo, error) {
	if err := a.traceable(); err != nil {
		return nil, err
	}
	dir, err := a.here()
	if err != nil {
		return nil, err
	}
	repo, err := git.Open(a.ctx, git.Options{Dir: dir, Env: a.Env, Log: a.logger(), Now: a.now})
	if err != nil {
		return nil, err
	}
	a.paintAs(repo)
	return repo, nil
}

func (a *app) notify(format string, args ...any) {
	if !a.json && !a.grammar.Quiet {
		a.streams.Note(format, args...)
	}
}

// paint applies --color; paintAs what the repository's configuration says.
func (a *app) paint() {
	switch a.color {
	case "always":
		a.streams.Color, a.streams.ErrColor = true, true
	case "never":
		a.streams.Color, a.streams.ErrColor = false, false
	}
}

func (a *app) paintAs(repo *git.Repo) {
	a.config = repo
	config, ok := repo.Config("color.agent")
	if !ok {
		config, _ = repo.Config("color.ui")
	}
	a.streams = ui.Detect(a.In, a.Out, a.Err, a.env, config)
	a.paint()
}

// folder joins durable.Dir to what the engine declares.
type folder struct{ *durable.Dir }

func (f folder) Lock(name string, holder func([]byte) any) (run.Lock, error) {
	l, err := f.LockAfter(name, holder)
	var busy *durable.BusyError
	if errors.As(err, &busy) {
		return nil, &run.BusyError{Path: busy.Path, Holder: busy.Holder, Since: busy.Since}
	}
	if err != nil {
		return nil, err
	}
	return l, nil
}

// hostName is for people who wait for a lease; nothing is decided by it.
func hostName() string {
	name, err := os.Hostname()
	if err != nil {
		return ""
	}
	return name
}
