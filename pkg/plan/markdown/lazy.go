package markdown

import (
	"regexp"
	"sync"
)

// lazy is an expression that is compiled when it is first used: every command
// would pay for them at its start, and hardly any reads Markdown.
func lazy(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
