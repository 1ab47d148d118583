package cli

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/git-agent/git-agent/internal/ui"
	"github.com/git-agent/git-agent/pkg/run"
)

// complete is the hidden command that shells ask: `__complete WORD…`, the last
// word being the one that is typed. It prints what fits, a line each, with a
// tab before its explanation; nothing means files. It never fails, asks no
// remote and gives up after a second: a person waits at the keyboard.
const complete = "__complete"

const completeTime = time.Second

// offer is one thing that fits.
type offer struct{ word, says string }

// completeWords answers a shell; whatever goes wrong is silence.
func (a *app) completeWords(words []string) int {
	ctx, cancel := context.WithTimeout(a.ctx, completeTime)
	defer cancel()
	a.ctx = ctx
	a.Env = append(a.Env, "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1")
	a.grammar.Quiet = true
	parser, err := a.newParser()
	if err != nil || len(words) == 0 {
		return run.ExitDone
	}
	var b strings.Builder
	for _, o := range a.offers(parser.Model, words) {
		b.WriteString(ui.Escape(o.word))
		if o.says != "" {
			b.WriteString("\t" + ui.Escape(o.says))
		}
		b.WriteByte('\n')
	}
	_, _ = a.Out.WriteString(b.String())
	return run.ExitDone
}

// typedSoFar is what the words before the last one say.
type typedSoFar struct {
	node    *kong.Node
	args    int        // positionals that are given
	pending *kong.Flag // takes the word that is typed now
	run     string     // --run, or the positional of that name
	over    bool       // behind `--`: somebody else's command line
}

func (a *app) offers(model *kong.Application, words []string) []offer {
	at := read(model, words[:len(words)-1])
	word := words[len(words)-1]
	var found []offer
	switch name, _, given := strings.Cut(word, "="); {
	case at.over:
	case at.pending != nil:
		found = a.values(at, at.pending.Value)
	case given && strings.HasPrefix(name, "--"):
		if f := flagOf(at.node, name); f != nil {
			for _, o := range a.values(at, f.Value) {
				found = append(found, offer{name + "=" + o.word, o.says})
			}
		}
	case strings.HasPrefix(word, "-"):
		found = flagOffers(at.node)
	default:
		found = a.wordOffers(at)
	}
	return slices.DeleteFunc(found, func(o offer) bool { return !strings.HasPrefix(o.word, word) })
}

// read follows the words that are complete.
func read(model *kong.Application, words []string) typedSoFar {
	at := typedSoFar{node: model.Node}
	for _, word := range words {
		switch {
		case at.pending != nil:
			if at.pending.Name == "run" {
				at.run = word
			}
			at.pending = nil
		case word == "--":
			at.over = true
			return at
		case strings.HasPrefix(word, "-"):
			name, value, given := strings.Cut(word, "=")
			f := flagOf(at.node, name)
			if f != nil && !given && !f.IsBool() {
				at.pending = f
			}
			if f != nil && given && f.Name == "run" {
				at.run = value
			}
		default:
			at.word(word)
		}
	}
	return at
}

// word is a subcommand, else a positional.
func (t *typedSoFar) word(word string) {
	for _, child := range t.node.Children {
		if t.args == 0 && child.Type == kong.CommandNode && child.Name == word {
			t.node = child
			return
		}
	}
	if p := t.positional(); p != nil && p.Name == "run" {
		t.run = word
	}
	t.args++
}

// positional is the argument that comes next, of the command itself or of the
// subcommand that is meant where none is named.
func (t *typedSoFar) positional() *kong.Positional {
	all := t.node.Positional
	if len(all) == 0 && t.node.DefaultCmd != nil {
		all = t.node.DefaultCmd.Positional
	}
	if t.args < len(all) {
		return all[t.args]
	}
	if n := len(all); n > 0 && all[n-1].IsCumulative() {
		return all[n-1]
	}
	return nil
}

func flagOf(node *kong.Node, name string) *kong.Flag {
	for _, group := range node.AllFlags(false) {
		for _, f := range group {
			if name == "--"+f.Name || f.Short != 0 && name == "-"+string(f.Short) {
				return f
			}
		}
	}
	return nil
}

func flagOffers(node *kong.Node) []offer {
	var found []offer
	for _, group := range node.AllFlags(true) {
		for _, f := range group {
			word := "--" + f.Name
			if f.Tag.Negatable != "" {
				found = append(found, offer{"--no-" + f.Name, f.Help})
			}
			if !f.IsBool() {
				word += "="
			}
			found = append(found, offer{word, f.Help})
		}
	}
	return found
}

// isComplete tells the shells' question from a person's command line.
func isComplete(args []string) bool { return len(args) > 0 && args[0] == complete }
