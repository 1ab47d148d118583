package ui

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
)

// WriteJSON writes v as one object on one line: fields in the order of the
// struct, '<', '>' and '&' as they are, and what [Escape] would not let
// through to a terminal as \uNNNN, which is the same string to a parser.
func WriteJSON(w io.Writer, v any) error { return NewJSONWriter(w).Write(v) }

// JSONWriter is [WriteJSON] for many objects. It gathers nothing: whoever has
// thousands of them hands it a [bufio.Writer].
type JSONWriter struct {
	out     io.Writer
	encoded bytes.Buffer
	encoder *json.Encoder
}

// NewJSONWriter writes to w.
func NewJSONWriter(w io.Writer) *JSONWriter {
	j := &JSONWriter{out: w}
	j.encoder = json.NewEncoder(&j.encoded)
	j.encoder.SetEscapeHTML(false)
	return j
}

// Write writes one object, in one call of the writer below.
func (j *JSONWriter) Write(v any) error {
	j.encoded.Reset()
	if err := j.encoder.Encode(v); err != nil {
		return err
	}
	line := bytes.TrimSuffix(j.encoded.Bytes(), []byte("\n"))
	_, err := j.out.Write(append(escapeJSON(line), '\n'))
	return err
}

const del = 0x7f

// isASCII looks at eight bytes at a time: it is asked about megabytes.
func isASCII(b []byte) bool {
	const high = 0x8080808080808080
	for ; len(b) >= 8; b = b[8:] {
		if binary.LittleEndian.Uint64(b)&high != 0 {
			return false
		}
	}
	for _, c := range b {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

// escapeJSON works on the encoded text: unsafe characters are only possible
// inside its strings, and the encoder leaves valid UTF-8 only.
func escapeJSON(line []byte) []byte {
	if isASCII(line) && bytes.IndexByte(line, del) < 0 { // no encoder leaves C0 raw
		return line
	}
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
