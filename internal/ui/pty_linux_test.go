package ui

import (
	"os"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"
)

// pty makes a pseudo terminal of the given size, as pts(4) describes.
func pty(t *testing.T, columns, rows uint16) (master, tty *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no pseudo terminals (/dev/ptmx): %v", err)
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
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: rows, Col: columns}); err != nil {
		t.Fatal(err)
	}
	tty, err = os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo terminals (/dev/pts): %v", err)
	}
	t.Cleanup(func() { _ = tty.Close() })
	return master, tty
}

// openPty is the side of a terminal that a program sees.
func openPty(t *testing.T, columns uint16) *os.File {
	t.Helper()
	_, tty := pty(t, columns, 24)
	return tty
}

func TestDetect_terminal(t *testing.T) {
	tty := openPty(t, 123)
	env := map[string]string{"TERM": "xterm", "LANG": "C.UTF-8"}
	s := Detect(tty, tty, tty, envOf(env), "")
	if !s.InTTY || !s.OutTTY || !s.ErrTTY || !s.Color || !s.ErrColor || !s.Unicode || s.Width != 123 {
		t.Errorf("terminal: %+v", s)
	}
	env["COLUMNS"] = "50"
	if s = Detect(tty, tty, tty, envOf(env), ""); s.Width != 50 {
		t.Errorf("COLUMNS does not win: %d", s.Width)
	}
	if s = Detect(tty, tty, tty, envOf(env), "never"); s.Color || s.ErrColor {
		t.Errorf("color.ui=never: %+v", s)
	}
}

func TestDetect_onlyErrIsATerminal(t *testing.T) {
	tty := openPty(t, 77)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	s := Detect(r, w, tty, envOf(map[string]string{"TERM": "xterm"}), "")
	if s.OutTTY || s.Color || !s.ErrTTY || !s.ErrColor || s.Width != 0 {
		t.Errorf("result in a pipe: %+v", s)
	}
	s = Detect(r, w, tty, envOf(map[string]string{"TERM": "xterm", "GIT_PAGER_IN_USE": "1"}), "")
	if !s.Color || s.Width != 77 {
		t.Errorf("pager in between: %+v", s)
	}
}
