package landing

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/internal/git/gittest"
	"github.com/git-agent/git-agent/pkg/ledger"
	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/trailers"
)

func group(step, tree string) string {
	return fmt.Sprintf("Agent-Run: r-1\nAgent-Step: %s\nAgent-Check: true exit=0 secs=0.1\nAgent-Plan-Version: 1\nAgent-Tree: %s\n", step, tree)
}

func TestClaims(t *testing.T) {
	one, two := Claim{"r-1", "s01", "aa", "true\n"}, Claim{"r-1", "s02", "bb", "true\n"}
	for name, tt := range map[string]struct {
		message string
		want    []Claim
	}{
		"nothing":                {"subject\n\nbody\n", nil},
		"a certificate":          {"s01: x\n\n" + group("s01", "aa"), []Claim{one}},
		"a forge's squash":       {"Title (#7)\n\n* s01: x\n\n" + group("s01", "aa") + "\n* s02: y\n\n" + group("s02", "bb") + "\n---------\n\nCo-authored-by: A <a@b>\n", []Claim{one, two}},
		"git merge --squash":     {"Squashed commit of the following:\n\ncommit 1\n\n    s01: x\n    \n    " + strings.ReplaceAll(group("s01", "aa"), "\n", "\n    "), []Claim{one}},
		"one block of groups":    {"Title\n\n" + group("s01", "aa") + strings.TrimPrefix(group("s02", "bb"), "Agent-Run: r-1\n"), []Claim{one, two}},
		"CRLF, lower case":       {strings.ReplaceAll(strings.ToLower(group("s01", "aa")), "\n", "\r\n"), []Claim{one}},
		"a mention":              {"see Agent-Run: r-1 and\nAgent-Run: r-1\nAgent-Step: s01\n", nil},
		"no run":                 {"Agent-Step: s01\nAgent-Check: true exit=0 secs=1\n", nil},
		"not a step":             {"Agent-Run: r-1\nAgent-Step: S 1\nAgent-Check: true exit=0 secs=1\n", nil},
		"without a tree":         {"Agent-Run: r-1\nAgent-Step: s01\nAgent-Check: true exit=0 secs=1\n", []Claim{{"r-1", "s01", "", "true\n"}}},
		"wrapped by a forge":     {strings.ReplaceAll("t\n\n"+group("s01", "aa"), "true exit", "true\nexit"), []Claim{{"r-1", "s01", "aa", ""}}},
		"taken back in the same": {"x\n\n" + group("s01", "aa") + "\n* undo\n\nAgent-Run: r-1\nAgent-Undo: s01\n", nil},
	} {
		if got, _ := Claims(tt.message); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
}

func id(n int) string { return fmt.Sprintf("%040x", n) }

func TestReverts(t *testing.T) {
	var history []object.Commit
	add := func(n int, message string) {
		history = append(history, object.Commit{ID: id(n), Message: message})
	}
	add(1, "work")
	add(2, "Revert \"work\"\n\nThis reverts commit "+id(1)+".\n")
	add(3, "merge")
	add(4, "Revert \"merge\"\n\nThis reverts commit "+id(3)+", reversing\nchanges made to "+id(1)+".\n")
	add(5, "Reapply \"merge\"\n\nThis reverts commit "+id(4)+".\n")
	add(6, "prose: This reverts commit "+id(5)+" in spirit")
	add(7, "Revert it once more\n\nThis reverts commit "+id(3)+".\n")
	add(8, "two at once\n\nThis reverts commit "+id(7)+".\nThis reverts commit "+id(2)+".\n")
	r := ReadReverts(history)
	for n, want := range map[int]int{1: 0, 2: 8, 3: 0, 4: 5, 5: 0, 7: 8} {
		w := ""
		if want > 0 {
			w = id(want)
		}
		if got := r.Of(id(n)); got != w {
			t.Errorf("%d is taken back by %q, want %q", n, got, w)
		}
	}
	r.Add(id(9), id(8)) // found out by its change
	if r.Of(id(1)) != id(2) || r.Of(id(3)) != id(7) {
		t.Error("what was brought back and taken back again counts as there")
	}
	r.Add(id(9), id(9))
	if r.Of(id(9)) != "" {
		t.Error("a commit takes itself back")
	}
}

// TestPatchID_agreesWithGit: two changes are the same for us exactly where they
// are for git patch-id --stable; but files that are no text count by what they
// hold, where git takes any two for the same.
func TestPatchID_agreesWithGit(t *testing.T) {
	r := gittest.NewWithFiles(t, map[string]string{"a": lines(20), "b": lines(5), "bin": "\x00one"})
	base := r.Git("rev-parse", "HEAD")
	change := func(from string, do func()) string {
		r.Git("checkout", "-q", from)
		do()
		return r.Commit("change\n")
	}
	shifted := change(base, func() { r.Write("a", "first\n"+lines(20)) })
	edit := func(prefix string) func() {
		return func() { r.Write("a", prefix+strings.Replace(lines(20), "15\n", "fifteen\n", 1)) }
	}
	commits := map[string]string{
		"edit":          change(base, edit("")),
		"edit shifted":  change(shifted, edit("first\n")),
		"other edit":    change(base, func() { r.Write("a", strings.Replace(lines(20), "15\n", "15.0\n", 1)) }),
		"blanks":        change(base, func() { r.Write("a", strings.Replace(lines(20), "15\n", "  fifteen\n", 1)) }),
		"new file":      change(base, func() { r.Write("c", "c\n") }),
		"new elsewhere": change(base, func() { r.Write("d", "c\n") }),
		"empty file":    change(base, func() { r.Write("e", "") }),
		"mode":          change(base, func() { r.Git("update-index", "--chmod=+x", "a"); r.Git("checkout", "-q", "a") }),
		"two files":     change(base, func() { r.Write("a", lines(21)); r.Write("b", lines(6)) }),
		"no newline":    change(base, func() { r.Write("b", strings.TrimSuffix(lines(5), "\n")) }),
	}
	ours, theirs := map[string]string{}, map[string]string{}
	for name, c := range commits {
		diff := r.Git("diff-tree", "-p", "--full-index", "--no-renames", c+"~1", c) + "\n"
		ours[name], theirs[name] = patchID(t, diff), strings.Fields(r.GitIn(diff, "patch-id", "--stable") + " none")[0]
	}
	for a := range commits {
		for b := range commits {
			if (ours[a] == ours[b]) != (theirs[a] == theirs[b]) {
				t.Errorf("%s and %s: the same for us %v, for git %v", a, b, ours[a] == ours[b], theirs[a] == theirs[b])
			}
		}
	}
	if patchID(t, "") != "" || ours["edit"] != ours["edit shifted"] || ours["edit"] == ours["other edit"] {
		t.Error("identity of a change")
	}
	two := change(base, func() { r.Write("bin", "\x00two") })
	three := change(base, func() { r.Write("bin", "\x00three") })
	if patchID(t, r.Git("diff-tree", "-p", "--full-index", base, two)) == patchID(t, r.Git("diff-tree", "-p", "--full-index", base, three)) {
		t.Error("two changes of a binary file are the same")
	}
}

// patchID writes a change whole and byte by byte: the identity is the same.
func patchID(t *testing.T, diff string) string {
	t.Helper()
	var whole, bits PatchHash
	_, _ = io.WriteString(&whole, diff)
	for i := range diff {
		_, _ = bits.Write([]byte{diff[i]})
	}
	id := whole.ID()
	if again := bits.ID(); again != id {
		t.Errorf("in pieces it is %q, not %q:\n%s", again, id, diff)
	}
	return id
}

// TestPatchHash_reverse: a change is not its own reverse, of whatever it is.
func TestPatchHash_reverse(t *testing.T) {
	r := gittest.NewWithFiles(t, map[string]string{"a": "1\n"})
	base := r.Git("rev-parse", "HEAD")
	id := func(from, to string) string {
		h := PatchHash{Exact: true}
		_, _ = io.WriteString(&h, r.Git("diff-tree", "-p", from, to)+"\n")
		return h.ID()
	}
	for _, text := range []string{"2\n", " 1\n", "1", "1\r\n", "1\t\n"} {
		r.Git("checkout", "-q", base)
		r.Write("a", text)
		if c := r.Commit("change\n"); id(base, c) == id(c, base) {
			t.Errorf("%q: the change and what takes it back are the same", text)
		}
	}
}

// TestPatchHash_exact: blanks count where they are asked for.
func TestPatchHash_exact(t *testing.T) {
	id := func(line string, exact bool) string {
		h := PatchHash{Exact: exact}
		_, _ = io.WriteString(&h, "diff --git a/x b/x\n@@ -1 +1 @@\n-a\n+"+line+"\n")
		return h.ID()
	}
	if id("b", false) != id("  b", false) || id("b", true) == id("  b", true) {
		t.Error("identities of changes in blanks")
	}
}

// TestPatchHash_notUTF8: two changes of Latin-1 text are two.
func TestPatchHash_notUTF8(t *testing.T) {
	change := func(b string) string { return "diff --git a/x b/x\n@@ -1 +1 @@\n-a\n+" + b + "\n" }
	if patchID(t, change("\xe4")) == patchID(t, change("\xf6")) {
		t.Error("they have one identity")
	}
}

func lines(n int) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		fmt.Fprintln(&b, i)
	}
	return b.String()
}

func record(index int, step, title, tree string) *ledger.Record {
	e := trailers.Evidence{Run: "r-1", Step: step, Tree: tree, PlanVersion: 1,
		Checks: []trailers.Check{{Command: "make test", Outcome: trailers.Outcome{Kind: trailers.Exit}, Secs: "0.1"}}}
	return &ledger.Record{Index: index, Evidence: e, Commit: object.Commit{ID: id(index + 1), Tree: tree, Message: step + ": " + title + "\n"}}
}

func TestSquashMessage_oneBlockKeepsAllEvidence(t *testing.T) {
	records := []*ledger.Record{record(0, "s01", "first", id(11)), record(1, "s02", "second", id(12)), record(2, "s01", "first, better", id(13))}
	text, err := SquashMessage(" A title\nof two lines ", records)
	if err != nil {
		t.Fatal(err)
	}
	r := trailers.Read(text)
	if r.Kind != trailers.Squash || len(r.Groups) != 2 || r.Groups[0].Step != "s02" || r.Groups[1].Tree != id(13) {
		t.Fatalf("%v, groups %+v, in\n%s", r.Kind, r.Groups, text)
	}
	if m := trailers.Parse(text); m.Subject != "A title of two lines" || m.Body != "* s02: second\n* s01: first, better" {
		t.Errorf("subject %q, body %q", m.Subject, m.Body)
	}
	want := []Claim{{"r-1", "s02", id(12), "make test\n"}, {"r-1", "s01", id(13), "make test\n"}}
	if got, _ := Claims(text); !slices.Equal(got, want) {
		t.Errorf("its claims: %+v", got)
	}
}

func TestSquashMessage_nothingToSquash(t *testing.T) {
	bad := record(0, "s01", "x", id(1))
	bad.Transplanted = true
	if text, err := SquashMessage("x", []*ledger.Record{bad}); err == nil {
		t.Errorf("%s", text)
	}
}
