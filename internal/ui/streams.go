// Package ui owns what a person sees: the streams of the process and what is
// known about them, escaping of foreign text, tables, colour, messages, the
// pager. It never decides what to say, never reads git's configuration or the
// environment by itself and never starts git; all of that is handed in.
//
// Results go to Out, everything else to Err (the design, section 13). Every
// text that comes from outside (paths, commit messages, command lines) passes
// [Escape] before a terminal sees it; tables and messages do that themselves.
//
//	s := ui.Detect(os.Stdin, os.Stdout, os.Stderr, os.Getenv, colorUI)
//	t := ui.NewTable(s)
//	t.Row(ui.Painted(ui.Green, s.Glyph(ui.Check)), ui.Plain(step.Title))
//	err := t.Flush()
package ui

import (
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/term"
)

// defaultWidth is git's answer where a terminal does not tell (pager.c).
const defaultWidth = 80

// Streams are the three streams of the process and the facts about them.
// The zero value with Out and Err set is a plain pipe: no colour, no limit of
// width, ASCII only.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer

	// InTTY, OutTTY and ErrTTY say that a person is at the other end:
	// only then is there a question, a pager, live progress.
	InTTY, OutTTY, ErrTTY bool

	// Width is the number of columns a line of Out may take; 0: no limit.
	Width int

	// Color and ErrColor say whether Out and Err get escape sequences.
	Color, ErrColor bool

	// Unicode says that the locale can show more than ASCII.
	Unicode bool
}

// Detect finds out about the three streams. env is asked for NO_COLOR,
// CLICOLOR_FORCE, TERM, COLUMNS, GIT_PAGER_IN_USE and the locale. colorConfig
// is the configured value of color.agent, else of color.ui, as git prints it
// ("always", "never", "auto", a boolean or ""; see git-config(1)), not the
// decision that `git config --get-colorbool` makes of it.
func Detect(in, out, err *os.File, env func(string) string, colorConfig string) Streams {
	s := Streams{
		In: in, Out: out, Err: err,
		InTTY:   isTerminal(in),
		OutTTY:  isTerminal(out),
		ErrTTY:  isTerminal(err),
		Unicode: isUnicode(env),
	}
	// A pager that git started (git -p, pager.agent) makes Out a pipe with
	// a terminal behind it: git(1), GIT_PAGER_IN_USE in pager.c.
	paged := isTrue(env("GIT_PAGER_IN_USE"))
	s.Color = useColor(s.OutTTY || paged, env, colorConfig)
	s.ErrColor = useColor(s.ErrTTY, env, colorConfig)
	switch {
	case s.OutTTY:
		s.Width = columns(out, env)
	case paged:
		s.Width = columns(err, env)
	}
	return s
}

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// columns asks COLUMNS first, as git does, then the terminal.
func columns(f *os.File, env func(string) string) int {
	if n, err := strconv.Atoi(env("COLUMNS")); err == nil && n > 0 {
		return n
	}
	if n, _, err := term.GetSize(int(f.Fd())); err == nil && n > 0 {
		return n
	}
	return defaultWidth
}

// useColor decides for one stream. NO_COLOR (no-color.org) wins over
// everything, then git's "always" and "never", then CLICOLOR_FORCE, then
// whether a terminal that knows colour is there.
func useColor(tty bool, env func(string) string, config string) bool {
	if env("NO_COLOR") != "" {
		return false
	}
	switch strings.ToLower(config) {
	case "always":
		return true
	case "never", "false", "no", "off", "0":
		return false
	}
	if force := env("CLICOLOR_FORCE"); force != "" && force != "0" {
		return true
	}
	return tty && knowsColor(env, runtime.GOOS)
}

// knowsColor is git's test for a dumb terminal (editor.c). An old Windows
// console sets none of these and would print the sequences.
func knowsColor(env func(string) string, goos string) bool {
	name := env("TERM")
	if goos == "windows" && name == "" {
		return env("WT_SESSION") != ""
	}
	return name != "" && name != "dumb"
}

// Cursor reports whether the terminal at Err can move its cursor.
func (s Streams) Cursor(env func(string) string) bool {
	return s.ErrTTY && knowsColor(env, runtime.GOOS)
}

// isUnicode follows the precedence of locale(7). Windows consoles take
// Unicode from Go whatever the code page is.
func isUnicode(env func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if value := strings.ToLower(env(name)); value != "" {
			return strings.Contains(value, "utf-8") || strings.Contains(value, "utf8")
		}
	}
	return runtime.GOOS == "windows"
}

// isTrue reads a boolean variable as git does (git_parse_maybe_bool).
func isTrue(value string) bool {
	switch strings.ToLower(value) {
	case "", "false", "no", "off", "0":
		return false
	}
	return true
}
