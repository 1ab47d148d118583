package setup

import (
	"regexp"
	"sync"
)

// lazy is an expression that is compiled when it is first used: every command
// pays for what is compiled at its start.
func lazy(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
