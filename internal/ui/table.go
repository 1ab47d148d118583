package ui

import (
	"bufio"
	"strings"
)

// gap separates two columns.
const gap = "  "

// Buffered is how much output of thousands of lines is gathered for one write.
const Buffered = 64 << 10

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
	rows [][]cell
}

// cell is an escaped one, and how many columns it takes.
type cell struct {
	Cell
	columns int
}

// NewTable makes an empty table for s.Out.
func NewTable(s Streams) *Table { return &Table{s: s} }

// Row adds a row; rows may have different numbers of cells.
func (t *Table) Row(cells ...Cell) {
	row := make([]cell, len(cells))
	for i, c := range cells {
		columns := len(c.Text)
		if !isPlain(c.Text) {
			c.Text = Escape(c.Text)
			columns = displayWidth(c.Text)
		}
		row[i] = cell{c, columns}
	}
	t.rows = append(t.rows, row)
}

// Flush writes what was collected and empties the table.
func (t *Table) Flush() error {
	widths := t.fit(t.natural())
	w := bufio.NewWriterSize(t.s.Out, Buffered)
	for _, row := range t.rows {
		t.line(w, row, widths)
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
			widths[i] = max(widths[i], c.columns)
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

// line writes one row without spaces at its end; w's Flush has the error.
func (t *Table) line(w *bufio.Writer, row []cell, widths []int) {
	for len(row) > 0 && row[len(row)-1].Text == "" {
		row = row[:len(row)-1]
	}
	for i, c := range row {
		if c.columns > widths[i] {
			c.Text = truncate(c.Text, widths[i], t.s.Glyph(Ellipsis))
			c.columns = displayWidth(c.Text)
		}
		_, _ = w.WriteString(paint(t.s.Color, c.Style, c.Text))
		if i < len(row)-1 {
			_, _ = w.WriteString(strings.Repeat(" ", max(0, widths[i]-c.columns)+len(gap)))
		}
	}
	_ = w.WriteByte('\n')
}
