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

// tally is what the histories were made of: a table without it could be one of
// histories in which nothing happens.
type tally struct {
	mu           sync.Mutex
	stories      [lanes][]string
	certificates int
	times        map[string]int
	exits        map[string]map[int]int // of the commands, by action
}

func newTally() *tally {
	return &tally{times: map[string]int{}, exits: map[string]map[int]int{}}
}

// theEnd is what each history ends with.
const theEnd = "a fresh clone does the rest"

// exits are the columns: killed, and what a command ended with.
var exits = []int{-1, 0, 1, 3, 4, 5, 6, 7, 128}

func (t *tally) did(action string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.times[action]++
}

// ended counts a command; what came before the histories is not theirs.
func (t *tally) ended(action string, exit int) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.exits[action] == nil {
		t.exits[action] = map[int]int{}
	}
	t.exits[action][exit]++
}

// held counts a history that came to its end, and what it certified.
func (t *tally) held(lane int, story string, certificates int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stories[lane] = append(t.stories[lane], story)
	t.certificates += certificates
}

func (t *tally) table() string {
	var b strings.Builder
	b.WriteString("| what somebody does | times | commands killed | exit 0 | 1 | 3 | 4 | 5 | 6 | 7 | 128 |\n|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, a := range append(actions(), action{name: theEnd}) {
		fmt.Fprintf(&b, "| %s | %d |", a.name, t.times[a.name])
		for _, exit := range exits {
			fmt.Fprintf(&b, " %d |", t.exits[a.name][exit])
		}
		b.WriteString("\n")
	}
	return b.String()
}

var table = testkit.Block{Page: filepath.Join("..", "..", "docs", "reliability.md"), Begins: "<!-- histories: make soak -->", Ends: "<!-- end of histories -->"}

// remember prints the table, and writes it where it is published.
func (t *tally) remember(tb testing.TB) {
	tb.Helper()
	if len(t.stories[0]) == 0 || slices.Equal(t.stories[0], t.stories[1]) {
		tb.Errorf("both lanes did the same, or nothing")
	}
	all := slices.Concat(t.stories[:]...)
	held := len(all)
	slices.Sort(all)
	text := fmt.Sprintf("`%s=%s`: %d histories held, %d of them different, with %d certificates.\n\n%s",
		soakVar, os.Getenv(soakVar), held, len(slices.Compact(all)), t.certificates, t.table())
	tb.Log("\n" + text)
	if *update {
		table.Write(tb, text)
	}
}
