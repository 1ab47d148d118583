package manual

import (
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// usages are the forms of a command: one for each subcommand that is run.
func usages(node *kong.Node, more string) []Block {
	var blocks []Block
	for _, leaf := range leaves(node) {
		text := arguments(leaf)
		if leaf == node && more != "" {
			text = strings.TrimSpace(text + " " + strings.ReplaceAll(more, " ", "\u00a0"))
		}
		blocks = append(blocks, Block{Kind: Usage, Term: "git agent " + Path(leaf), Text: text})
	}
	return blocks
}

// leaves are the commands below a node that can be run, itself where it has none.
func leaves(node *kong.Node) []*kong.Node {
	var found []*kong.Node
	for _, child := range node.Children {
		if child.Type == kong.CommandNode && !child.Hidden {
			found = append(found, leaves(child)...)
		}
	}
	if found == nil {
		return []*kong.Node{node}
	}
	return found
}

// Path is a command as it is typed behind `git agent`.
func Path(node *kong.Node) string {
	if node.Parent != nil && node.Parent.Type == kong.CommandNode {
		return Path(node.Parent) + " " + node.Name
	}
	return node.Name
}

// arguments are a command's own positionals and flags, as a synopsis has them.
func arguments(node *kong.Node) string {
	var words []string
	for _, p := range node.Positional {
		words = append(words, positional(p))
	}
	for _, group := range node.AllFlags(true) {
		for _, f := range group {
			if own(node, f) {
				words = append(words, bracket(f))
			}
		}
	}
	return strings.Join(words, " ")
}

// positional names an argument; kong's own brackets are dropped first.
func positional(p *kong.Positional) string {
	word := "<" + strings.ToLower(p.Name) + ">"
	if p.IsCumulative() {
		word += "..."
	}
	if !p.Required {
		return "[" + word + "]"
	}
	return word
}

func bracket(f *kong.Flag) string {
	text := "--" + f.Name
	if f.Tag.Negatable != "" {
		text = "--[no-]" + f.Name
	}
	if v := value(f); v != "" {
		text += "=" + v
	}
	if f.Short != 0 {
		text = "-" + string(f.Short) + "|" + text
	}
	text = "[" + strings.ReplaceAll(text, " ", "\u00a0") + "]"
	if f.IsCumulative() {
		text += "..."
	}
	return text
}

// own: a flag of this command, not of the whole command line.
func own(node *kong.Node, f *kong.Flag) bool {
	if f.Name == "help" || f.Hidden {
		return false
	}
	root := node
	for root.Parent != nil {
		root = root.Parent
	}
	return !slices.Contains(root.Flags, f)
}

// value is what a flag takes, "" for a switch.
func value(f *kong.Flag) string {
	if f.IsBool() || f.IsCounter() {
		return ""
	}
	name := f.PlaceHolder
	if name == "" {
		name = f.Name
	}
	return "<" + strings.ToLower(name) + ">"
}
