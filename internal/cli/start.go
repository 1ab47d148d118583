package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/git-agent/git-agent/internal/git"
	"github.com/git-agent/git-agent/pkg/run"
)

type startCmd struct {
	remoteFlag
	Plan     string `arg:"" help:"The plan, a YAML or JSON file; - for standard input." type:"path"`
	Base     string `help:"Where the run starts; else the plan's base, else HEAD." placeholder:"REV"`
	Worktree string `help:"Start in a new clone in this folder; this working tree stays as it is." placeholder:"DIR"`
	NoPush   bool   `help:"Push nothing, now and from now on in this clone, until git agent resume --push."`
	JSON     bool   `name:"json" help:"Print one JSON object."`
}

func (c *startCmd) Run(a *app) error {
	a.remote = c.Remote
	a.json = c.JSON
	text, err := a.readFile(c.Plan)
	if err != nil {
		return err
	}
	req := run.StartRequest{File: c.Plan, Text: text, Run: a.grammar.Run, Base: c.Base, NoPush: c.NoPush}
	if c.Worktree != "" {
		if req.Beside, err = filepath.Abs(c.Worktree); err != nil {
			return err
		}
		if err := a.cloneBeside(&req); err != nil {
			return err
		}
	}
	e, err := a.engine(true)
	if err != nil {
		return err
	}
	r, err := e.Start(a.ctx, req)
	return a.reported(r, err, func() error { return a.started(r, c.Worktree) })
}

// cloneBeside makes a plain clone, where it is not there yet, and goes there.
// One that is there is only taken where it was made for this very run. It is in
// the repository here, where there is one, that the base has its name.
func (a *app) cloneBeside(req *run.StartRequest) error {
	dir := req.Beside
	id, err := req.ID()
	if err != nil {
		return err
	}
	repo, errHere := a.repo()
	if errHere == nil {
		req.From = repo
	}
	if vacant(dir) {
		if errHere != nil {
			return errHere
		}
		if err := run.CloneBeside(a.ctx, repo, a.remote, dir, id); err != nil {
			return err
		}
	}
	a.dir = dir
	return a.madeFor(*req, id)
}

// vacant: a clone can be made there, as git clone makes one in an empty folder too.
func vacant(dir string) bool {
	if _, err := os.Stat(dir); err != nil {
		return true
	}
	entries, err := os.ReadDir(dir)
	return err == nil && len(entries) == 0
}

// madeFor refuses a folder that was there and is no clone for this run. One that
// is no working tree of its own is none: git would answer for the repository around it.
func (a *app) madeFor(req run.StartRequest, id string) error {
	what := "is there and is no clone"
	repo, err := a.repo()
	switch {
	case err == nil && isTop(req.Beside, repo):
		if run.MadeFor(repo, id) {
			return nil
		}
		what = fmt.Sprintf("is a clone that was not made for run %q", id)
	case err != nil && !errors.Is(err, git.ErrNotARepository):
		return err
	}
	f := &run.Failure{Code: "NOT_EMPTY", Exit: run.ExitUsage, Err: fmt.Errorf("folder %q %s; nothing was started", req.Beside, what)}
	req.Beside += "-" + id
	f.Hints = []string{req.Again(id)}
	return f
}

func isTop(dir string, repo *git.Repo) bool {
	real, err := filepath.EvalSymlinks(dir)
	return err == nil && real == repo.Top
}

func (a *app) started(r *run.Report, worktree string) error {
	if worktree != "" {
		a.streams.Note("the run is in %s", worktree)
	}
	if err := a.showReport(r); err != nil {
		return err
	}
	return a.showNext(r)
}

// readFile reads a file, or standard input for "-".
func (a *app) readFile(name string) ([]byte, error) {
	var text []byte
	var err error
	if name == "-" {
		text, err = io.ReadAll(a.In)
	} else {
		text, err = os.ReadFile(name)
	}
	if err != nil {
		return nil, &run.Failure{Code: "USAGE", Exit: run.ExitUsage, Err: err, Hints: []string{"git agent plan new   # prints one to begin with"}}
	}
	return text, nil
}
