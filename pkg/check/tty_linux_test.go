package check

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"encoding/json"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// openPty opens a pseudo terminal, pts(4).
func openPty(t *testing.T) (master, slave *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo terminals here: %v", err)
	}
	t.Cleanup(func() { _ = master.Close() })
	fd := int(master.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = slave.Close() })
	return master, slave
}

// session is a runner that leads a session on a pseudo terminal of its own;
// screen gets all that appears there.
type session struct {
	cmd    *exec.Cmd
	keys   *os.File
	slave  *os.File
	before *term.State // of the terminal, when nothing ran on it yet
	screen *watcher
}

func startSession(t *testing.T, c Command, want string) *session {
	t.Helper()
	master, slave := openPty(t)
	before, err := term.GetState(int(slave.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(testRunner().Supervisor[0], runnerWord, string(raw))
	cmd.Env = testEnv()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	s := &session{cmd: cmd, keys: master, slave: slave, before: before, screen: watchFor(want)}
	go func() {
		buf := make([]byte, 1024)
		for {
			n, err := master.Read(buf)
			_, _ = s.screen.Write(buf[:n])
			if err != nil {
				return
			}
		}
	}()
	return s
}

func (s *session) press(t *testing.T, keys string) {
	t.Helper()
	if _, err := s.keys.WriteString(keys); err != nil {
		t.Fatal(err)
	}
}

func (s *session) shows(t *testing.T, text string) {
	t.Helper()
	defer func() {
		if t.Failed() {
			t.Logf("the screen: %q", s.screen)
		}
	}()
	eventually(t, fmt.Sprintf("the screen shows %q", text), func() bool { return strings.Contains(s.screen.String(), text) })
}

func TestRunner_Run_terminalIsTheCommands(t *testing.T) {
	c, mark := line(t, `test -t 0 && test -t 1 && test -t 2 && echo terminal; read x; echo "got $x"; exit 4`)
	c.TTY = true
	s := startSession(t, c, "terminal")
	s.screen.wait(t)
	s.press(t, "hello\n")
	s.shows(t, "got hello")
	s.shows(t, "outcome exit=4 error <nil>")
	wantNoneLeft(t, mark)
}

// Ctrl-C is the command's to act on: runner and supervisor stand still.
func TestRunner_Run_interruptReachesTheCommandOnly(t *testing.T) {
	c, mark := line(t, `trap 'echo interrupted; n=1' INT; echo ready; while [ -z "$n" ]; do sleep 0.05; done; exit 5`)
	c.TTY = true
	s := startSession(t, c, "ready")
	s.screen.wait(t)
	s.press(t, "\x03")
	s.shows(t, "interrupted")
	s.shows(t, "outcome exit=5 error <nil>")
	wantNoneLeft(t, mark)

	c, mark = line(t, `echo ready; sleep 60`)
	c.TTY = true
	s = startSession(t, c, "ready")
	s.screen.wait(t)
	// A shell forgets an interrupt that comes between its fork and the exec.
	eventually(t, "sleep runs", func() bool { return runs(t, mark, "sleep") })
	s.press(t, "\x03")
	s.shows(t, "outcome signal=2 error <nil>")
	wantNoneLeft(t, mark)
}

func runs(t *testing.T, mark, name string) bool {
	t.Helper()
	for _, pid := range mustMarked(t, mark) {
		if comm, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid)); string(comm) == name+"\n" {
			return true
		}
	}
	return false
}

// The terminal is cooked again after a job that made it raw and was ended.
func TestRunner_Run_terminalIsPutBack(t *testing.T) {
	c, mark := line(t, `stty raw -echo; echo ready; sleep 60`)
	c.TTY, c.Timeout = true, 500e6
	s := startSession(t, c, "ready")
	s.screen.wait(t)
	s.shows(t, "outcome timeout error <nil>")
	wantNoneLeft(t, mark)
	after, err := term.GetState(int(s.slave.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	if *s.before != *after {
		t.Error("the terminal's state differs")
	}
}

// The terminal goes away and the runner with it: nothing is left.
func TestRunner_Run_runnerOnATerminalKilled(t *testing.T) {
	c, mark := line(t, stubborn)
	c.TTY = true
	s := startSession(t, c, "ready")
	waitStubborn(t, s.screen, mark)
	if err := s.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "nothing is left", func() bool { return len(mustMarked(t, mark)) == 0 })
}

// Ctrl-Z stops job, supervisor and runner as one; continued, they go on.
func TestRunner_Run_suspendedAndContinued(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("no bash: a shell with job control is needed")
	}
	c, mark := line(t, `echo ready; read x; echo "got $x"`)
	c.TTY = true
	raw, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	self := testRunner().Supervisor[0]
	script := filepath.Join(t.TempDir(), "shell")
	text := fmt.Sprintf("set -m\n%s %s \"$CONF\"\necho stopped $?\nfg >/dev/null\necho status $?\n", self, runnerWord)
	if err := os.WriteFile(script, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	outer := Command{Argv: []string{"bash", script}, Env: testEnv("CONF=" + string(raw)), TTY: true}
	s := startSession(t, outer, "ready")
	s.screen.wait(t)
	s.press(t, "\x1a")
	s.shows(t, "stopped 148")
	s.press(t, "again\n")
	s.shows(t, "got again")
	s.shows(t, "status 0")
	wantNoneLeft(t, mark)
}

func TestRunner_Run_noTerminal(t *testing.T) {
	master, _ := openPty(t)
	r := testRunner()
	r.Terminal, _ = os.Open(os.DevNull)
	defer r.Terminal.Close()
	if _, err := r.Run(t.Context(), Command{Run: "true", TTY: true}, nil); err == nil {
		t.Error("no error for a terminal that is none")
	}
	_ = master
	if _, err := r.Run(t.Context(), Command{Run: "true", TTY: true, Stdin: "x"}, nil); err == nil {
		t.Error("no error for two inputs")
	}
}
