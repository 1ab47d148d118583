//go:build !windows

package ui

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// page shows content through a pager whose output is a file, as if the file
// were a terminal, and returns what the terminal got.
func page(t *testing.T, s Streams, command string, environ []string, show func(Streams) error) (string, error) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "out")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s.Out, s.Err = f, io.Discard
	pageErr := s.Page(command, environ, show)
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(got), pageErr
}

func hello(s Streams) error {
	_, err := fmt.Fprintf(s.Out, "hello %v\n", s.OutTTY)
	return err
}

func environment(more ...string) []string {
	return append([]string{"PATH=" + os.Getenv("PATH")}, more...)
}

func TestStreams_Page(t *testing.T) {
	tty := Streams{OutTTY: true}
	for name, c := range map[string]struct {
		s       Streams
		command string
		environ []string
		want    string
	}{
		"pager":           {tty, "sed s/hello/paged/", environment(), "paged false\n"},
		"defaults":        {tty, `cat >/dev/null; echo "$LESS $LV"`, environment(), "FRX -c\n"},
		"user's settings": {tty, `cat >/dev/null; echo "$LESS $LV"`, environment("LESS=R", "LV="), "R \n"},
		"no terminal":     {Streams{}, "sed s/hello/paged/", environment(), "hello false\n"},
		"git's own pager": {tty, "sed s/hello/paged/", environment("GIT_PAGER_IN_USE=true"), "hello true\n"},
		"not in use":      {tty, "sed s/hello/paged/", environment("GIT_PAGER_IN_USE=false"), "paged false\n"},
		"no pager":        {tty, "", environment(), "hello true\n"},
		"cat":             {tty, "cat", environment(), "hello true\n"},
		"absent program":  {tty, "no-such-pager", environment(), "hello true\n"},
		"pager fails":     {tty, "cat; exit 3", environment(), "hello false\n"},
	} {
		got, err := page(t, c.s, c.command, c.environ, hello)
		if got != c.want || err != nil {
			t.Errorf("%s: %q, %v; want %q", name, got, err, c.want)
		}
	}
}

// Writing stops, and nobody hears of it, when the person quits the pager.
func TestStreams_Page_quit(t *testing.T) {
	var stopped error
	got, err := page(t, Streams{OutTTY: true}, "head -n 1", environment(), func(s Streams) error {
		w := bufio.NewWriter(s.Out)
		for stopped == nil {
			_, stopped = w.WriteString("line\n")
		}
		return fmt.Errorf("print: %w", stopped)
	})
	if got != "line\n" || err != nil || !errors.Is(stopped, errPagerQuit) {
		t.Errorf("%q, %v; writer saw %v", got, err, stopped)
	}
}

func TestStreams_Page_keepsTheAnswer(t *testing.T) {
	answer := errors.New("the answer is no")
	got, err := page(t, Streams{OutTTY: true}, "sed p", environment(), func(s Streams) error {
		return errors.Join(hello(s), answer)
	})
	if !errors.Is(err, answer) || got != "hello false\nhello false\n" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestStreams_Page_neverBegan(t *testing.T) {
	_, err := page(t, Streams{OutTTY: true}, "no-such-pager -R", environment(), hello)
	if err == nil || !strings.Contains(err.Error(), `"no-such-pager -R"`) {
		t.Errorf("err = %v", err)
	}
}
