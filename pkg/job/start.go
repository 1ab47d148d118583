package job

import (
	"encoding/json"
	"errors"
	"fmt"
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
	root, err := a.root()
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	owner, err := json.Marshal(a.Owner)
	if err != nil {
		return nil, err
	}
	req := journal.OpenRequest{Folder: journal.RootFolder(root, "."), Name: LogName, Identity: a.Identity(), Owner: owner, Now: now}
	natives, err := openNatives(root)
	defer closeAll(natives)
	if err != nil {
		return nil, err
	}
	// A nil file in an interface is not a nil interface.
	if f := natives[stdoutFile]; f != nil {
		req.Stdout = f
	}
	if f := natives[stderrFile]; f != nil {
		req.Stderr = f
	}
	return journal.Open(req)
}

// openNatives opens the native files that are there, for a recovery.
func openNatives(root *os.Root) (map[string]*os.File, error) {
	natives := map[string]*os.File{}
	for _, name := range []string{stdoutFile, stderrFile} {
		f, err := root.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return natives, err
		}
		natives[name] = f
	}
	return natives, nil
}

func closeAll(files map[string]*os.File) {
	for _, f := range files {
		_ = f.Close() // read only
	}
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
	a.Supervisor, a.Nonce, a.Argv, a.Line, a.Dir = &kept.Supervisor, kept.Nonce, c.Argv, c.Run, c.Dir
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
		return nil, fmt.Errorf("%q is not a regular file (%s)", name, info.Mode().Type())
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
