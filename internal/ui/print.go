package ui

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// Format is how a command prints its results.
type Format int

// The formats: for a person, or one JSON object a line (--json).
const (
	Text Format = iota
	JSON
)

// Report is a result: its exported fields are the JSON contract, Text writes
// it for a person.
type Report interface {
	Text(s Streams) error
}

// Printer writes results to Out in one format.
type Printer interface {
	Print(r Report) error
}

// NewPrinter returns the printer of a format.
func NewPrinter(s Streams, f Format) Printer {
	if f == JSON {
		return jsonPrinter{s.Out}
	}
	return textPrinter{s}
}

type textPrinter struct{ s Streams }

func (p textPrinter) Print(r Report) error { return r.Text(p.s) }

type jsonPrinter struct{ w io.Writer }

func (p jsonPrinter) Print(r Report) error { return WriteJSON(p.w, r) }

// WriteJSON writes v as one object on one line: fields in the order of the
// struct, '<', '>' and '&' as they are, and what [Escape] would not let
// through to a terminal as \uNNNN, which is the same string to a parser.
func WriteJSON(w io.Writer, v any) error {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	line := bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
	_, err := w.Write(append(escapeJSON(line), '\n'))
	return err
}

// escapeJSON works on the encoded text: unsafe characters are only possible
// inside its strings, and the encoder leaves valid UTF-8 only.
func escapeJSON(line []byte) []byte {
	if !bytes.ContainsFunc(line, func(r rune) bool { return !isSafe(r) }) {
		return line
	}
	var out []byte
	for _, r := range string(line) {
		switch {
		case isSafe(r):
			out = append(out, string(r)...)
		case r > 0xffff:
			const high, low, base = 0xd800, 0xdc00, 0x10000 // UTF-16 pair
			out = fmt.Appendf(out, `\u%04x\u%04x`, high+(r-base)>>10, low+(r-base)&0x3ff)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
	}
	return out
}
