package mcp

import (
	"context"
	"io"
	"runtime"
	"strings"
	"testing"
)

// endsAtAnswer is a client that ends the server as soon as it has an answer,
// while the server still returns from writing it.
type endsAtAnswer struct{ end context.CancelFunc }

func (c endsAtAnswer) Write(p []byte) (int, error) {
	c.end()
	for range 100 {
		runtime.Gosched() // whoever heeds the end is at it
	}
	return len(p), nil
}

func (endsAtAnswer) Close() error { return nil }

// TestServe_answeredAndEnded: what was answered when the end came was not cut.
func TestServe_answeredAndEnded(t *testing.T) {
	t.Parallel()
	for range 200 {
		ctx, end := context.WithCancel(t.Context())
		in, client := io.Pipe()
		go func() {
			_, _ = io.Copy(client, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`))
		}()
		if err := (&Server{}).Serve(ctx, in, endsAtAnswer{end}); err != nil {
			t.Fatalf("it ends with %v", err)
		}
		end()
	}
}
