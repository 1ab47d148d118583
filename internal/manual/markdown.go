package manual

import (
	"fmt"
	"io"
	"strings"
)

// Markdown writes the page for docs/: what is typed and what stands for
// something keeps its marks, which are Markdown's own.
func (p *Page) Markdown(w io.Writer, title string) error {
	b := &strings.Builder{}
	fmt.Fprintf(b, "# %s\n", title)
	for _, part := range p.Parts {
		if part.Title != description {
			fmt.Fprintf(b, "\n## %s\n", part.Title[:1]+strings.ToLower(part.Title[1:]))
		}
		markdownBlocks(b, part.Blocks)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func markdownBlocks(b *strings.Builder, blocks []Block) {
	for _, block := range blocks {
		switch block.Kind {
		case Paragraph, Usage:
			fmt.Fprintf(b, "\n%s\n", strings.TrimSpace(block.Term+" "+block.Text))
		case Heading:
			fmt.Fprintf(b, "\n### %s\n", block.Text)
		case Code:
			fmt.Fprintf(b, "\n```sh\n%s\n```\n", block.Text)
		case Definition:
			fmt.Fprintf(b, "\n**%s**", strings.ReplaceAll(block.Term, "*", ""))
			for i, inner := range block.Blocks {
				if i == 0 {
					fmt.Fprintf(b, "  \n%s\n", inner.Text)
					continue
				}
				markdownBlocks(b, block.Blocks[i:i+1])
			}
		}
	}
}
