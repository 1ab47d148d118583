package run

import (
	"strconv"
	"time"
)

// again is the command that goes on as this one, with another limit where that is
// not 0: what was given by flag is nowhere else. Not --trust, which is remembered,
// and not --takeover, which was for the holder of that moment.
func (l *loop) again(limit int) string {
	command, r := "git agent run "+l.last.run, l.req
	if limit == 0 {
		limit = r.MaxAttempts
	}
	for _, flag := range []struct{ name, value string }{
		{"max-attempts", given(limit, strconv.Itoa)}, {"until", r.Until}, {"budget-time", given(r.Budget, time.Duration.String)},
		{"trust-plan", r.Trust.Digest}, {"agent", r.Agent},
	} {
		if flag.value != "" {
			command += " --" + flag.name + " " + quoteArg(flag.value)
		}
	}
	return command
}

// given is a value as text, "" where it is none.
func given[T ~int | ~int64](value T, text func(T) string) string {
	if value == 0 {
		return ""
	}
	return text(value)
}
