package ui

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestStreams_messages(t *testing.T) {
	for _, c := range []struct {
		say  func(Streams)
		want string
	}{
		{func(s Streams) { s.Error(errors.New("push: refused")) }, "git-agent: error: push: refused\n"},
		{func(s Streams) { s.Error(errors.New("a\nb\x1b\r\n")) }, "git-agent: error: a\ngit-agent: error: b\\x1b\n"},
		{func(s Streams) { s.Error(errors.New("")) }, "git-agent: error: \n"},
		{func(s Streams) { s.Error(nil) }, ""},
		{func(s Streams) { s.Warn("no remote %q", "x") }, "git-agent: warning: no remote \"x\"\n"},
		{func(s Streams) { s.Hint("git agent resume %s", "r\u202e1") }, "git-agent: hint: git agent resume r\\u202e1\n"},
		{func(s Streams) { s.Note("pushed") }, "git-agent: pushed\n"},
	} {
		var err strings.Builder
		c.say(Streams{Err: &err})
		if err.String() != c.want {
			t.Errorf("got %q, want %q", err.String(), c.want)
		}
	}
	var err strings.Builder
	Streams{Err: &err, ErrColor: true}.Error(errors.New("x"))
	if want := "git-agent: \x1b[31merror: \x1b[mx\n"; err.String() != want {
		t.Errorf("coloured: %q, want %q", err.String(), want)
	}
}

func TestAge(t *testing.T) {
	const h = time.Hour
	for d, want := range map[time.Duration]string{
		-h: "0s", 0: "0s", 59*time.Second + 999: "59s", time.Minute: "1m", h - 1: "59m",
		h: "1h", 24*h - 1: "23h", 24 * h: "1d", 14*24*h - 1: "13d", 14 * 24 * h: "2w",
		364 * 24 * h: "52w", 365 * 24 * h: "1y", 1000 * 24 * h: "2y",
	} {
		if got := Age(d); got != want {
			t.Errorf("Age(%v) = %q, want %q", d, got, want)
		}
	}
}
