package soak

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/git-agent/git-agent/internal/testkit"
)

var update = flag.Bool("update", false, "write the table of docs/reliability.md")

// tally is what a history, or all that held, were made of: a table without it
// could be one of histories in which nothing happens.
type tally struct {
	mu           sync.Mutex
	Certificates int
	Times        map[string]int
	Exits        map[string]map[int]int // of the commands, by action
}

func newTally() *tally {
	return &tally{Times: map[string]int{}, Exits: map[string]map[int]int{}}
}

// theEnd is what each history ends with.
const theEnd = "a fresh clone does the rest"

// exits are the columns: killed, and what a command ended with.
var exits = []int{-1, 0, 1, 3, 4, 5, 6, 7, 128}

func (t *tally) did(action string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.Times[action]++
}

// ended counts a command; what came before the histories is not theirs.
func (t *tally) ended(action string, exit int) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.Exits[action] == nil {
		t.Exits[action] = map[int]int{}
	}
	t.Exits[action][exit]++
}

// add counts a history that came to its end.
func (t *tally) add(one *tally) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.Certificates += one.Certificates
	for action, n := range one.Times {
		t.Times[action] += n
	}
	for action, exits := range one.Exits {
		if t.Exits[action] == nil {
			t.Exits[action] = map[int]int{}
		}
		for exit, n := range exits {
			t.Exits[action][exit] += n
		}
	}
}

func (t *tally) table() string {
	var b strings.Builder
	b.WriteString("| what somebody does | times | commands killed | exit 0 | 1 | 3 | 4 | 5 | 6 | 7 | 128 |\n|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, a := range append(actions(), action{name: theEnd}) {
		fmt.Fprintf(&b, "| %s | %d |", a.name, t.Times[a.name])
		for _, exit := range exits {
			fmt.Fprintf(&b, " %d |", t.Exits[a.name][exit])
		}
		b.WriteString("\n")
	}
	return b.String()
}

var table = testkit.Block{Page: filepath.Join("..", "..", "docs", "reliability.md"), Begins: "<!-- histories: make soak -->", Ends: "<!-- end of histories -->"}

// remember prints the table, and writes it where it is published.
func (h *held) remember(tb testing.TB) {
	tb.Helper()
	if len(h.stories[0]) == 0 || slices.Equal(h.stories[0], h.stories[1]) {
		tb.Errorf("both lanes did the same, or nothing")
	}
	all := slices.Concat(h.before, h.stories[0], h.stories[1])
	n := len(all)
	slices.Sort(all)
	text := fmt.Sprintf("`%s=%s`: %d histories held, %d of them different, with %d certificates.\n\n%s",
		soakVar, os.Getenv(soakVar), n, len(slices.Compact(all)), h.all.Certificates, h.all.table())
	tb.Log("\n" + text)
	if *update && !tb.Failed() {
		table.Write(tb, text)
	}
}
