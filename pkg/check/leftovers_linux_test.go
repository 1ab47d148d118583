package check

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// leftovers lists what [KillLeftovers] would end.
func leftovers(attempt string) ([]int, error) { return marked(AttemptVariable + "=" + attempt) }

// startMarked starts a process of an attempt without any supervisor.
func startMarked(t *testing.T, attempt string, argv ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = testEnv(AttemptVariable + "=" + attempt)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return cmd
}

func TestKillLeftovers_endsTheStubbornAndTheStopped(t *testing.T) {
	attempt := rand.Text()
	stopped := startMarked(t, attempt, "sleep", "60")
	if err := stopped.Process.Signal(unix.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	startMarked(t, attempt, "/bin/sh", "-c", stubborn)
	other := startMarked(t, attempt+"0", "sleep", "60")
	eventually(t, "all have started", func() bool {
		found, err := leftovers(attempt)
		return err == nil && len(found) == 7
	})
	if err := KillLeftovers(t.Context(), attempt, testGrace); err != nil {
		t.Fatal(err)
	}
	if found, err := leftovers(attempt); err != nil || len(found) != 0 {
		t.Errorf("left: %v, %v", found, err)
	}
	if found, err := leftovers(attempt + "0"); err != nil || len(found) != 1 || found[0] != other.Process.Pid {
		t.Errorf("the other attempt has %v, %v", found, err)
	}
}

func TestKillLeftovers_namesWhatRemains(t *testing.T) {
	attempt := rand.Text()
	cmd := startMarked(t, attempt, "/bin/sh", "-c", "trap '' TERM; echo; while :; do sleep 0.1; done")
	eventually(t, "it runs", func() bool {
		found, _ := leftovers(attempt)
		return len(found) > 0
	})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	h := &deaf{pid: cmd.Process.Pid}
	if left := end(ctx, h, nil, time.Hour); len(left) != 1 || left[0] != cmd.Process.Pid {
		t.Errorf("left %v", left)
	}
	if len(h.got) != 3 || h.got[0] != unix.SIGTERM || h.got[1] != unix.SIGCONT || h.got[2] != unix.SIGKILL {
		t.Errorf("signals %v", h.got)
	}
}

// deaf is a herd that no signal reaches.
type deaf struct {
	pid int
	got []unix.Signal
}

func (d *deaf) signal(sig unix.Signal) { d.got = append(d.got, sig) }
func (d *deaf) empty() bool            { return false }
func (d *deaf) pids() []int            { return []int{d.pid} }

// A process inside the attempt neither finds nor ends itself and its ancestors.
func TestKillLeftovers_withoutOurselves(t *testing.T) {
	attempt := rand.Text()
	self := testRunner().Supervisor[0]
	cmd := exec.Command("/bin/sh", "-c", `"$0" "$@"; exit $?`, self, leftoversWord, attempt)
	cmd.Env = testEnv(AttemptVariable + "=" + attempt)
	out, err := cmd.Output()
	if err != nil || string(out) != "[] <nil>\n" {
		t.Errorf("%s %v", out, err)
	}
}

func TestOwner_Dead_zombieIsDead(t *testing.T) {
	cmd := startMarked(t, rand.Text(), "sleep", "60")
	pid := cmd.Process.Pid
	self, err := Self()
	if err != nil {
		t.Fatal(err)
	}
	st, err := readStat(pid)
	if err != nil {
		t.Fatal(err)
	}
	o := self
	o.PID, o.Start = pid, st.start
	if dead, provable := o.Dead(); dead || !provable {
		t.Errorf("alive: dead %t, provable %t", dead, provable)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it is provably dead before anybody waited for it", func() bool {
		dead, provable := o.Dead()
		return dead && provable
	})
	raw, err := json.Marshal(o)
	var back Owner
	if err != nil || json.Unmarshal(raw, &back) != nil || back != o {
		t.Errorf("%s, %v", raw, err)
	}
}

func TestParseStat(t *testing.T) {
	tail := " S 7 8 9 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 4711 100 200"
	for _, name := range []string{"sh", "a b", ") S 1 (", "x\ny"} {
		st, err := parseStat([]byte("42 (" + name + ")" + tail))
		if err != nil || st != (stat{'S', 7, 8, 4711}) {
			t.Errorf("%q: %+v, %v", name, st, err)
		}
	}
	for _, bad := range []string{"", "42 (x)", "42 (x) S 1 2", "42 (x" + tail[:10], strings.Replace("42 (x)"+tail, "4711", "-", 1),
		strings.Replace("42 (x)"+tail, " 7 ", " x ", 1), strings.Replace("42 (x)"+tail, " 8 ", " x ", 1)} {
		if st, err := parseStat([]byte(bad)); err == nil {
			t.Errorf("%q: %+v", bad, st)
		}
	}
}

func TestFullDir(t *testing.T) {
	roomy := space{bytes: 1 << 30, inodes: 5, fixed: true}
	for name, tc := range map[string]struct {
		dir, tmp space
		want     string
	}{
		"room":             {roomy, roomy, ""},
		"tree full":        {space{bytes: 4096, inodes: 5, fixed: true}, roomy, "dir"},
		"scratch full":     {roomy, space{bytes: fullBelow - 1}, "tmp"},
		"no inodes":        {roomy, space{bytes: 1 << 30, fixed: true}, "tmp"},
		"inodes unlimited": {roomy, space{bytes: fullBelow}, ""},
	} {
		ask := func(dir string) (space, bool) {
			return map[string]space{"dir": tc.dir, "tmp": tc.tmp}[dir], true
		}
		if got := fullDir([]string{"dir", "tmp"}, ask); got != tc.want {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := fullDir([]string{"/no/such"}, statfs); got != "" {
		t.Errorf("a folder that is gone: %q", got)
	}
}

// A file system that is really full, where one can be mounted.
func TestRunner_Run_noSpaceLeft(t *testing.T) {
	full := filepath.Join(t.TempDir(), "full")
	if err := os.Mkdir(full, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("tmpfs", full, "tmpfs", 0, "size=2m"); err != nil {
		t.Skipf("no right to mount a tmpfs: %v", err)
	}
	defer func() { _ = unix.Unmount(full, unix.MNT_DETACH) }()
	fill := Command{Run: "cat /dev/zero >big", Dir: full, Env: testEnv()}
	res := mustRun(t, fill)
	if res.Outcome != (Outcome{Exit, 1}) || !res.Environment || !strings.Contains(res.Reason, "no space left") {
		t.Errorf("%v, environment %t %q", res.Outcome, res.Environment, res.Reason)
	}
	if res := mustRun(t, Command{Run: "exit 1", Env: testEnv("TMPDIR=" + full)}); !res.Environment {
		t.Error("a full TMPDIR does not show")
	}
	if res := mustRun(t, Command{Run: "true", Dir: full, Env: testEnv()}); res.Environment {
		t.Error("a pass is blamed on the disk")
	}
	fill.Run = "rm big; exit 1"
	if res := mustRun(t, fill); res.Environment {
		t.Errorf("with room again: %q", res.Reason)
	}
}

func TestMachine_isTheSameTwice(t *testing.T) {
	if a, b := machine(), machine(); a != b {
		t.Errorf("%q, %q", a, b)
	}
	if _, err := os.ReadFile("/etc/machine-id"); errors.Is(err, os.ErrNotExist) && machine() != "" {
		t.Error("a machine without an id has a name")
	}
}
