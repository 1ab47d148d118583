package ui

import (
	"errors"
	"strings"
	"testing"
)

func flushed(t *testing.T, s Streams, keep int, rows ...[]Cell) string {
	t.Helper()
	var out strings.Builder
	s.Out = &out
	table := NewTable(s)
	table.Keep = keep
	table.Row(Painted(Bold, "STEP"), Painted(Bold, "STATUS"), Painted(Bold, "REASON"))
	for _, row := range rows {
		table.Row(row...)
	}
	if err := table.Flush(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestTable_Flush_aligned(t *testing.T) {
	got := flushed(t, Streams{}, 0,
		[]Cell{Plain("parse"), Plain("certified")},
		[]Cell{Plain("漢字漢"), Plain("ok"), Plain("evil\x1b[31m\nname")},
		[]Cell{Plain("x"), Plain(""), Plain("")},
	)
	want := "STEP    STATUS     REASON\n" +
		"parse   certified\n" +
		"漢字漢  ok         evil\\x1b[31m\\nname\n" +
		"x\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestTable_Flush_cutToWidth(t *testing.T) {
	row := []Cell{Plain("a-long-step-id"), Plain("ok"), Plain("a reason of many words")}
	got := flushed(t, Streams{Width: 34, Unicode: true}, 1, row)
	want := "STEP            STATUS  REASON\n" +
		"a-long-step-id  ok      a reason …\n"
	if got != want {
		t.Errorf("unicode: got\n%swant\n%s", got, want)
	}
	got = flushed(t, Streams{Width: 30}, 0, row)
	want = "STEP        STATUS  REASON\n" +
		"a-long-...  ok      a reaso...\n"
	if got != want {
		t.Errorf("ascii: got\n%swant\n%s", got, want)
	}
	for line := range strings.Lines(flushed(t, Streams{Width: 1, Unicode: true}, 0, row)) {
		if n := displayWidth(strings.TrimSuffix(line, "\n")); n > 3+2*len(gap) {
			t.Errorf("line of %d columns: %q", n, line)
		}
	}
}

// A wide character that does not fit leaves a column to be filled.
func TestTable_Flush_cutWideCharacter(t *testing.T) {
	var out strings.Builder
	table := NewTable(Streams{Out: &out, Width: 7, Unicode: true})
	table.Row(Plain("漢字漢字"), Plain("x"))
	if err := table.Flush(); err != nil || out.String() != "漢…   x\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
}

func TestTable_Flush_colored(t *testing.T) {
	got := flushed(t, Streams{Color: true}, 0, []Cell{Painted(Green, "ok"), Plain("x")})
	want := "\x1b[1mSTEP\x1b[m  \x1b[1mSTATUS\x1b[m  \x1b[1mREASON\x1b[m\n" +
		"\x1b[32mok\x1b[m    x\n"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

type brokenWriter struct{}

var errBroken = errors.New("broken")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestTable_Flush_reportsTheWriteError(t *testing.T) {
	table := NewTable(Streams{Out: brokenWriter{}})
	table.Row(Plain("x"))
	if err := table.Flush(); !errors.Is(err, errBroken) {
		t.Errorf("Flush = %v", err)
	}
}

func TestStreams_Paint(t *testing.T) {
	s := Streams{Color: true}
	for st, want := range map[Style]string{
		Default: `a\x1b`, Bold: "\x1b[1ma\\x1b\x1b[m", Faint: "\x1b[2ma\\x1b\x1b[m",
		Red: "\x1b[31ma\\x1b\x1b[m", Yellow: "\x1b[33ma\\x1b\x1b[m", Cyan: "\x1b[36ma\\x1b\x1b[m",
	} {
		if got := s.Paint(st, "a\x1b"); got != want {
			t.Errorf("Paint(%d) = %q, want %q", st, got, want)
		}
		if got := (Streams{ErrColor: true}).Paint(st, "a\x1b"); got != `a\x1b` {
			t.Errorf("Paint(%d) without colour = %q", st, got)
		}
	}
}

func TestStreams_Glyph(t *testing.T) {
	for g, want := range map[Glyph][2]string{
		Check: {"✓", "+"}, Cross: {"✗", "x"}, Circle: {"○", "."}, Solid: {"◆", "#"}, Half: {"◐", ">"}, Hollow: {"◇", "o"},
		Dot: {"●", "*"}, Arrow: {"→", "->"}, Ellipsis: {"…", "..."},
	} {
		got := [2]string{Streams{Unicode: true}.Glyph(g), Streams{}.Glyph(g)}
		if got != want {
			t.Errorf("glyph %d = %q, want %q", g, got, want)
		}
	}
}
