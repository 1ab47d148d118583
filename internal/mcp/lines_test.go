package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`

// read is what passes the lines, and the codes of what was answered to the rest.
func read(t *testing.T, in string, longest int) (passed string, codes []int) {
	t.Helper()
	var out bytes.Buffer
	l := newLines(io.NopCloser(iotest.HalfReader(strings.NewReader(in))), &out)
	l.longest = longest
	l.owed.end() // nobody answers here
	got, err := io.ReadAll(l)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		var answer struct {
			Version string `json:"jsonrpc"`
			ID      any    `json:"id"`
			Error   struct {
				Code    int
				Message string
			}
		}
		if err := json.Unmarshal([]byte(line), &answer); err != nil || answer.ID != nil || answer.Version != "2.0" || answer.Error.Message == "" {
			t.Errorf("answered %q: %v", line, err)
		}
		codes = append(codes, answer.Error.Code)
	}
	return string(got), codes
}

// What is no message is answered, and what follows it is read all the same.
func TestLines(t *testing.T) {
	for name, c := range map[string]struct {
		in    string
		codes []int
	}{
		"a message":       {ping + "\n", nil},
		"no newline":      {ping, nil},
		"blank and CR":    {"\n  \r\n" + ping + "\r\n", nil},
		"a stray print":   {"listening on :8080\n" + ping + "\n", []int{-32700}},
		"half a message":  {`{"jsonrpc":"2.0","id":1,"meth` + "\n" + ping + "\n", []int{-32700}},
		"two on one line": {ping + ping + "\n" + ping + "\n", []int{-32700}},
		"another value":   {"42\n" + ping + "\n", []int{-32600}},
		"another object":  {`{"level":"info"}` + "\n" + ping + "\n", []int{-32600}},
		"an odd id":       {`{"jsonrpc":"2.0","id":true,"method":"ping"}` + "\n" + ping + "\n", []int{-32600}},
		"a batch":         {"[" + ping + "]\n[]\n" + ping + "\n", []int{-32600, -32600}},
		"too long":        {strings.Repeat("x", 300<<10) + "\n" + ping + "\n", []int{-32700}},
		"too long, last":  {ping + "\n" + strings.Repeat("x", 300<<10), []int{-32700}},
		"no UTF-8":        {"\xff\xfe\n" + ping + "\n", []int{-32700}},
	} {
		passed, codes := read(t, c.in, 200<<10)
		if passed != ping+"\n" || len(codes) != len(c.codes) {
			t.Errorf("%s: passed %q, answered %v", name, passed, codes)
			continue
		}
		for i := range codes {
			if codes[i] != c.codes[i] {
				t.Errorf("%s: answered %v, want %v", name, codes, c.codes)
			}
		}
	}
}

func TestLines_readError(t *testing.T) {
	l := newLines(io.NopCloser(io.MultiReader(strings.NewReader(ping), iotest.ErrReader(io.ErrUnexpectedEOF))), io.Discard)
	if _, err := io.ReadAll(l); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a stream that broke in mid line: %v", err)
	}
}

// A refusal carries the id that was read, where that is one; an id that would
// be answered under another is refused.
func TestLines_ids(t *testing.T) {
	for line, want := range map[string]string{
		`{"jsonrpc":"1.0","id":9,"method":"ping"}`:                `"id":9,`,
		`{"jsonrpc":"2.0","id":"a","method":7}`:                   `"id":"a",`,
		`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`:              `"id":1.5,`,
		`{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`: `"id":9007199254740993,`,
		`{"jsonrpc":"2.0","id":{},"method":"ping"}`:               `"id":null,`,
		`{"jsonrpc":"1.0"}`:                                       `"id":null,`,
		`42`:                                                      `"id":null,`,
	} {
		var out bytes.Buffer
		passed, err := io.ReadAll(newLines(io.NopCloser(strings.NewReader(line)), &out))
		if err != nil || len(passed) > 0 || !strings.Contains(out.String(), want) {
			t.Errorf("%s: answered %s, passed %q, %v", line, out.String(), passed, err)
		}
	}
}

// The end of the input waits for nothing that was answered or taken back, or
// that nobody wants any more. That it waits: TestMCP_stdoutIsTheProtocol.
func TestLines_endComes(t *testing.T) {
	const note = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`
	for name, c := range map[string]struct {
		in   string
		then func(*lines)
	}{
		"answered": {ping, func(l *lines) {
			_, _ = answers{nowhere{}, l.owed}.Write([]byte(`{"jsonrpc":"2.0","id":1,"result":{}}`))
		}},
		"taken back": {ping + "\n" + note, func(*lines) {}},
		"closed":     {ping, func(l *lines) { _ = l.Close() }},
	} {
		l := newLines(io.NopCloser(strings.NewReader(c.in)), io.Discard)
		ended := make(chan error, 1)
		go func() {
			_, err := io.ReadAll(l)
			ended <- err
		}()
		if name == "answered" {
			l.owed.mu.Lock()
			for len(l.owed.open) == 0 {
				l.owed.changed.Wait()
			}
			l.owed.mu.Unlock()
		}
		c.then(l)
		if err := <-ended; err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// nowhere is a stream that takes everything.
type nowhere struct{}

func (nowhere) Write(p []byte) (int, error) { return len(p), nil }
func (nowhere) Close() error                { return nil }
