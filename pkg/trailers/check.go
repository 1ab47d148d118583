package trailers

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// OutcomeKind is how a check ended.
type OutcomeKind string

// The four ways a check can end (the design, section 4).
const (
	Exit     OutcomeKind = "exit"      // by itself; Code is the exit status
	Signal   OutcomeKind = "signal"    // by a signal; Code is its number
	Timeout  OutcomeKind = "timeout"   // ended by us, too slow
	NotFound OutcomeKind = "not-found" // the shell does not know the command
)

// maxExit bounds exit statuses: 0-255 on POSIX, 32 bits on Windows.
const maxExit = 1<<32 - 1

// Outcome is how a check ended. Code is 0 where Kind takes none.
type Outcome struct {
	Kind OutcomeKind
	Code int
}

// Passed reports exit status 0, the only outcome that certifies.
func (o Outcome) Passed() bool { return o == Outcome{Kind: Exit} }

// String is the word that is written: `exit=0`, `signal=9`, `timeout`,
// `not-found`.
func (o Outcome) String() string {
	switch {
	case o.Passed():
		return "exit=0" // nearly all
	case o.Kind == Timeout, o.Kind == NotFound:
		return string(o.Kind)
	}
	return string(o.Kind) + "=" + strconv.Itoa(o.Code)
}

// parseOutcome reads one word; it accepts exactly what String writes.
func parseOutcome(word string) (Outcome, bool) {
	kind, digits, coded := strings.Cut(word, "=")
	o := Outcome{Kind: OutcomeKind(kind)}
	if !coded {
		return o, o.Kind == Timeout || o.Kind == NotFound
	}
	code, ok := parseNumber(digits)
	o.Code = code
	switch o.Kind {
	case Exit:
		return o, ok && code <= maxExit
	case Signal:
		return o, ok && code >= 1 && code <= 127
	}
	return o, false
}

// Check is one command of a step with what it came to.
type Check struct {
	Command string
	Outcome Outcome
	// Secs is how long it ran, in seconds, as a decimal (`22.6`). It stays
	// text so that reading and writing change nothing.
	Secs string
}

// FormatCheck returns the value of an Agent-Check trailer. The command is
// written as it is, or as a JSON string where it would not survive: with a
// control or bidirectional character, a leading or trailing blank, a leading
// quote, or something that looks like the end of another check before an
// `Agent-` key, which is how joined lines are recognised. An empty command,
// one that is not UTF-8, and an outcome or time that could not be read back
// are refused, all at once.
func FormatCheck(c Check) (string, error) {
	var faults []error
	if c.Command == "" {
		faults = append(faults, errors.New("the command is empty"))
	}
	if !utf8.ValidString(c.Command) {
		faults = append(faults, fmt.Errorf("command %q is not UTF-8", c.Command))
	}
	if back, ok := parseOutcome(c.Outcome.String()); !ok || back != c.Outcome {
		faults = append(faults, fmt.Errorf("outcome %q with code %d does not exist", c.Outcome.Kind, c.Outcome.Code))
	}
	if !decimal(c.Secs) {
		faults = append(faults, fmt.Errorf("%q is no decimal number of seconds", c.Secs))
	}
	if len(faults) > 0 {
		return "", errors.Join(faults...)
	}
	command := c.Command
	if needsQuotes(command) {
		command = quoteJSON(command)
	}
	return command + " " + c.Outcome.String() + " secs=" + c.Secs, nil
}

func needsQuotes(command string) bool {
	return strings.ContainsFunc(command, deceptive) || outerBlank(command) ||
		command[0] == '"' || joinedCheck(command)
}

// ParseCheck reads the value of an Agent-Check trailer from the right, so the
// command itself may contain ` exit=0 secs=1`.
func ParseCheck(value string) (Check, error) {
	rest, secs, ok := cutLast(value)
	secs, named := strings.CutPrefix(secs, "secs=")
	if !ok || !named || !decimal(secs) {
		return Check{}, fmt.Errorf("check %q does not end in secs=<decimal>", value)
	}
	command, word, ok := cutLast(rest)
	if !ok {
		return Check{}, fmt.Errorf("check %q lacks a command or an outcome", value)
	}
	outcome, ok := parseOutcome(word)
	if !ok {
		return Check{}, fmt.Errorf("check %q: %q is no outcome (exit=<n>, signal=<n>, timeout, not-found)", value, word)
	}
	command, err := parseCommand(command)
	if err != nil {
		return Check{}, fmt.Errorf("check %q: %w", value, err)
	}
	return Check{Command: command, Outcome: outcome, Secs: secs}, nil
}

func parseCommand(written string) (string, error) {
	switch {
	case strings.HasPrefix(written, `"`):
		return unquoteJSON(written)
	case written == "":
		return "", errors.New("the command is empty")
	case outerBlank(written):
		return "", errors.New("the command begins or ends with a blank and is not quoted")
	case strings.ContainsFunc(written, deceptive):
		return "", errors.New("the command holds a control character and is not quoted")
	case !utf8.ValidString(written):
		return "", errors.New("the command is not UTF-8")
	case joinedCheck(written):
		return "", errors.New("the command ends like a check before an Agent- key: trailer lines were joined")
	}
	return written, nil
}

// joinedCheck recognises a command that swallowed the end of another check,
// as in `a exit=1 secs=2 Agent-Check: b`. Read from the right it would hide
// that `a` failed.
func joinedCheck(command string) bool {
	if !strings.Contains(command, " secs=") {
		return false
	}
	words := strings.Split(command, " ")
	for i := 2; i < len(words); i++ {
		secs, named := strings.CutPrefix(words[i-1], "secs=")
		key, isKey := strings.CutSuffix(words[i], ":")
		_, outcome := parseOutcome(words[i-2])
		if named && decimal(secs) && outcome && isKey && known(key) {
			return true
		}
	}
	return false
}

// cutLast splits at the last space.
func cutLast(s string) (before, after string, ok bool) {
	i := strings.LastIndexByte(s, ' ')
	if i < 0 {
		return "", s, false
	}
	return s[:i], s[i+1:], true
}

// decimal accepts digits with at most one point between digits.
func decimal(s string) bool {
	whole, fraction, pointed := strings.Cut(s, ".")
	return digits(whole) && (!pointed || digits(fraction))
}

func digits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// parseNumber reads a decimal without sign or leading zeros.
func parseNumber(s string) (int, bool) {
	if !digits(s) || len(s) > 1 && s[0] == '0' {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}
