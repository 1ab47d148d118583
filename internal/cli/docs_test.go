package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// docPlay says how the commands of a block are typed in: by another test, in a
// world of its own, or why not at all.
type docPlay struct {
	by    string   // the test that does it
	why   string   // why no test can
	needs string   // a program without which it is skipped
	setup string   // sh, in the world of refusalPrelude; $ROOT is the project
	with  []string // what is typed in the place of what, in pairs
	after string   // sh, what has to be true at the end
}

// TestDocs_everyBlockIsTyped: each block of commands in each document has a
// play, each play a block, and the commands do what the document says. A block
// of kind console is compared with what is printed, but for ids, times and what
// it leaves out at each `…`; of all others each line has to end with 0.
func TestDocs_everyBlockIsTyped(t *testing.T) {
	first := newWorld(t)
	first.must("begin; git agent trust r-1; git config --global user.name x")
	seen := map[string]bool{}
	for _, b := range docBlocks(t) {
		if by := readmeMarks[b.mark]; by != "" && b.doc == "README.md" {
			testExists(t, by)
			continue
		}
		play, ok := docPlays[b.key()]
		if !ok {
			t.Errorf("nothing types in %q:\n%s", b.key(), b.text)
			continue
		}
		seen[b.key()] = true
		if play.by != "" {
			testExists(t, play.by)
		}
		if play.by != "" || play.why != "" || testing.Short() { // the run without -short plays them
			continue
		}
		t.Run(b.key(), func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(play.needs); play.needs != "" && err != nil {
				t.Skip(err)
			}
			w := newWorld(t)
			w.begun, w.env = first.dir, append(w.env, "ROOT="+projectTop)
			w.must("mkdir -p ../bin; " + play.setup)
			b.play(w, play)
			w.must(stubsFirst + play.after)
		})
	}
	for key := range docPlays {
		if !seen[key] {
			t.Errorf("no document has the block %q", key)
		}
	}
}

// stubsFirst lets a play put programs in the place of others.
const stubsFirst = "PATH=$W/bin:$PATH; export PATH; "

// play types a block in.
func (b docBlock) play(w *world, p docPlay) {
	w.t.Helper()
	text := strings.NewReplacer(append(p.with, "<run>", "r-1")...).Replace(b.text)
	if !strings.HasPrefix(text, "$ ") {
		if out, errs, code := w.sh("set -e\n" + stubsFirst + text); code != 0 {
			w.t.Errorf("ends with %d:\n%s%s%s", code, text, out, errs)
		}
		return
	}
	for part := range strings.SplitSeq("\n"+strings.TrimSpace(text), "\n$ ") {
		command, want, _ := strings.Cut(part, "\n")
		if command == "" {
			continue
		}
		out, _, _ := w.sh(stubsFirst + "exec 2>&1; " + command)
		if missing := notShown(plain(out), plain(want)); missing != "" {
			w.t.Errorf("$ %s does not print, or not in this place:\n%s\nbut\n%s", command, missing, out)
		}
	}
}

// notShown is the first part of what a document shows that was not printed; each
// line `…` in it stands for whatever else was.
func notShown(printed, shown string) string {
	shown, printed = strings.TrimSpace(shown)+"\n", strings.TrimSpace(printed)+"\n"
	parts := strings.Split(shown, "…\n")
	for i, part := range parts {
		before, after, ok := strings.Cut(printed, part)
		if !ok || i == 0 && before != "" || i == len(parts)-1 && part != "" && after != "" {
			return part
		}
		printed = after
	}
	return ""
}

// testExists: a table that names a test names one that is there.
func testExists(t *testing.T, name string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(projectTop, "internal", "*", "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "\nfunc "+name+"(t *testing.T)") {
			return
		}
	}
	t.Errorf("there is no %s", name)
}
