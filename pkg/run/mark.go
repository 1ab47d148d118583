package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/git-agent/git-agent/pkg/check"
)

// besideFolder holds a file for each command of this clone that runs something
// without the locks: a check that is judged, an audit. It is no run's: no run's
// id begins so, and what is left running is in everybody's way.
const besideFolder = ".beside"

// supervise runs what may not outlive this command, whatever becomes of it and
// of the supervisor: it carries the command's mark, by which the next command
// finds it.
func (e *Engine) supervise(ctx context.Context, c check.Command, live io.Writer) (check.Result, error) {
	if e.mark == "" {
		done, err := e.announce(ctx, "")
		if err != nil {
			return check.Result{}, err
		}
		defer done()
	}
	c.Env = append(slices.Clone(c.Env), check.CommandVariable+"="+e.mark)
	return e.Runner.Run(ctx, c, live)
}

// announce gives a command a mark that takes no lock to have one written into,
// and ends what dead ones left. Where nothing can be written it goes without
// being found: reading a run needs no writing.
func (e *Engine) announce(ctx context.Context, verb string) (done func(), err error) {
	if err := e.endDead(ctx, nil); err != nil {
		return nil, err
	}
	owner, err := check.Self()
	if err != nil {
		return nil, fmt.Errorf("identify this process: %w", err)
	}
	mark, err := randomID()
	if err != nil {
		return nil, err
	}
	_ = writeJSON(e.State, besideFolder+"/"+mark, holder{Owner: owner, Verb: verb, Started: e.Now(), Mark: mark})
	e.mark = mark
	return func() {
		e.mark = ""
		_ = e.State.Remove(besideFolder + "/" + mark)
	}, nil
}

// endDead ends what dead commands, and their dead supervisors, left running:
// checks, setups, fingerprints. marks are those of dead holders of our locks.
func (e *Engine) endDead(ctx context.Context, marks []string) error {
	for _, mark := range marks {
		if err := e.endMarked(ctx, mark); err != nil {
			return err
		}
	}
	names, err := e.State.List(besideFolder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, name := range names {
		var h holder
		if err := readJSON(e.State, besideFolder+"/"+name, &h); err != nil {
			return err
		}
		if h.Mark == "" || !h.Owner.Gone() {
			continue
		}
		if err := e.endMarked(ctx, h.Mark); err != nil {
			return err
		}
		_ = e.State.Remove(besideFolder + "/" + name) // else the next one finds nothing
	}
	return nil
}

func (e *Engine) endMarked(ctx context.Context, mark string) error {
	if err := check.EndCommand(ctx, mark, e.Runner.Grace); err != nil {
		return fail("JOB_ALIVE", ExitBusy, fmt.Errorf("a check of a killed command still runs: %w", err), "git agent resume")
	}
	return nil
}
