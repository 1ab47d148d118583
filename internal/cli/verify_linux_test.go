package cli

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// Called by hand, a hook's mode says what it wants instead of waiting for a
// person to type it.
func TestCase108_terminalIsNotWaitedFor(t *testing.T) {
	tty := terminal(t)
	for _, mode := range []string{"--pre-push", "--pre-receive"} {
		said, err := os.CreateTemp(t.TempDir(), "said")
		if err != nil {
			t.Fatal(err)
		}
		code := Main(World{Args: []string{"verify", mode}, Env: []string{"PATH=" + os.Getenv("PATH")}, In: tty, Out: said, Err: said, Exit: os.Exit})
		text, _ := os.ReadFile(said.Name())
		if code != 129 || !strings.Contains(string(text), "standard input is a terminal") {
			t.Errorf("%s: exit %d: %s", mode, code, text)
		}
		said.Close()
	}
}

// terminal is one end of a pseudo terminal at which nobody types (pts(4)).
func terminal(t *testing.T) *os.File {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no pseudo terminals (/dev/ptmx): %v", err)
	}
	t.Cleanup(func() { _ = master.Close() })
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	tty, err := os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo terminals (/dev/pts): %v", err)
	}
	t.Cleanup(func() { _ = tty.Close() })
	return tty
}
