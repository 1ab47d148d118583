package soak

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// logVar names a file of the histories that held. What this very program did
// before counts, so that a soak that was ended goes on where it was.
const logVar = "GIT_AGENT_SOAK_LOG"

// held are the histories that came to their end.
type held struct {
	mu      sync.Mutex
	program string // digest of this test and all that it tests
	all     *tally
	before  []string        // digests of the stories of earlier runs
	stories [lanes][]string // and of this one
	file    *os.File        // nil: nothing is remembered
}

// entry is one of them, a line of the file.
type entry struct {
	Program, Story string
	*tally
}

func openHeld(name, program string) (*held, error) {
	h := &held{program: program, all: newTally()}
	if name == "" {
		return h, nil
	}
	if err := h.read(name); err != nil {
		return nil, err
	}
	var err error
	h.file, err = os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	return h, err
}

func (h *held) read(name string) error {
	lines, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for line := range bytes.Lines(lines) {
		e := entry{tally: newTally()}
		if json.Unmarshal(line, &e) == nil && e.Program == h.program { // a torn line is none
			h.before = append(h.before, e.Story)
			h.all.add(e.tally)
		}
	}
	return err
}

// add counts a history; one that the file loses is made up for by another.
func (h *held) add(lane int, story string, one *tally) {
	h.all.add(one)
	h.mu.Lock()
	defer h.mu.Unlock()
	digest := fmt.Sprintf("%x", sha256.Sum256([]byte(story)))
	h.stories[lane] = append(h.stories[lane], digest)
	if h.file == nil {
		return
	}
	if line, err := json.Marshal(entry{h.program, digest, one}); err == nil {
		_, _ = h.file.Write(append(line, '\n'))
	}
}

// thisProgram is the digest of the running test.
func thisProgram() (string, error) {
	name, err := os.Executable()
	if err != nil {
		return "", err
	}
	program, err := os.ReadFile(name)
	return fmt.Sprintf("%x", sha256.Sum256(program)), err
}

// TestHeld: what held before counts, for the same program alone; a torn line is
// none.
func TestHeld(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log")
	open := func(program string) *held {
		h, err := openHeld(name, program)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = h.file.Close() })
		return h
	}
	one := newTally()
	one.did("edit")
	one.ended("edit", 3)
	one.Certificates = 2
	first := open("one program")
	first.add(0, "a story", one)
	first.add(1, "another", one)
	if _, err := first.file.WriteString(`{"Program":"one program","Sto`); err != nil { // a kill came
		t.Fatal(err)
	}
	for program, want := range map[string]int{"one program": 2, "another": 0} {
		h := open(program)
		if len(h.before) != want || h.all.Certificates != 2*want || h.all.Times["edit"] != want || h.all.Exits["edit"][3] != want {
			t.Errorf("%s: %d held, %v; want %d", program, len(h.before), h.all.table(), want)
		}
	}
	if text := strings.Join(open("one program").before, ""); text != strings.Join(first.stories[0], "")+strings.Join(first.stories[1], "") {
		t.Errorf("the stories are %s", text)
	}
}
