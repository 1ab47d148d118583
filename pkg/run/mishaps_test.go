package run

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// stateAt is a folder of which only the place is asked.
type stateAt struct {
	Folder
	dir string
}

func (s stateAt) Path(name string) string { return filepath.Join(s.dir, name) }

func TestEngine_orDiskFull_namesTheLog(t *testing.T) {
	e := &Engine{Deps: Deps{State: stateAt{dir: t.TempDir()}}}
	for name, size := range map[string]int64{"s01-1-aa/stdout": 10, "s01-2-bb/stdout": 3 << 20, "s02-1-cc/job.log": 1 << 20} {
		path := e.State.Path("r/logs/" + name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, nil, 0o600), os.Truncate(path, size)); err != nil {
			t.Fatal(err)
		}
	}
	full := &fs.PathError{Op: "write", Path: "attempt.json", Err: syscall.ENOSPC}
	err := e.orDiskFull("r", full)
	hints := strings.Join(HintsOf(err), "\n")
	if CodeOf(err) != "ENVIRONMENT" || ExitOf(err) != ExitPerson || !strings.Contains(err.Error(), "the disk is full: write attempt.json") ||
		!strings.Contains(hints, "rm -r "+e.State.Path("r/logs/s01-2-bb")+"   # 3 MiB") || !strings.Contains(hints, "git agent resume r") {
		t.Errorf("%v, %s, hints\n%s", err, CodeOf(err), hints)
	}
	for _, other := range []error{nil, errors.New("no room at the inn"), failf("NOT_PUSHED", ExitNotPushed, "%w", full)} {
		if got := e.orDiskFull("r", other); !errors.Is(got, other) || CodeOf(got) == "ENVIRONMENT" {
			t.Errorf("%v became %v", other, got)
		}
	}
}
