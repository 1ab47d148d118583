package cli

import (
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/git-agent/git-agent/pkg/run"
)

// hintsOf are an error's hints, as they are to be typed.
func (a *app) hintsOf(err error) []string {
	hints := run.HintsOf(err)
	if len(hints) == 0 && run.CodeOf(err) == "UNKNOWN" {
		hints = []string{"git agent doctor"} // which looks at everything, and names what mends it
	}
	return a.typed(hints...)
}

// typed names a remote that was named by flag again in each command that takes
// one: without, it would ask another.
func (a *app) typed(commands ...string) []string {
	hints := slices.Clone(commands)
	if a.remote == "" || len(hints) == 0 {
		return hints
	}
	parser, errWhole := a.newParser()
	if errWhole != nil {
		return hints
	}
	for i, hint := range hints {
		hints[i] = withRemote(parser.Model.Node, hint, "--remote "+run.Quote(a.remote))
	}
	return hints
}

func withRemote(grammar *kong.Node, hint, flag string) string {
	var out []string
	words := strings.Split(hint, " ")
	for i := range words {
		out = append(out, words[i])
		for n := 1; n <= 2 && i-n > 0; n++ {
			if words[i-n-1] == "git" && words[i-n] == "agent" && takesRemote(grammar, words[i-n+1:], n) {
				out = append(out, flag)
			}
		}
	}
	return strings.Join(out, " ")
}

// takesRemote reports whether the first n words are the whole name of a command
// that follows or pushes a run.
func takesRemote(grammar *kong.Node, words []string, n int) bool {
	node, depth := grammar, 0
	for _, word := range words {
		at := slices.IndexFunc(node.Children, func(c *kong.Node) bool { return c.Name == word })
		if at < 0 {
			break
		}
		node, depth = node.Children[at], depth+1
	}
	if node.DefaultCmd != nil {
		node = node.DefaultCmd
	}
	return depth == n && slices.ContainsFunc(node.Flags, func(f *kong.Flag) bool { return f.Name == "remote" && !f.IsBool() })
}
