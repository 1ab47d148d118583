package landing

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"slices"
	"strings"
)

// PatchHash is the identity of a change whatever it was made on: the sum over
// its files of what is added, removed and kept beside it, without line numbers
// and, unless it is Exact, blanks, as git-patch-id(1) has it (`--verbatim`). A file
// whose change is not text counts by its exact contents, which git-patch-id
// leaves out. Equal ones are no proof: what else the file holds, and so where
// in it the change is, does not count.
//
// The change is written to it as git shows it, with full object ids, in pieces
// of any size: none of it is kept. The zero value is ready.
type PatchHash struct {
	Exact bool // blanks count; set before anything is written

	files []string // sums of the files before this one

	file  hash.Hash // of the file that is being read, nil before the first
	hunks bool      // its header is over
	index []byte    // the header's line with its ids

	line lineKind
	head []byte // how the line begins, until its kind is known
}

// lineKind is what becomes of a line.
type lineKind int

const (
	lineUnknown lineKind = iota // too little of it was seen
	lineHashed
	lineIndex
	lineSkipped
)

const (
	fileLine  = "diff --git "
	hunkLine  = "@@ "
	indexLine = "index "
	noteLine  = `\ ` // no newline at the end
)

// Write takes the next piece of the change; it never fails.
func (p *PatchHash) Write(b []byte) (int, error) {
	n := len(b)
	for len(b) > 0 {
		line, rest, ended := bytes.Cut(b, []byte{'\n'})
		p.part(line)
		if ended {
			p.end()
		}
		b = rest
	}
	return n, nil
}

// part is the next piece of a line.
func (p *PatchHash) part(b []byte) {
	if p.line == lineUnknown {
		n := min(len(b), len(fileLine)-len(p.head))
		p.head, b = append(p.head, b[:n]...), b[n:]
		if len(p.head) < len(fileLine) {
			return
		}
		p.decide()
	}
	p.take(b)
}

// end is a line's end.
func (p *PatchHash) end() {
	if p.line == lineUnknown {
		p.decide()
	}
	if p.line == lineHashed && p.file != nil {
		_, _ = p.file.Write([]byte{'\n'})
	}
	p.line, p.head = lineUnknown, p.head[:0]
}

// decide says what a line is, by how it begins.
func (p *PatchHash) decide() {
	head := string(p.head)
	p.line = lineHashed
	switch {
	case head == fileLine:
		p.endFile()
		p.file, p.hunks, p.index = sha256.New(), false, nil
		return // the names behind it count
	case strings.HasPrefix(head, hunkLine):
		p.hunks, p.line = true, lineSkipped
	case strings.HasPrefix(head, indexLine) && !p.hunks:
		p.line = lineIndex
	case strings.HasPrefix(head, noteLine) && !p.Exact:
		p.line = lineSkipped
	}
	p.take(p.head)
}

func (p *PatchHash) take(b []byte) {
	switch {
	case p.file == nil:
	case p.line == lineIndex:
		p.index = append(p.index, b...) // with the mode at its end, where that stays
	case p.line == lineHashed && p.Exact:
		_, _ = p.file.Write(b)
	case p.line == lineHashed:
		for word := range bytes.FieldsFuncSeq(b, func(r rune) bool { return r == ' ' || r == '\t' || r == '\r' }) {
			_, _ = p.file.Write(word)
		}
	}
}

func (p *PatchHash) endFile() {
	if p.file == nil {
		return
	}
	if !p.hunks {
		_, _ = p.file.Write(p.index)
	}
	p.files = append(p.files, string(p.file.Sum(nil)))
}

// ID is the identity of what was written; "" is the identity of no change at
// all. It ends the hash.
func (p *PatchHash) ID() string {
	if len(p.head) > 0 || p.line != lineUnknown {
		p.end()
	}
	p.endFile()
	p.file = nil
	if len(p.files) == 0 {
		return ""
	}
	slices.Sort(p.files)
	sum := sha256.Sum256([]byte(strings.Join(p.files, "")))
	return hex.EncodeToString(sum[:])
}
