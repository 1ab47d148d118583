package ui

import (
	"context"
	"errors"
	"os"
	"syscall"
	"testing"
	"time"
)

// The end of whoever reads ends the context.
func TestWhileRead(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = w.Close() }()
	limit, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	reading, stop := WhileRead(limit, w)
	defer stop()
	if reading.Err() != nil {
		t.Error("it ended while somebody reads")
	}
	_ = r.Close()
	<-reading.Done()
	if !errors.Is(context.Cause(reading), syscall.EPIPE) {
		t.Errorf("it ended with %v", context.Cause(reading))
	}
}
