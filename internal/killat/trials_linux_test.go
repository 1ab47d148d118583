package killat

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// logVar names a file of the points at which a program recovered. A sweep leaves
// out, and counts, those of the very program that it sweeps: one that was ended
// goes on where it was, and shares of several machines come together by cat(1).
const logVar = "GIT_AGENT_SWEEP_LOG"

// trials is that file.
type trials struct {
	program string // digest of what is swept
	before  map[string]bool
	mu      sync.Mutex
	file    *os.File // nil: nothing is remembered
}

func openTrials(t *testing.T, bin string) *trials {
	t.Helper()
	r := &trials{before: map[string]bool{}}
	name := os.Getenv(logVar)
	if name == "" {
		return r
	}
	program, err := os.ReadFile(filepath.Join(bin, "git-agent"))
	if err == nil {
		r.program = fmt.Sprintf("%x", sha256.Sum256(program))
		err = r.read(name)
	}
	if err == nil {
		r.file, err = os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.file.Close() })
	t.Logf("%s: this program recovered at %d points before", name, len(r.before))
	return r
}

// lineEnd is the end of a line, so that a torn one is none.
const lineEnd = ": recovered\n"

func (r *trials) read(name string) error {
	lines, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for line := range strings.Lines(string(lines)) {
		point, whole := strings.CutSuffix(line, lineEnd)
		if point, ours := strings.CutPrefix(point, r.program+" "); ours && whole {
			r.before[point] = true
		}
	}
	return err
}

// add remembers a point; one that is lost is tried again.
func (r *trials) add(s spot) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.file != nil {
		_, _ = fmt.Fprintf(r.file, "%s %v%s", r.program, s, lineEnd)
	}
}

// TestTrials: what recovered is left out, and counted, for the same program alone; a
// torn line is none.
func TestTrials(t *testing.T) {
	bin := t.TempDir()
	t.Setenv(logVar, filepath.Join(bin, "log"))
	build := func(text string) *trials {
		if err := os.WriteFile(filepath.Join(bin, "git-agent"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return openTrials(t, bin)
	}
	row := []spot{{scene: scenes[0], harm: harms[0], n: 1}, {scene: scenes[0], harm: harms[0], n: 13}, {scene: scenes[0], harm: harms[0], n: 2}}
	first := build("one program")
	first.add(row[0])
	if _, err := first.file.WriteString(first.program + " " + row[1].String()); err != nil { // a kill came
		t.Fatal(err)
	}
	for program, left := range map[string]int{"one program": 2, "another": 3} {
		counted := &tally{}
		if rows := counted.known([][]spot{row}, build(program)); len(rows[0]) != left || counted.sum().recovered != len(row)-left {
			t.Errorf("%s: %d left, want %d; %v", program, len(rows[0]), left, counted)
		}
	}
}
