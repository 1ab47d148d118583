package markdown

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// box is the check box of a task list's entry, as in "- [x] done".
type box struct {
	ast.BaseInline
	Checked bool
}

var kindBox = ast.NewNodeKind("box")

func (b *box) Kind() ast.NodeKind { return kindBox }

func (b *box) Dump(source []byte, level int) { ast.DumpHelper(b, source, level, nil, nil) }

// boxes reads them. The library has an extension for it, in a package that
// takes longer to start than all of ours together.
type boxes struct{}

func (boxes) Trigger() []byte { return []byte{'['} }

// Parse takes "[ ]", "[x]" or "[X]" and the blanks after it for a box where a
// list's entry begins with it.
func (boxes) Parse(parent ast.Node, block text.Reader, _ parser.Context) ast.Node {
	entry := parent.Parent()
	if entry == nil || entry.Kind() != ast.KindListItem || entry.FirstChild() != parent || parent.HasChildren() {
		return nil
	}
	line, _ := block.PeekLine()
	if len(line) < 3 || line[2] != ']' {
		return nil
	}
	checked := line[1] == 'x' || line[1] == 'X'
	if !checked && !util.IsSpace(line[1]) {
		return nil
	}
	n := 3
	for n < len(line) && util.IsSpace(line[n]) {
		n++
	}
	block.Advance(n)
	return &box{Checked: checked}
}

// newParser is CommonMark with boxes.
func newParser() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithInlineParsers(append(parser.DefaultInlineParsers(), util.Prioritized(boxes{}, 0))...), // before links
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...))
}
