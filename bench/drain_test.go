package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/git-agent/git-agent/internal/durable"
	"github.com/git-agent/git-agent/pkg/check"
	"github.com/git-agent/git-agent/pkg/job"
)

// output is how much a job writes; the design bounds memory whatever it is.
func output() int { return fullOr(256<<20, 1<<20) }

// drain moves what a job wrote, and is over, into its log: the drain of pkg/job
// in a process of its own. The floor copies the same bytes in pieces of the
// same size and syncs as often.
func drain(where string) func(t *testing.T) measured {
	return func(t *testing.T) measured {
		d := newDraining(t, where)
		take(t, d.ours(t), 0) // says how many syncs the floor owes
		floor := act{run: func(int) []*exec.Cmd {
			return []*exec.Cmd{itself("__cat", d.source, filepath.Join(d.dir, "copy"), fmt.Sprint(d.answer(t).Syncs))}
		}}
		m := versus(t, turns(5), floor, d.ours(t))
		a := d.answer(t)
		inLittle(t, "the drain", a.Peak)
		return m.told("%d MiB, %.0f MiB/s, %d syncs, %d MiB resident at most", output()>>20, float64(output()>>20)/m.ours.wall.Seconds(), a.Syncs, a.Peak>>10)
	}
}

// draining is a place for attempts, and what their jobs write.
type draining struct {
	dir, source, attempt string
	said                 *bytes.Buffer
}

func newDraining(t *testing.T, where string) *draining {
	t.Helper()
	dir, err := os.MkdirTemp(where, "drain")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	d := &draining{dir: dir, source: filepath.Join(dir, "source"), said: &bytes.Buffer{}}
	if out, err := exec.Command("sh", "-c", writes(output())+" >"+d.source).CombinedOutput(); err != nil {
		t.Fatalf("write %s: %v\n%s", d.source, err, out)
	}
	return d
}

// ours drains a new attempt each turn, and forgets the last one.
func (d *draining) ours(t *testing.T) act {
	agent := filepath.Join(d.dir, "agent")
	return act{
		before: func(turn int) {
			if err := os.RemoveAll(agent); err != nil {
				t.Fatal(err)
			}
			if err := d.over(agent, turn); err != nil {
				t.Fatal(err)
			}
			d.said.Reset()
		},
		run: func(int) []*exec.Cmd {
			c := itself("__drain", agent, d.attempt)
			c.Stdout, c.Stderr = d.said, os.Stderr
			return []*exec.Cmd{c}
		},
	}
}

func (d *draining) answer(t *testing.T) (a answer) {
	t.Helper()
	if err := json.Unmarshal(d.said.Bytes(), &a); err != nil {
		t.Fatalf("%v: %s", err, d.said)
	}
	return a
}

// over makes an attempt whose job wrote everything and ended.
func (d *draining) over(agent string, turn int) error {
	dir, err := durable.OpenDir(agent)
	if err != nil {
		return err
	}
	defer func() { _ = dir.Close() }()
	owner, err := check.Self()
	if err != nil {
		return err
	}
	a, err := job.Create(folder{dir}, job.Facts{Run: drainedRun, Step: "s01", Attempt: fmt.Sprintf("attempt%d", turn), Number: 1, PlanVersion: 1, Owner: owner, Opened: time.Unix(begin, 0)})
	if err != nil {
		return err
	}
	d.attempt = a.Name()
	runner := check.Runner{Supervisor: []string{filepath.Join(bin, "git-agent"), "__supervise"}, Now: time.Now}
	kept, err := a.Start(runner, check.Command{Argv: []string{"cat", d.source}, Dir: d.dir, Env: []string{"PATH=" + os.Getenv("PATH")}})
	if err == nil {
		<-kept.Ended()
	}
	return err
}

// folder joins durable.Dir to what pkg/job declares, as internal/cli does.
type folder struct{ *durable.Dir }

func (f folder) Lock(name string, holder func([]byte) any) (job.Lock, error) {
	return f.LockAfter(name, holder)
}
