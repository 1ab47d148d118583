package rollback_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-agent/git-agent/pkg/stash"
)

// names are few, so that files and folders take each other's place often.
var names = []string{"a", "a/b", "a/b/c", "a/d", "e", "e/f", "E", "g h", "i\nj", "k\xff", "t.crlf"}

// edit is one thing that somebody may do to a name.
type edit struct {
	Kind string
	Name string
	Text string
}

func edits(t *rapid.T) []edit {
	one := rapid.Custom(func(t *rapid.T) edit {
		return edit{rapid.SampledFrom([]string{"write", "write", "delete", "chmod", "link", "stage", "unstage", "intend", "uncache"}).Draw(t, "kind"),
			rapid.SampledFrom(names).Draw(t, "name"), rapid.SampledFrom([]string{"", "x\n", "y\n", "1\r\n2\n", "x"}).Draw(t, "text")}
	})
	return rapid.SliceOfN(one, 1, 14).Draw(t, "edits")
}

// make does the edit where it is possible; git's refusals are fine.
func (e edit) make(w *work) {
	path := w.Path(e.Name)
	switch e.Kind {
	case "write", "link":
		_ = os.RemoveAll(path)
		for dir := filepath.Dir(path); dir != w.Dir; dir = filepath.Dir(dir) {
			if info, err := os.Lstat(dir); err == nil && !info.IsDir() {
				_ = os.Remove(dir)
			}
		}
		if e.Kind == "link" {
			w.link("to "+e.Name, e.Name)
		} else {
			w.Write(e.Name, e.Text)
		}
	case "delete":
		_ = os.RemoveAll(path)
	case "chmod":
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
			_ = os.Chmod(path, info.Mode()^0o111)
		}
	case "stage":
		_, _ = w.TryGit("", "--literal-pathspecs", "add", "-A", "--", e.Name)
	case "unstage":
		_, _ = w.TryGit("", "--literal-pathspecs", "reset", "-q", "--", e.Name)
	case "intend":
		_, _ = w.TryGit("", "--literal-pathspecs", "add", "-N", "--", e.Name)
	case "uncache":
		_, _ = w.TryGit("", "--literal-pathspecs", "rm", "-rqf", "--cached", "--", e.Name)
	}
}

// Whatever was done to the paths: Move gives exactly the target, PutBack
// exactly what was there before, and nothing else ever changes.
func TestProperty_thereAndBackAgain(t *testing.T) {
	few(t)
	rapid.Check(t, func(rt *rapid.T) {
		w := newWork(t, map[string]string{".gitattributes": "*.crlf text=auto eol=crlf\n", "a/b/c": "base\n", "a/d": "base\n",
			"e": "base\n", "t.crlf": "1\r\n", "outside": "base\n"})
		w.Write("outside", "by hand\n")
		w.Write("other", "by hand\n")
		w.Git("add", "outside")
		clean := w.photo()
		for _, e := range edits(rt) {
			e.make(w)
		}
		before := w.photo()
		// By name alone: folders among the names are left to what is below them.
		commit := w.preserve(names...)
		same(rt, "after preserving", w.photo(), before)
		for range 2 {
			if _, err := w.roller.Move(ctx, w.request(commit, names...)); err != nil {
				rt.Fatal(err)
			}
			got := w.photo()
			// What git checks out, not what lay there before the first commit.
			got["file t.crlf"], clean["file t.crlf"] = "", ""
			same(rt, "after Move", got, clean)
		}
		if _, err := w.roller.PutBack(ctx, w.request(commit, names...)); err != nil {
			rt.Fatal(err)
		}
		same(rt, "after PutBack", w.photo(), before)
		if got := w.Git("for-each-ref", "--format=%(refname)", stash.Root); got != stash.PendingRef(run, step) {
			rt.Fatalf("further refs: %q", got)
		}
	})
}

// few lowers the number of runs unless somebody asked for another one.
func few(t *testing.T) {
	t.Helper()
	f := flag.Lookup("rapid.checks")
	if f != nil && f.Value.String() == f.DefValue {
		if err := f.Value.Set("6"); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = f.Value.Set(f.DefValue) })
	}
}
