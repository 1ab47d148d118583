package ui

import (
	"bufio"
	"strings"
)

// gap separates two columns.
const gap = "  "

// Cell is one field of a table. Text is escaped by the table.
type Cell struct {
	Text  string
	Style Style
}

// Plain is a cell in the terminal's own colour.
func Plain(text string) Cell { return Cell{Text: text} }

// Painted is a cell in a colour of its own.
func Painted(st Style, text string) Cell { return Cell{Text: text, Style: st} }

// Table collects rows and writes them to Out with aligned columns. On a
// terminal each row stays on one line: the widest columns are cut until it
// fits. In a pipe nothing is cut.
type Table struct {
	// Keep is the number of leading columns that are never cut, because
	// people copy what stands there.
	Keep int

	s    Streams
	rows [][]Cell
}

// NewTable makes an empty table for s.Out.
func NewTable(s Streams) *Table { return &Table{s: s} }

// Row adds a row; rows may have different numbers of cells.
func (t *Table) Row(cells ...Cell) {
	row := make([]Cell, len(cells))
	for i, c := range cells {
		row[i] = Cell{Text: Escape(c.Text), Style: c.Style}
	}
	t.rows = append(t.rows, row)
}

// Flush writes what was collected and empties the table.
func (t *Table) Flush() error {
	widths := t.fit(t.natural())
	w := bufio.NewWriter(t.s.Out)
	for _, row := range t.rows {
		_, _ = w.WriteString(t.line(row, widths)) // Flush has the error
	}
	t.rows = nil
	return w.Flush()
}

// natural is the width that each column would like to have.
func (t *Table) natural() []int {
	var widths []int
	for _, row := range t.rows {
		for i, c := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], displayWidth(c.Text))
		}
	}
	return widths
}

// fit takes columns away from the widest until a line fits.
func (t *Table) fit(widths []int) []int {
	if t.s.Width <= 0 || len(widths) == 0 {
		return widths
	}
	total := (len(widths) - 1) * len(gap)
	for _, w := range widths {
		total += w
	}
	for ; total > t.s.Width; total-- {
		widest := -1
		for i := t.Keep; i < len(widths); i++ {
			if widths[i] > 1 && (widest < 0 || widths[i] >= widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			break
		}
		widths[widest]--
	}
	return widths
}

// line is one row without spaces at its end.
func (t *Table) line(row []Cell, widths []int) string {
	for len(row) > 0 && row[len(row)-1].Text == "" {
		row = row[:len(row)-1]
	}
	var b strings.Builder
	for i, c := range row {
		text := truncate(c.Text, widths[i], t.s.Glyph(Ellipsis))
		b.WriteString(paint(t.s.Color, c.Style, text))
		if i < len(row)-1 {
			b.WriteString(pad("", widths[i]-displayWidth(text)) + gap)
		}
	}
	b.WriteByte('\n')
	return b.String()
}
