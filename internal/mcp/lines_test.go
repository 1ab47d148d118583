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
