package manual

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// Commands are the commands that have a page of their own, in the order of the
// command line.
func Commands(model *kong.Application) []string {
	var names []string
	for _, n := range model.Children {
		if n.Type == kong.CommandNode && !n.Hidden {
			names = append(names, n.Name)
		}
	}
	return names
}

// Command makes the page of a command: what the command line says about it,
// and the prose.
func Command(model *kong.Application, name string) (*Page, error) {
	i := slices.IndexFunc(model.Children, func(n *kong.Node) bool { return n.Type == kong.CommandNode && n.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("there is no command %q", name)
	}
	node := model.Children[i]
	text, err := readProse(name)
	if err != nil {
		return nil, err
	}
	page := &Page{Name: "git-agent-" + name, Section: 1, Summary: summary(node.Help)}
	page.Parts = append(page.Parts, Part{"SYNOPSIS", usages(node, text.head["usage"])})
	about := text.parts
	if len(about) > 0 && about[0].Title == description {
		if len(about[0].Blocks) == 0 {
			about[0].Blocks = explained(node)
		}
		page.Parts = append(page.Parts, about[0])
		about = about[1:]
	} else {
		page.Parts = append(page.Parts, Part{description, explained(node)})
	}
	if commands := subcommands(node); len(commands) > 0 {
		page.Parts = append(page.Parts, Part{"COMMANDS", commands})
	}
	page.Parts = append(page.Parts, Part{"OPTIONS", options(node)})
	page.Parts = append(page.Parts, about...)
	page.seeAlso(text.head["see"])
	return page, nil
}

// Topic makes a page that is about no command, as "config.5".
func Topic(name string) (*Page, error) {
	topic, section, ok := strings.Cut(name, ".")
	if !ok || len(section) != 1 || section[0] < '1' || section[0] > '9' {
		return nil, fmt.Errorf("%q is no topic", name)
	}
	text, err := readProse(name)
	if err != nil {
		return nil, err
	}
	if text.head["summary"] == "" {
		return nil, fmt.Errorf("there is no page about %q", topic)
	}
	page := &Page{Name: "git-agent-" + topic, Section: int(section[0] - '0'), Summary: text.head["summary"], Parts: text.parts}
	page.seeAlso(text.head["see"])
	return page, nil
}

// seeAlso ends every page: the main one, and what the prose names.
func (p *Page) seeAlso(more string) {
	names := append([]string{"git-agent(1)"}, strings.FieldsFunc(more, func(r rune) bool { return r == ' ' || r == ',' })...)
	for i, name := range names {
		at := strings.IndexByte(name, '(')
		if at < 0 {
			at = len(name)
		}
		names[i] = "`" + name[:at] + "`" + name[at:]
	}
	p.Parts = append(p.Parts, Part{"SEE ALSO", []Block{{Text: strings.Join(names, ", ")}}})
}

// summary is a help text as the NAME line has it.
func summary(help string) string {
	text := strings.TrimSuffix(help, ".")
	return strings.ToLower(text[:1]) + text[1:]
}

// explained is what the command line itself says about a command.
func explained(node *kong.Node) []Block {
	blocks := []Block{{Text: node.Help}}
	if node.Detail != "" {
		blocks = append(blocks, Block{Text: node.Detail})
	}
	return blocks
}

// subcommands explains each form of a command that has several.
func subcommands(node *kong.Node) []Block {
	found := leaves(node)
	if len(found) == 1 && found[0] == node {
		return nil
	}
	blocks := make([]Block, 0, len(found))
	for _, leaf := range found {
		def := Block{Kind: Definition, Term: strings.TrimSpace("`" + Path(leaf) + "` " + words(leaf)), Blocks: explained(leaf)}
		def.Blocks = append(def.Blocks, flags(leaf)...)
		blocks = append(blocks, def)
	}
	return blocks
}

func words(node *kong.Node) string {
	var out []string
	for _, p := range node.Positional {
		out = append(out, positional(p))
	}
	return strings.Join(out, " ")
}

// options explains a command's own arguments and flags, and says where the
// common ones are.
func options(node *kong.Node) []Block {
	var blocks []Block
	if found := leaves(node); len(found) == 1 && found[0] == node {
		for _, p := range node.Positional {
			blocks = append(blocks, Block{Kind: Definition, Term: positional(p), Blocks: []Block{{Text: p.Help}}})
		}
		blocks = append(blocks, flags(node)...)
	}
	return append(blocks, Block{Text: "The options that every command takes (`--run`, `--quiet`, `--color`, `--no-pager`) are in `git-agent`(1)."})
}

func flags(node *kong.Node) []Block {
	var blocks []Block
	for _, group := range node.AllFlags(true) {
		for _, f := range group {
			if own(node, f) {
				blocks = append(blocks, Block{Kind: Definition, Term: term(f), Blocks: []Block{{Text: f.Help}}})
			}
		}
	}
	return blocks
}

// term is a flag as its explanation begins.
func term(f *kong.Flag) string {
	long := "--" + f.Name
	if f.Tag.Negatable != "" {
		long = "--[no-]" + f.Name
	}
	text := "`" + long + "`"
	if v := value(f); v != "" {
		text += " " + v
	}
	if f.Short != 0 {
		text = "`-" + string(f.Short) + "`, " + text
	}
	return text
}
