package job

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"

	"github.com/git-agent/git-agent/pkg/check"
	"github.com/git-agent/git-agent/pkg/journal"
)

// OpenLog opens the job's log for writing, whatever its last writer died of.
// The caller holds the fence and is the attempt's owner.
func (a *Attempt) OpenLog(now func() time.Time) (*journal.Writer, error) {
	here := Local(a)
	defer Release(here)
	return a.OpenCopy(context.Background(), here, now)
}

// OpenCopy is OpenLog for a log that is drained from a client.
func (a *Attempt) OpenCopy(ctx context.Context, from Client, now func() time.Time) (*journal.Writer, error) {
	root, err := a.root()
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	owner, err := json.Marshal(a.Owner)
	if err != nil {
		return nil, err
	}
	return journal.Open(journal.OpenRequest{Folder: journal.RootFolder(root, "."), Name: LogName, Identity: a.Identity(), Owner: owner, Now: now,
		Stdout: once{ctx, from, journal.Stdout}, Stderr: once{ctx, from, journal.Stderr}})
}

// once reads a stream once more, for a recovery.
type once struct {
	ctx    context.Context
	from   Client
	stream journal.Stream
}

// ReadAt ends with [io.EOF] too where somebody cut the stream short before off.
func (o once) ReadAt(p []byte, off int64) (n int, err error) {
	for n < len(p) {
		b, err := o.from.Chunk(o.ctx, o.stream, off+int64(n))
		var short *journal.OffsetError
		switch {
		case errors.As(err, &short) || err == nil && len(b) == 0:
			return n, io.EOF
		case err != nil:
			return n, err
		}
		n += copy(p[n:], b)
	}
	return n, nil
}

// Start starts the job under a supervisor that outlives the caller. The
// supervisor is written down before the job can begin: who finds none knows
// that there never was a job, and will not be.
func (a *Attempt) Start(r check.Runner, c check.Command) (*check.Kept, error) {
	root, err := a.root()
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	var files [3]*os.File
	for i, name := range []string{stdoutFile, stderrFile, statusFile} {
		if files[i], err = root.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o600); err != nil {
			return nil, fmt.Errorf("make the native files of attempt %q: %w", a.name, err)
		}
		defer func() { _ = files[i].Close() }()
	}
	if err := syncRoot(root); err != nil {
		return nil, err
	}
	kept, err := r.Keep(c, check.Files{Stdout: files[0], Stderr: files[1], Status: files[2]})
	if err != nil {
		return nil, err
	}
	a.Supervisor, a.Nonce, a.Argv, a.Line, a.Dir = &kept.Supervisor, kept.Nonce, c.Argv, c.Run, Text(c.Dir)
	if err := a.save(); err != nil {
		return nil, errors.Join(err, kept.Abandon())
	}
	return kept, kept.Begin()
}

// Tell writes down that the job is to end, and asks its supervisor for it.
// The caller holds the fence.
func (a *Attempt) Tell() error {
	if err := a.reload(); err != nil {
		return err
	}
	a.Told = true
	if err := a.save(); err != nil || a.Supervisor == nil {
		return err
	}
	return a.Supervisor.Stop()
}

// TellUnlogged is Tell for a job whose log cannot be written any more.
func (a *Attempt) TellUnlogged(why error) error {
	if err := a.reload(); err != nil {
		return err
	}
	if !errors.As(why, &a.Unlogged) {
		a.Unlogged = syscall.EIO
	}
	return errors.Join(a.save(), a.Tell())
}

// Disown writes down a person's word that nothing of the job runs any more.
func (a *Attempt) Disown() error {
	if err := a.reload(); err != nil {
		return err
	}
	a.Disowned = true
	return a.save()
}

// Clean removes the native files of a job whose log is complete; of any other
// it keeps them. The caller holds the fence.
func (a *Attempt) Clean() error {
	root, err := a.root()
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	if c, err := completion(root); err != nil || c == nil {
		return err
	}
	return errors.Join(ignore(root.Remove(stderrFile), fs.ErrNotExist), ignore(root.Remove(stdoutFile), fs.ErrNotExist))
}

// readSmall reads a regular file: a planted pipe would wait for its other end.
func readSmall(root *os.Root, name string) ([]byte, error) {
	info, err := root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%w: %q is not a regular file (%s)", ErrReport, name, info.Mode().Type())
	}
	return root.ReadFile(name)
}

func syncRoot(root *os.Root) error {
	f, err := root.Open(".")
	if err != nil {
		return err
	}
	err = f.Sync()
	if isNoSync(err) {
		err = nil
	}
	return errors.Join(err, f.Close())
}

func ignore(err, kind error) error {
	if errors.Is(err, kind) {
		return nil
	}
	return err
}
