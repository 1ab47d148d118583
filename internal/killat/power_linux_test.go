package killat

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// powerVar is [sweepVar] for TestPower_cut, which is slower: "full", a
// duration, or unset for a few.
const powerVar = "GIT_AGENT_POWER"

// TestPower_cut kills everything at a point and lets the disk lose what it was
// not made to keep. What lay in the tree before the command, and what a command
// said to be done, is there afterwards; the remote is another machine's.
func TestPower_cut(t *testing.T) {
	for _, kind := range []string{"ext4", "xfs"} {
		t.Run(kind, func(t *testing.T) {
			d, how := newDisk(t, kind), os.Getenv(powerVar)
			cut := []harm{{name: "power cut", args: []string{"-act", "tree", "-files", "-only", durable + "," + syncs}}}
			spots, counted := make(chan spot), &tally{}
			rows := plan(t, newWorld(t), onOneDisk(), cut, how)
			for _, row := range rows {
				counted.expect(row)
			}
			go func() {
				defer close(spots)
				deal(rows, spots, how, time.Now())
			}()
			for s := range spots {
				counted.count(s, t.Run(s.String(), func(t *testing.T) { s.from.onDisk(t, d).survives(s) }))
			}
			t.Logf("%s: %v", kind, counted)
		})
	}
}

// onOneDisk are the scenes without a process of their own, which would keep the
// disk from ending.
func onOneDisk() []scene {
	return slices.DeleteFunc(slices.Clone(scenes), func(s scene) bool { return s.begin != nil })
}

// TestPower_cutAfterTheEnd: a command that ended with 0 has nothing to lose,
// with a remote or without one.
func TestPower_cutAfterTheEnd(t *testing.T) {
	start := newWorld(t)
	for _, kind := range []string{"ext4", "xfs"} {
		t.Run(kind, func(t *testing.T) {
			d := newDisk(t, kind)
			for _, s := range onOneDisk() {
				for _, alone := range []bool{false, true} {
					if alone && slices.Contains([]string{"fresh", "follow", "start", "land"}, s.name) {
						continue // there is a remote, or nothing to do
					}
					t.Run(fmt.Sprintf("%s, alone %v", s.name, alone), func(t *testing.T) { start.prepared(t, s).onDisk(t, d).endsBefore(s, alone) })
				}
			}
		})
	}
}

func (w *world) endsBefore(s scene, alone bool) {
	w.t.Helper()
	w.what = "power cut after " + s.name
	if alone {
		w.git("remote", "remove", "origin")
	}
	w.must(s.command...)
	before := w.git("rev-parse", "refs/heads/agent-run/r-1")
	w.after()
	w.same("branch", w.git("rev-parse", "refs/heads/agent-run/r-1"), before)
	w.must("resume", "r-1")
	w.same("status", w.git("status", "--porcelain", "-uall"), "")
	w.same("fsck", w.git("fsck", "--no-progress", "--no-dangling"), "")
}

// onDisk copies the world to a disk, all but the remote, and makes it durable.
func (w *world) onDisk(t *testing.T, d *disk) *world {
	t.Helper()
	c := w.copy(t)
	place := filepath.Join(d.at, "world")
	c.check(os.RemoveAll(place))
	remote := filepath.Join(t.TempDir(), "work.git")
	c.check(os.Rename(filepath.Join(c.dir, "work.git"), remote))
	if out, err := exec.Command("cp", "-a", c.dir, place).CombinedOutput(); err != nil {
		t.Fatalf("copy the world: %v\n%s", err, out)
	}
	c.dir = place
	c.check(os.Symlink(remote, filepath.Join(place, "work.git")))
	c.git("config", "remote.origin.url", "file://"+remote)
	c.git("update-index", "-q", "--refresh")
	d.sync()
	c.after = d.cutPower
	return c
}

// TestDisk_full leaves less and less of a real disk. Whatever a command says
// there, nothing is lost, and with room again the run goes on.
func TestDisk_full(t *testing.T) {
	d := newDisk(t, "tmpfs")
	rung := int64(96 << 10)
	if os.Getenv(powerVar) != "" {
		rung = 12 << 10
	}
	start := newWorld(t)
	for _, s := range onOneDisk() {
		from := start.prepared(t, s)
		for left := int64(0); left <= 440<<10; left += rung {
			t.Run(fmt.Sprintf("%s, %d KiB left", s.name, left>>10), func(t *testing.T) {
				w := from.onDisk(t, d)
				free := d.fill(left)
				w.after = free
				w.survives(spot{scene: s, harm: harm{name: "disk full", args: []string{"-act", "tree"}}, from: from})
			})
		}
		if os.Getenv(powerVar) == "" {
			break
		}
	}
}
