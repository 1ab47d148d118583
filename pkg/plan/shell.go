package plan

import (
	"slices"
	"strings"
)

// simple is one simple command of a shell line, as far as splitting finds it
// (POSIX, Shell Command Language, 2.9.1). It is for advice only: nothing is
// refused or run by it.
type simple struct {
	words []string // without assignments, quotes and redirections of output
	// after is the operator in front: ";", "&&", "||", "|" or "" for the first.
	after string
	// pipes: its output goes to the next command, and its exit status nowhere.
	pipes bool
	// inner: within $(…), whose status is not the line's.
	inner bool
}

func (c simple) name() string {
	if len(c.words) == 0 {
		return ""
	}
	return c.words[0][strings.LastIndexByte(c.words[0], '/')+1:]
}

// args are the words behind the name.
func (c simple) args() []string {
	if len(c.words) == 0 {
		return nil
	}
	return c.words[1:]
}

// operands are the arguments that are no options.
func (c simple) operands() []string {
	return slices.DeleteFunc(slices.Clone(c.args()), func(w string) bool { return strings.HasPrefix(w, "-") })
}

func (c simple) has(words ...string) bool {
	return slices.ContainsFunc(c.args(), func(w string) bool { return slices.Contains(words, w) })
}

// splitShell finds the simple commands of a line, those in $(…) and those that
// `sh -c` is given included.
func splitShell(line string) []simple {
	s := &splitter{text: line}
	s.list(0, false)
	var out []simple
	for _, c := range s.found {
		out = append(out, c)
		if script, ok := givenScript(c); ok {
			out = append(out, splitShell(script)...)
		}
	}
	return out
}

// givenScript is the line that a shell is told to run by -c.
func givenScript(c simple) (string, bool) {
	if !slices.Contains([]string{"sh", "bash", "dash", "zsh", "ksh"}, c.name()) {
		return "", false
	}
	for i, w := range c.args() {
		if strings.HasPrefix(w, "-") && strings.HasSuffix(w, "c") && i+1 < len(c.args()) {
			return c.args()[i+1], true
		}
	}
	return "", false
}

var assigned = lazy(`^[A-Za-z_][A-Za-z0-9_]*=`)

// wrappers run the command behind them; a number says how many words of their
// own come first.
var wrappers = map[string]int{
	"!": 0, "{": 0, "}": 0, "if": 0, "then": 0, "elif": 0, "else": 0, "while": 0, "until": 0, "do": 0, "fi": 0, "done": 0,
	"time": 0, "nice": 0, "nohup": 0, "exec": 0, "command": 0, "env": 0, "sudo": 0, "xargs": 0, "npx": 0, "timeout": 1,
}

// stripped drops what stands in front of the command: assignments, keywords,
// and programs that only run another one.
func stripped(words []string) []string {
	for len(words) > 0 {
		own, wraps := wrappers[words[0]]
		switch {
		case assigned().MatchString(words[0]):
			words = words[1:]
		case wraps:
			words = words[1:]
			for len(words) > 0 && strings.HasPrefix(words[0], "-") {
				words = words[1:]
			}
			words = words[min(own, len(words)):]
		default:
			return words
		}
	}
	return nil
}
