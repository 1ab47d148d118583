package stash_test

import (
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
)

func TestStore_Snapshot_shape(t *testing.T) {
	w := newWork(t, map[string]string{"a": "base\n", "outside": "base\n", ".gitattributes": "*.crlf text eol=crlf\n"})
	w.Write("a", "staged\n")
	w.Git("add", "a")
	w.Write("a", "unstaged\n")
	w.Write("n.crlf", "1\r\n2\r\n")
	w.Write("outside", "not asked for\n")
	before := w.Git("status", "--porcelain=v2", "-uall")
	commit := w.save("a", "n.crlf")
	equal(t, "parents", w.Git("log", "-1", "--format=%P", commit+"^1"), "")
	equal(t, "first parent", w.Git("rev-parse", commit+"^1"), w.Git("rev-parse", "HEAD"))
	equal(t, "working tree", w.Git("show", commit+":a"), "unstaged")
	equal(t, "index", w.Git("show", commit+"^2:a"), "staged")
	equal(t, "untracked", w.Git("ls-tree", "-r", "--name-only", commit+"^3"), "n.crlf")
	equal(t, "untracked as git stores it", w.Git("show", commit+"^3:n.crlf"), "1\n2")
	equal(t, "raw bytes", w.Git("cat-file", "blob", commit+"^4:n.crlf"), "1\r\n2\r")
	equal(t, "outside", w.Git("show", commit+":outside"), "base")
	equal(t, "outside in the index", w.Git("show", commit+"^2:outside"), "base")
	equal(t, "status", w.Git("status", "--porcelain=v2", "-uall"), before)
	equal(t, "message", w.Git("log", "-1", "--format=%B", commit), "s07 partial\n")
}

func TestStore_Snapshot_onlyTheParentsItNeeds(t *testing.T) {
	w := newWork(t, map[string]string{"a": "base\n"})
	w.Write("a", "half\n")
	commit := w.save("a")
	if got := strings.Fields(w.Git("log", "-1", "--format=%P", commit)); len(got) != 2 {
		t.Errorf("parents of tracked edits alone: %q", got)
	}
	w.Write("n", "new\n")
	more, err := w.snapshot("a", "n")
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Fields(w.Git("log", "-1", "--format=%P", more)); len(got) != 3 {
		t.Errorf("parents with an untracked file: %q", got)
	}
}

func TestStore_Snapshot_refuses(t *testing.T) {
	for name, c := range map[string]struct {
		set  func(w *work) error
		path string
		says string
	}{
		"pipe":   {func(w *work) error { return exec.Command("mkfifo", w.Path("p")).Run() }, "p", `"p"`},
		"socket": {func(w *work) error { return socket(t, w, "s") }, "s", `"s"`},
		"submodule": {func(w *work) error {
			w.Git("update-index", "--add", "--cacheinfo", "160000,"+w.Git("rev-parse", "HEAD")+",sub")
			return nil
		}, "sub/below", "submodule"},
		"nested repository": {func(w *work) error { w.Git("init", "-q", "nested/deep"); return nil }, "nested", `"nested/deep"`},
		"git's own folder":  {func(*work) error { return nil }, ".git/config", ".git/config"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWork(t, map[string]string{"a": "base\n"})
			if err := c.set(w); err != nil {
				t.Fatal(err)
			}
			_, err := w.snapshot("a", c.path)
			refused(t, err, c.says)
		})
	}
}

func socket(t *testing.T, w *work, name string) error {
	// A socket's path is short: it is made by a name relative to its folder.
	t.Chdir(w.Dir)
	l, err := net.Listen("unix", name)
	if err == nil {
		t.Cleanup(func() { _ = l.Close() })
	}
	return err
}

func TestStore_Snapshot_brokenCleanFilter(t *testing.T) {
	w := newWork(t, map[string]string{".gitattributes": "*.x filter=f\n", "a.x": "base\n"})
	w.Git("config", "filter.f.clean", "false")
	w.Git("config", "filter.f.required", "true")
	w.reopen()
	w.Write("a.x", "half\n")
	if commit, err := w.snapshot("a.x"); err == nil {
		t.Errorf("preserved as %s although the filter failed", commit)
	}
	equal(t, "a.x", w.Read("a.x"), "half\n")
	equal(t, "left in scratch", strings.Join(names(t, w.scratch), " "), "")
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func TestStore_Snapshot_safecrlfAndUnreadable(t *testing.T) {
	w := newWork(t, map[string]string{"a": "1\n"})
	w.Git("config", "core.autocrlf", "input")
	w.Git("config", "core.safecrlf", "true")
	w.reopen()
	w.Write("a", "1\r\nhalf\r\n")
	commit := w.save("a")
	equal(t, "raw bytes", w.Git("cat-file", "blob", commit+"^4:a"), "1\r\nhalf\r")
}

func TestStore_sparseCheckout(t *testing.T) {
	w := newWork(t, map[string]string{"in/a": "base\n", "out/b": "base\n", "out/c": "base\n"})
	w.Git("sparse-checkout", "set", "in")
	w.Write("out/b", "made all the same\n")
	before := w.Git("ls-files", "-s", "-v")
	commit := w.save("in/a", "out/b", "out/c")
	equal(t, "present", w.Git("show", commit+":out/b"), "made all the same")
	equal(t, "not checked out", w.Git("show", commit+":out/c"), "base")
	w.remove("out/b")
	if err := w.store.Apply(ctx, ref, w.scratch); err == nil {
		equal(t, "out/b", w.Read("out/b"), "made all the same\n")
		if w.Exists("out/c") {
			t.Error("a file that the person chose not to check out was made")
		}
		equal(t, "index", w.Git("ls-files", "-s", "-v"), before)
	} else {
		t.Error(err)
	}
}

func (w *work) remove(name string) {
	w.T.Helper()
	if err := os.RemoveAll(w.Path(name)); err != nil {
		w.T.Fatal(err)
	}
}
