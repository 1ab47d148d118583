package ui

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
)

// liveTerminal is a terminal and all that was written to it until it is closed.
func liveTerminal(t *testing.T, columns, rows uint16) (tty *os.File, screen func() string) {
	t.Helper()
	master, tty := pty(t, columns, rows)
	all := make(chan string)
	go func() {
		text, _ := io.ReadAll(master) // ends with EIO when the other side is closed
		all <- string(text)
	}()
	return tty, func() string { _ = tty.Close(); return <-all }
}

func write(t *testing.T, w io.Writer, format string, args ...any) {
	t.Helper()
	if _, err := fmt.Fprintf(w, format, args...); err != nil {
		t.Error(err)
	}
}

// played is the screen after a text was written to it: line feeds, cursor up,
// erase below, which is all that a picture uses.
func played(t *testing.T, text string) []string {
	t.Helper()
	var lines []string
	at := 0
	for len(text) > 0 {
		var up int
		switch {
		case strings.HasPrefix(text, "\r\x1b["):
			if _, err := fmt.Sscanf(text, "\r\x1b[%dA\x1b[J", &up); err != nil || up > at {
				t.Fatalf("%d rows up from %d: %v", up, at, err)
			}
			at -= up
			lines = lines[:at]
			text = text[len(fmt.Sprintf("\r\x1b[%dA\x1b[J", up)):]
		default:
			line, rest, _ := strings.Cut(text, "\r\n")
			lines, text = append(lines, line), rest
			at++
		}
	}
	return lines
}

func TestLive_picture(t *testing.T) {
	tty, screen := liveTerminal(t, 20, 24)
	s := Streams{Err: tty, Unicode: true}
	head := ""
	l := NewLive(s, tty, func() string { return head })
	l.Say(func() { write(t, tty, "%s\n", "before") })
	l.guard.Lock()
	head = "● s01 a title that is too long"
	l.guard.Unlock()
	for i := range 7 {
		write(t, l, "\x1b[31mline %d\x1b[m\tof \x1b]0;title\x07output\n", i)
	}
	write(t, l, "10%%\r20%%\r")
	_, _ = l.Write([]byte("half a ✓")[:8])
	l.Say(func() { write(t, tty, "%s\n", "between, and longer than the terminal is wide") })
	rows := l.picture()
	want := []string{"● s01 a title that…", "  line 5    of out…", "  line 6    of out…", "  10%", "  20%", "  half a "}
	if got := strings.Join(rows, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("picture:\n%s", got)
	}
	for _, row := range rows {
		if displayWidth(row) > 19 {
			t.Errorf("%q does not fit", row)
		}
	}
	l.Clear()
	l.Close()
	write(t, tty, "%s\n", "after")
	if got := strings.Join(played(t, screen()), "\n"); got != "before\nbetween, and longer than the terminal is wide\nafter" {
		t.Errorf("what stays:\n%s", got)
	}
}

func TestLive_lowTerminal(t *testing.T) {
	tty, screen := liveTerminal(t, 80, 4)
	l := NewLive(Streams{Err: tty}, tty, func() string { return "head" })
	write(t, l, "1\n2\n3\n4\n%s", strings.Repeat("x", 10<<20))
	l.Say(func() {})
	if rows := l.picture(); len(rows) != 3 || rows[1] != "  4" {
		t.Errorf("%d rows of 4: %.40q", len(rows), rows)
	}
	l.Close()
	screen()
	write(t, l, "after the end\n") // a process that is not over yet
	l.Say(func() {})
}

func TestLive_nothingWithoutHeadline(t *testing.T) {
	tty, screen := liveTerminal(t, 80, 24)
	l := NewLive(Streams{Err: tty}, tty, func() string { return "" })
	write(t, l, "output\n")
	l.Say(func() {})
	l.Close()
	if got := screen(); got != "" {
		t.Errorf("%q", got)
	}
}
