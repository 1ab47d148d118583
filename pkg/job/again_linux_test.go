package job

import (
	"errors"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-agent/git-agent/pkg/check"
	"github.com/git-agent/git-agent/pkg/journal"
)

// fullDisk takes what is announced, and not the bytes.
type fullDisk struct{ journal.Folder }

func (d fullDisk) Append(name string) (journal.File, error) {
	f, err := d.Folder.Append(name)
	if err == nil && name == LogName+".log" {
		f = fullFile{f}
	}
	return f, err
}

type fullFile struct{ journal.File }

func (fullFile) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// announced is an attempt whose job is over, and whose log was announced "said"
// and did not get it.
func announced(t *testing.T) *Attempt {
	t.Helper()
	p, _ := newPlace(t)
	a := newAttempt(t, p, 1)
	<-beginCommand(t, a, check.Command{Run: "echo said"}).Ended()
	w, err := journal.Open(journal.OpenRequest{Folder: fullDisk{logsOf(t, a)}, Name: LogName, Identity: a.Identity(), Now: time.Now})
	must(t, err)
	must(t, w.Append(journal.Stdout, 0, []byte("said\n")))
	if err := w.Flush(); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("the disk is not full: %v", err)
	}
	_ = w.Close()
	return a
}

// What a log was announced and did not get is read once more from whoever it is
// drained from: a copy of another machine's has no native files here.
func TestOpenCopy_announced(t *testing.T) {
	a, from := announced(t), &scripted{stdout: []byte("said\n")}
	root, err := a.root()
	must(t, err)
	must(t, errors.Join(root.Remove(stdoutFile), root.Close()))
	w, err := a.OpenCopy(t.Context(), from, time.Now)
	must(t, err)
	if got := w.Next(journal.Stdout); got != 5 {
		t.Errorf("it goes on at %d", got)
	}
	must(t, w.Close())
}

// Where it is nowhere any more, the log cannot go on: it says so, and is left.
func TestOpenLog_announcedAndGone(t *testing.T) {
	for what, change := range map[string]func(a *Attempt) error{
		"deleted": func(a *Attempt) error {
			root, err := a.root()
			return errors.Join(err, root.Remove(stdoutFile), root.Close())
		},
		"emptied": func(a *Attempt) error {
			root, err := a.root()
			return errors.Join(err, root.WriteFile(stdoutFile, nil, 0o600), root.Close())
		},
	} {
		a := announced(t)
		must(t, change(a))
		_, err := a.OpenLog(time.Now)
		var damaged *journal.DamagedError
		if !errors.As(err, &damaged) || !strings.Contains(err.Error(), "nowhere any more") {
			t.Errorf("%s: %v", what, err)
		}
	}
}
