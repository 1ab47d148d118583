package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
)

// text is a block's own text, without marks.
func (w *walk) text(n ast.Node) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // never fails: nothing in it does
		switch n := n.(type) {
		case *ast.Text:
			if entering {
				b.Write(n.Segment.Value(w.source))
				if n.SoftLineBreak() || n.HardLineBreak() {
					b.WriteByte('\n')
				}
			}
		case *ast.CodeSpan:
			b.WriteByte('`')
		case *ast.AutoLink:
			if entering {
				b.Write(n.URL(w.source))
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.TrimSpace(b.String())
}

// raw is a block as it was written, without the indentation of what it is in.
func (w *walk) raw(n ast.Node) string {
	if list, ok := n.(*ast.List); ok {
		var items []string
		for one := list.FirstChild(); one != nil; one = one.NextSibling() {
			items = append(items, "- "+strings.ReplaceAll(w.raw(one), "\n", "\n  "))
		}
		return strings.Join(items, "\n")
	}
	if n.Type() == ast.TypeBlock && n.Lines().Len() > 0 {
		var b strings.Builder
		for i := range n.Lines().Len() {
			line := n.Lines().At(i)
			b.Write(line.Value(w.source))
		}
		return strings.TrimRight(b.String(), "\n ")
	}
	var parts []string
	for one := n.FirstChild(); one != nil; one = one.NextSibling() {
		if one.Type() == ast.TypeBlock {
			parts = append(parts, w.raw(one))
		}
	}
	return strings.Join(parts, "\n")
}
