package landing

import (
	"bytes"
	"strconv"
)

// Places is where a change is made, line by line. It is written to as a
// [PatchHash] is, and as little of it is kept. The zero value is ready.
type Places struct {
	files map[string][]place // by the line that begins a file
	file  string
	line  []byte // how the line begins
	at    int    // the next line of the old side
	text  bool   // in a hunk
	open  bool   // a place goes on
}

// place is one stretch of lines that others take the place of.
type place struct{ at, gone, come int }

// mostOfLine is more than the lines take of which more than the first byte counts.
const mostOfLine = 64 << 10

// Write takes the next piece of the change; it never fails.
func (p *Places) Write(b []byte) (int, error) {
	n := len(b)
	for len(b) > 0 {
		line, rest, ended := bytes.Cut(b, []byte{'\n'})
		p.line = append(p.line, line[:min(len(line), mostOfLine-len(p.line))]...)
		if ended {
			p.end()
			p.line = p.line[:0]
		}
		b = rest
	}
	return n, nil
}

func (p *Places) end() {
	switch line := p.line; {
	case bytes.HasPrefix(line, []byte(fileLine)):
		p.file, p.text, p.open = string(line), false, false
	case bytes.HasPrefix(line, []byte(hunkLine)):
		p.at, p.text, p.open = begins(line), true, false
	case !p.text || len(line) > 0 && line[0] == '\\': // no newline at the end
	case len(line) > 0 && line[0] == '-':
		p.place().gone++
		p.at++
	case len(line) > 0 && line[0] == '+':
		p.place().come++
	default:
		p.at, p.open = p.at+1, false
	}
}

// begins is the first line that a hunk shows of the old side. Of none it names
// the line before.
func begins(hunk []byte) int {
	old, _, _ := bytes.Cut(hunk[len(hunkLine)+1:], []byte(" "))
	from, count, _ := bytes.Cut(old, []byte(","))
	at, _ := strconv.Atoi(string(from))
	if string(count) == "0" {
		at++
	}
	return at
}

func (p *Places) place() *place {
	if p.files == nil {
		p.files = map[string][]place{}
	}
	all := p.files[p.file]
	if !p.open {
		all, p.open = append(all, place{at: p.at}), true
		p.files[p.file] = all
	}
	return &all[len(all)-1]
}

// SamePlace reports whether made, a change that is the same text as wanted, is
// made at the same place of each file, where between is what lies between what
// both were made on. The same line in another block of a file is another change.
func SamePlace(wanted, made, between *Places) bool {
	for file, want := range wanted.files {
		have := made.files[file]
		if len(have) != len(want) {
			return false
		}
		for i, w := range want {
			if at, ok := w.after(between.files[file]); !ok || at != have[i].at {
				return false
			}
		}
	}
	return true
}

// after is where a place is after earlier changes; ok is false where one of
// them is to its lines.
func (w place) after(changes []place) (at int, ok bool) {
	at = w.at
	for _, c := range changes {
		switch {
		case c.at+c.gone <= w.at:
			at += c.come - c.gone
		case c.at < w.at+w.gone:
			return 0, false
		}
	}
	return at, true
}
