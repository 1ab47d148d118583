package ui

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"golang.org/x/term"
)

const (
	liveLines   = 5                      // of output that are shown
	liveTick    = 200 * time.Millisecond // between two pictures
	liveLongest = 4 << 10                // bytes of one line of output that are kept
)

// Live is a picture at the lower end of a terminal that is drawn again in
// place: a headline and the last lines of what a process prints, foreign text
// escaped. Lines given to Say stay above it. It never reads the keyboard.
type Live struct {
	out  *os.File
	s    Streams
	head func() string

	guard  sync.Mutex
	lines  []string // whole lines of output, the newest last
	part   []byte   // of the line that is being written
	drawn  int      // rows of the picture on the screen
	closed bool
	quit   chan struct{}
	over   sync.WaitGroup
}

// NewLive begins a picture on the terminal that is s.Err; head is asked for
// the headline, as often as it is drawn. "" shows no picture.
func NewLive(s Streams, terminal *os.File, head func() string) *Live {
	l := &Live{out: terminal, s: s, head: head, quit: make(chan struct{})}
	l.over.Go(func() {
		every := time.NewTicker(liveTick)
		defer every.Stop()
		for {
			select {
			case <-l.quit:
				return
			case <-every.C:
				l.change(func() {})
			}
		}
	})
	return l
}

// Write takes what a process prints.
func (l *Live) Write(p []byte) (int, error) {
	l.guard.Lock()
	defer l.guard.Unlock()
	for _, b := range p {
		if b == '\n' || b == '\r' {
			l.endLine()
		} else if len(l.part) < liveLongest {
			l.part = append(l.part, b)
		}
	}
	return len(p), nil
}

// endLine: a carriage return ends a line as well, so that a progress bar shows
// its newest state.
func (l *Live) endLine() {
	if len(l.part) == 0 {
		return
	}
	l.lines = append(l.lines, string(l.part))
	l.lines = l.lines[max(0, len(l.lines)-liveLines):]
	l.part = l.part[:0]
}

// Clear forgets the output: another process begins.
func (l *Live) Clear() {
	l.guard.Lock()
	defer l.guard.Unlock()
	l.lines, l.part = nil, l.part[:0]
}

// Say lets something write lines that stay, above the picture.
func (l *Live) Say(write func()) { l.change(write) }

// Close takes the picture away.
func (l *Live) Close() {
	close(l.quit)
	l.over.Wait()
	l.change(func() { l.closed = true })
}

// change takes the picture away, lets something happen, and draws it again.
func (l *Live) change(what func()) {
	l.guard.Lock()
	defer l.guard.Unlock()
	if l.drawn > 0 {
		_, _ = fmt.Fprintf(l.out, "\r\x1b[%dA\x1b[J", l.drawn)
		l.drawn = 0
	}
	what()
	if l.closed {
		return
	}
	rows := l.picture()
	l.drawn = len(rows)
	if len(rows) > 0 {
		_, _ = io.WriteString(l.out, strings.Join(rows, "\n")+"\n")
	}
}

// picture is what is drawn, each row short enough to stay on one line.
func (l *Live) picture() []string {
	head := l.head()
	if head == "" {
		return nil
	}
	width, height, err := term.GetSize(int(l.out.Fd()))
	if err != nil || width < 2 {
		width, height = defaultWidth, liveLines+1
	}
	lines := l.lines
	if len(l.part) > 0 {
		lines = append(lines[:len(lines):len(lines)], string(l.part))
	}
	lines = lines[max(0, len(lines)-min(liveLines, height-2)):]
	rows := []string{paint(l.s.ErrColor, Bold, l.cut(head, width-1))}
	for _, line := range lines {
		rows = append(rows, paint(l.s.ErrColor, Faint, l.cut("  "+line, width-1)))
	}
	return rows
}

// sequence is what a program says to a terminal (ECMA-48, 5.4 and 5.6): colours
// and moves of the cursor, titles. There is no place for it in a picture.
var sequence = regexp.MustCompile(`\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)`)

func (l *Live) cut(text string, columns int) string {
	text = strings.ReplaceAll(sequence.ReplaceAllString(text, ""), "\t", "    ")
	for i := 0; i < utf8.UTFMax-1 && len(text) > 0; i++ { // a character whose rest is still to come
		if r, size := utf8.DecodeLastRuneInString(text); r != utf8.RuneError || size != 1 {
			break
		}
		text = text[:len(text)-1]
	}
	return truncate(Escape(text), columns, l.s.Glyph(Ellipsis))
}
