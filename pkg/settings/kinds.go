package settings

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// kind is a set of values.
type kind struct {
	takes   string // behind "takes"
	example string // a value for a hint, the default where there is one
	ok      func(value string) bool
}

var (
	text   = kind{"any text", "", func(string) bool { return true }}
	truth  = kind{"true or false", "true", isTruth}
	prefix = kind{"the beginning of a branch's name", "agent-run/", isBranchPrefix}
	colour = kind{"auto, always, never, true or false", "auto", isColour}
)

func duration(example string) kind {
	return kind{"a duration above zero, as 90s, 30m or 2h", example, func(v string) bool {
		d, err := time.ParseDuration(v)
		return err == nil && d > 0
	}}
}

func number(least int, example string) kind {
	return kind{"a whole number from " + strconv.Itoa(least), example, func(v string) bool {
		n, err := strconv.Atoi(v)
		return err == nil && n >= least
	}}
}

func oneOf(words ...string) kind {
	takes := strings.Join(words, ", ")
	if last := len(words) - 1; last > 0 {
		takes = strings.Join(words[:last], ", ") + " or " + words[last]
	}
	return kind{takes, words[0], func(v string) bool { return slices.Contains(words, v) }}
}

// isTruth reads booleans as git does (git-config(1), --type=bool).
func isTruth(value string) bool {
	switch strings.ToLower(value) {
	case "true", "yes", "on", "false", "no", "off":
		return true
	}
	_, err := strconv.Atoi(value)
	return err == nil
}

func isColour(value string) bool {
	return slices.Contains([]string{"auto", "always", "never"}, strings.ToLower(value)) || isTruth(value)
}

// isBranchPrefix: what git-check-ref-format(1) lets a branch begin with, and no
// command takes for an option.
func isBranchPrefix(value string) bool {
	name := strings.TrimSuffix(value, "/")
	if name == "" || name[0] == '-' || strings.ContainsAny(name, " ~^:?*[\\\x7f") || strings.Contains(name, "..") || strings.Contains(name, "@{") ||
		strings.ContainsFunc(name, func(c rune) bool { return c < ' ' }) {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part[0] == '.' || strings.HasSuffix(part, ".lock") || strings.HasSuffix(part, ".") {
			return false
		}
	}
	return true
}
