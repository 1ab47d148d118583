package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// lines stands before the sdk, which ends its session at the first line that is
// no message: such a line, a stray print of a client say, is answered as
// JSON-RPC has it, and the next one is read.
type lines struct {
	in      io.ReadCloser
	buffer  *bufio.Reader
	out     io.Writer
	longest int
	rest    []byte // of the message that is being handed over
	owed    *owed
}

func newLines(in io.ReadCloser, out io.Writer) *lines {
	return &lines{in: in, buffer: bufio.NewReaderSize(in, 64<<10), out: out, longest: sdk.DefaultMaxLineLength - 1, owed: newOwed()}
}

// Read hands over whole messages, each with its newline.
func (l *lines) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		line, err := l.next()
		if errors.Is(err, io.EOF) {
			l.owed.wait()
		}
		if err != nil {
			return 0, err
		}
		l.rest = line
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

func (l *lines) Close() error {
	l.owed.end()
	return l.in.Close()
}

// next is the next line where it is a message, else nothing.
func (l *lines) next() ([]byte, error) {
	line, whole, err := l.line()
	line = bytes.TrimSpace(line)
	switch {
	case whole && len(line) == 0:
		return nil, err
	case !whole:
		return nil, l.refuse(nil, jsonrpc.CodeParseError, fmt.Sprintf("the line is longer than %d bytes", l.longest))
	case !json.Valid(line):
		return nil, l.refuse(nil, jsonrpc.CodeParseError, "the line is no JSON")
	}
	var named struct{ ID json.RawMessage }
	_ = json.Unmarshal(line, &named) // what is no object has no id
	m, err := jsonrpc.DecodeMessage(line)
	switch {
	case err != nil:
		return nil, l.refuse(named.ID, jsonrpc.CodeInvalidRequest, "the line is no JSON-RPC 2.0 message; batches are not taken")
	case len(named.ID) > 0 && idOf(named.ID) == nil && string(named.ID) != "null":
		return nil, l.refuse(named.ID, jsonrpc.CodeInvalidRequest, "an id is a string or a whole number")
	}
	l.owed.asked(m)
	return append(line, '\n'), nil
}

// idOf is an id as the sdk keeps it; nil for one that it would answer under
// another: a fraction, or more than its numbers hold.
func idOf(raw json.RawMessage) any {
	var text string
	if json.Unmarshal(raw, &text) == nil && string(raw) != "null" {
		return text
	}
	const exact = 1 << 53
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil && -exact <= n && n <= exact {
		return n
	}
	return nil
}

// line reads to the next newline, or to the end; of one that is too long the
// rest is dropped.
func (l *lines) line() (line []byte, whole bool, err error) {
	whole = true
	for {
		part, err := l.buffer.ReadSlice('\n')
		if whole = whole && len(line)+len(part) <= l.longest; whole {
			line = append(line, part...)
		}
		switch {
		case err == nil, errors.Is(err, io.EOF) && (len(line) > 0 || !whole):
			return line, whole, nil // the end is met again
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, true, err
		}
	}
}

// refuse answers a line that is not handed over, with its id where one can be
// read that is one, else with null.
func (l *lines) refuse(id json.RawMessage, code int, why string) error {
	if len(id) == 0 || !strings.ContainsRune("\"-0123456789", rune(id[0])) {
		id = json.RawMessage("null")
	}
	text, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": code, "message": why}})
	if err == nil {
		_, err = l.out.Write(append(text, '\n'))
	}
	return err
}

// oneAtATime lets two writers share a stream: each message is one write.
type oneAtATime struct {
	io.WriteCloser
	mu sync.Mutex
}

func (o *oneAtATime) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.WriteCloser.Write(p)
}
