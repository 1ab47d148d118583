package plan

import (
	"strings"
)

// splitter walks a line once.
type splitter struct {
	text  string
	at    int
	found []simple

	now   simple
	word  strings.Builder
	open  bool // a word has begun, be it empty
	skips bool // the next word is where output goes
}

// list reads commands up to a closing character; 0 is the end of the text.
func (s *splitter) list(closing byte, inner bool) {
	outer := s.now
	s.now = simple{inner: inner}
	for s.at < len(s.text) {
		ch := s.text[s.at]
		s.at++
		if ch == closing && closing != 0 {
			break
		}
		s.next(ch, inner)
	}
	s.end("")
	s.now = outer
}

func (s *splitter) next(ch byte, inner bool) {
	switch ch {
	case '\\':
		s.escaped()
	case '\'', '"':
		s.quoted(ch)
	case '`':
		s.substitution(ch)
	case '>', '<':
		s.redirection(ch)
	case ' ', '\t':
		s.endWord()
	case '\n', ';':
		s.end(";")
	case '(', ')':
		s.end(s.now.after)
	case '|', '&':
		s.operator(ch)
	default:
		s.plain(ch)
	}
	s.now.inner = inner
}

// plain is a character of a word, or what begins a comment or a substitution.
func (s *splitter) plain(ch byte) {
	switch {
	case ch == '$' && s.peek() == '(':
		s.substitution(ch)
	case ch == '#' && !s.open:
		for s.at < len(s.text) && s.text[s.at] != '\n' {
			s.at++
		}
	default:
		s.put(ch)
	}
}

// escaped is a backslash: the next character is of the word, or the line goes on.
func (s *splitter) escaped() {
	if s.at == len(s.text) {
		return
	}
	if s.text[s.at] != '\n' {
		s.put(s.text[s.at])
	}
	s.at++
}

func (s *splitter) peek() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

func (s *splitter) put(ch byte) {
	s.word.WriteByte(ch)
	s.open = true
}

// quoted reads to the closing quote; in double quotes commands are substituted.
func (s *splitter) quoted(mark byte) {
	s.open = true
	for s.at < len(s.text) {
		ch := s.text[s.at]
		s.at++
		switch {
		case ch == mark:
			return
		case mark == '"' && ch == '\\' && strings.IndexByte("\"\\$`", s.peek()) >= 0 && s.peek() != 0:
			s.put(s.text[s.at])
			s.at++
		case mark == '"' && (ch == '`' || ch == '$' && s.peek() == '('):
			s.substitution(ch)
		default:
			s.word.WriteByte(ch)
		}
	}
}

// substitution reads a command in $(…) or `…` and leaves a mark in the word.
func (s *splitter) substitution(ch byte) {
	s.put('$')
	closing := ch
	if ch == '$' {
		s.at++
		closing = ')'
	}
	word, open := s.word.String(), s.open
	s.word.Reset()
	s.open = false
	s.list(closing, true)
	s.word.WriteString(word)
	s.open = open
}

func (s *splitter) redirection(ch byte) {
	if strings.Trim(s.word.String(), "0123456789") == "" {
		s.word.Reset() // a descriptor's number
		s.open = false
	}
	s.endWord()
	if ch == '<' && s.peek() == '<' { // a here-document: what follows is no command
		s.at = len(s.text)
		return
	}
	for s.peek() == '>' || s.peek() == '&' || s.peek() == '|' {
		s.at++
	}
	s.skips = ch == '>'
}

func (s *splitter) operator(ch byte) {
	doubled := s.peek() == ch
	if doubled {
		s.at++
	} else if ch == '|' && s.peek() == '&' {
		s.at++
	}
	switch {
	case doubled:
		s.end(string(ch) + string(ch))
	case ch == '|':
		s.endWord()
		s.now.pipes = true
		s.end("|")
	default:
		s.end(";")
	}
}

func (s *splitter) endWord() {
	if s.open && !s.skips {
		s.now.words = append(s.now.words, s.word.String())
	}
	s.skips = s.skips && !s.open
	s.word.Reset()
	s.open = false
}

// end closes a command; after is the operator before the next one.
func (s *splitter) end(after string) {
	s.endWord()
	s.skips = false
	s.now.words = stripped(s.now.words)
	if len(s.now.words) > 0 {
		s.found = append(s.found, s.now)
	}
	s.now = simple{after: after, inner: s.now.inner}
}
