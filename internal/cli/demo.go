package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/git-agent/git-agent/internal/demo"
	"github.com/git-agent/git-agent/internal/ui"
	"github.com/git-agent/git-agent/pkg/run"
)

type demoCmd struct {
	Keep bool   `help:"Leave the scratch folder, to look around in."`
	Dir  string `help:"Play it in this folder, which must be absent or empty, and leave it there." placeholder:"DIR" type:"path"`
}

func (c *demoCmd) Run(a *app) error {
	if runtime.GOOS == "windows" {
		return &run.Failure{Code: "UNSUPPORTED", Exit: run.ExitFatal, Err: errors.New("checks do not run on Windows: use WSL"), Hints: []string{"wsl git agent demo"}}
	}
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	dir, err := c.folder()
	if err != nil {
		return err
	}
	keep := c.Keep || c.Dir != ""
	err = demo.Run(a.ctx, demo.Options{Exe: exe, Dir: dir, Copy: keep, Env: a.env, Out: a.streams.Out,
		Narrate: func(s string) string { return a.streams.Paint(ui.Cyan, s) },
		Command: func(s string) string { return a.streams.Paint(ui.Bold, s) }})
	switch {
	case a.ctx.Err() != nil:
		err = errors.Join(errors.New("the demo was interrupted"), discard(dir, keep))
		return &run.Failure{Code: "INTERRUPTED", Exit: run.ExitInterrupted, Err: err, Hints: []string{"git agent demo"}}
	case err != nil:
		return &run.Failure{Code: "DEMO", Exit: run.ExitNo, Err: fmt.Errorf("%w; everything is left in %s", err, dir), Hints: []string{"rm -rf " + dir}}
	}
	a.streams.Note("%s", ending(dir, keep))
	return discard(dir, keep)
}

// folder is where the demo plays: nothing of anybody's may be in it.
func (c *demoCmd) folder() (string, error) {
	if c.Dir == "" {
		return os.MkdirTemp("", "git-agent-demo-")
	}
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		return "", err
	}
	if err := needFolder("demo", dir); err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", unwritten(dir, err)
	}
	found, err := os.ReadDir(dir)
	if err == nil && len(found) > 0 {
		err = &run.Failure{Code: "NOT_EMPTY", Exit: run.ExitUsage, Err: fmt.Errorf("folder %q is not empty; nothing was touched", c.Dir), Hints: []string{"git agent demo --keep"}}
	}
	return dir, err
}

func ending(dir string, keep bool) string {
	if keep {
		return "everything is left in " + dir
	}
	return "done; the scratch folder is removed (--keep leaves it)"
}

func discard(dir string, keep bool) error {
	if keep {
		return nil
	}
	return os.RemoveAll(dir)
}
