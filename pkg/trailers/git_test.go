package trailers_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/internal/git/gittest"
	"github.com/git-agent/git-agent/pkg/trailers"
)

// header is a commit object up to its message, over the empty tree.
const header = "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n" +
	"author A U Thor <a@example.org> 1893553445 +0000\n" +
	"committer A U Thor <a@example.org> 1893553445 +0000\n\n"

// gitReads is what real git reads as the trailers of each message, by two git
// processes however many there are.
func gitReads(t testing.TB, r *gittest.Repo, messages []string, config ...string) []string {
	t.Helper()
	dir := t.TempDir()
	var paths strings.Builder
	for i, m := range messages {
		path := filepath.Join(dir, fmt.Sprint(i))
		if err := os.WriteFile(path, []byte(header+m), 0o600); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&paths, path)
	}
	ids := strings.Fields(r.GitIn(paths.String(), "hash-object", "-t", "commit", "-w", "--stdin-paths"))
	return gitReadsIDs(t, r, ids, config...)
}

func gitReadsIDs(t testing.TB, r *gittest.Repo, ids []string, config ...string) []string {
	t.Helper()
	args := slices.Concat(config, []string{"log", "--no-walk=unsorted", "--stdin", "-z", "--format=%H%n%(trailers:only,unfold)"})
	read := map[string]string{}
	for record := range strings.SplitSeq(r.GitIn(strings.Join(ids, "\n")+"\n", args...), "\x00") {
		id, block, _ := strings.Cut(record, "\n")
		read[id] = block
	}
	out := make([]string, len(ids))
	for i, id := range ids {
		block, ok := read[id]
		if !ok {
			t.Fatalf("git log did not print commit %s", id)
		}
		out[i] = block
	}
	return out
}

// asGit writes trailers as git does.
func asGit(block []trailers.Trailer) string {
	var b strings.Builder
	for _, t := range block {
		b.WriteString(t.Key + ": " + t.Value + "\n")
	}
	return b.String()
}

// assertEqual holds the parser against git's answers.
func assertEqual(t *testing.T, names, messages, answers []string) {
	t.Helper()
	for i, m := range messages {
		got := trailers.Parse(m).Trailers
		if asGit(got) != answers[i] {
			t.Errorf("%s: %q\n git: %q\nours: %q", names[i], m, answers[i], asGit(got))
		}
		if back := trailers.ParseBlock(answers[i]); !slices.Equal(got, back) {
			t.Errorf("%s: ParseBlock(%q) = %q, want %q", names[i], answers[i], back, got)
		}
	}
}

func corpusLists() (names, messages []string) {
	for _, name := range slices.Sorted(maps.Keys(corpus)) {
		names = append(names, name)
		messages = append(messages, corpus[name])
	}
	return names, messages
}

func TestCase089_Parse_equalsGit(t *testing.T) {
	names, messages := corpusLists()
	assertEqual(t, names, messages, gitReads(t, gittest.New(t), messages))
}

// Configuration that changes git's answer for a sound certificate leaves ours
// alone.
func TestParse_hostileConfiguration(t *testing.T) {
	r := gittest.New(t)
	message := "T\n\nAgent-Run: r\nAgent-Step: s\n"
	want := "Agent-Run: r\nAgent-Step: s\n"
	for _, tc := range []struct{ setting, git string }{
		{"core.commentChar=A", ""},
		{"trailer.separators==", ""},
		{"trailer.Agent-Run.key=Ran", "Ran: r\nAgent-Step: s\n"},
	} {
		got := gitReads(t, r, []string{message}, "-c", tc.setting)[0]
		if got == want {
			t.Errorf("%s: git's answer did not change, so this shows nothing", tc.setting)
		}
		if got != tc.git {
			t.Errorf("%s: git reads %q, want %q", tc.setting, got, tc.git)
		}
	}
	accented := "T\n\nAgent-Note: é\n"
	if got := gitReads(t, r, []string{accented}, "-c", "i18n.logOutputEncoding=ISO-8859-1")[0]; got != "Agent-Note: \xe9\n" {
		t.Errorf("git no longer encodes its output: %q", got)
	}
	if got := asGit(trailers.Parse(accented).Trailers); got != "Agent-Note: é\n" {
		t.Errorf("ours reads %q", got)
	}
	loosened := "T\n\nAgent-Run: r\nfree line\n"
	if got := gitReads(t, r, []string{loosened}, "-c", "trailer.Agent-Run.ifexists=add")[0]; got != "Agent-Run: r\n" {
		t.Errorf("a configured key no longer loosens git's rule: %q", got)
	}
	if got := trailers.Parse(loosened).Trailers; got != nil {
		t.Errorf("ours reads %q", got)
	}
	if got := asGit(trailers.Parse(message).Trailers); got != want {
		t.Errorf("ours reads %q", got)
	}
}
