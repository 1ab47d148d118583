package rollback_test

import (
	"os"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/pkg/stash"
)

// everything makes one change of each kind and answers the paths it touched.
func everything(w *work) []string {
	w.Write("edited", "half\n")
	w.Write("partly", "staged\n")
	w.Git("add", "partly")
	w.Write("partly", "unstaged\n")
	w.remove("deleted")
	w.Git("rm", "-q", "--cached", "uncached")
	w.chmod("mode", 0o755)
	w.Write("new/staged", "new\n")
	w.Git("add", "new/staged")
	w.Write("new/untracked", "new\n")
	w.Write("intent", "meant\n")
	w.Write("intent gone", "meant\n")
	w.Git("add", "-N", "intent", "intent gone")
	w.remove("intent gone")
	w.Write("empty staged", "")
	w.Git("add", "empty staged")
	w.remove("link")
	w.link("elsewhere", "link")
	w.link("edited", "new link")
	w.remove("dir")
	w.Write("dir", "a file now\n")
	w.remove("file")
	w.Write("file/one", "1\n")
	w.Write("file/deep/two", "2\n")
	w.remove("linkdir")
	w.link("outside", "linkdir")
	w.Git("mv", "case", "Case")
	w.Git("update-index", "--assume-unchanged", "assumed")
	w.Write("assumed", "edited all the same\n")
	w.Git("update-index", "--skip-worktree", "skipped", "skipped away")
	w.Write("skipped", "edited all the same\n")
	w.remove("skipped away")
	w.Write("nl\nand \"q\" \xff", "odd\n")
	return []string{"edited", "partly", "deleted", "uncached", "mode", "new/staged", "new/untracked", "intent", "intent gone",
		"empty staged", "link", "new link", "dir", "dir/a", "dir/b/c", "file", "file/one", "file/deep/two", "linkdir", "linkdir/x",
		"case", "Case", "assumed", "skipped", "skipped away", "nl\nand \"q\" \xff", "never was"}
}

func everythingBase() map[string]string {
	base := map[string]string{}
	for _, name := range []string{"edited", "partly", "deleted", "uncached", "mode", "link target", "dir/a", "dir/b/c", "file",
		"linkdir/x", "case", "assumed", "skipped", "skipped away", "outside/x", "outside/y"} {
		base[name] = name + " at the base\n"
	}
	return base
}

func newEverything(t *testing.T, args ...string) (*work, []string) {
	r := newWork(t, everythingBase(), args...)
	r.link("link target", "link")
	r.Commit("link\n")
	w := open(t, r.Repo)
	w.Write("stashed", "by the person\n")
	w.Git("stash", "push", "-q", "-u")
	return w, everything(w)
}

func TestRoller_Move_everyKindOfChange(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			w, paths := newEverything(t, "--object-format="+format)
			w.Write("outside/x", "somebody else's\n")
			w.Write("outside/new", "somebody else's\n")
			w.Git("add", "outside/x")
			before := w.photo()
			commit := w.preserve(paths...)
			same(t, "after preserving", w.photo(), before)
			moved, err := w.roller.Move(ctx, w.request(commit, paths...))
			if err != nil {
				t.Fatal(err)
			}
			if len(moved) == 0 {
				t.Error("nothing is said to have moved")
			}
			if got := w.Git("status", "--porcelain=v1", "-uall"); got != "M  outside/x\n?? outside/new" {
				t.Errorf("status after Move: %q", got)
			}
			if again, err := w.roller.Move(ctx, w.request(commit, paths...)); err != nil || len(again) != 0 {
				t.Errorf("Move again: moved %q, %v", again, err)
			}
			if _, err := w.roller.PutBack(ctx, w.request(commit, paths...)); err != nil {
				t.Fatal(err)
			}
			same(t, "after PutBack", w.photo(), before)
			if _, err := w.roller.Move(ctx, w.request(commit, paths...)); err != nil {
				t.Fatal(err)
			}
			// Only what the person chose not to check out is still not there.
			w.Git("update-index", "--no-assume-unchanged", "assumed")
			w.Git("update-index", "--no-skip-worktree", "skipped", "skipped away")
			if got := w.Git("diff", "--name-status", "HEAD"); got != "M\toutside/x\nD\tskipped away" {
				t.Errorf("differs from the base after the second Move: %q", got)
			}
		})
	}
}

func TestRoller_Move_keepsWhatTurnedUpSince(t *testing.T) {
	t.Parallel()
	w := newWork(t, map[string]string{"a": "base\n", "b": "base\n", "c": "base\n"})
	w.Write("a", "half\n")
	w.Write("b", "half\n")
	w.Write("n", "half\n")
	paths := []string{"a", "b", "n"}
	commit := w.preserve(paths...)
	w.Write("b", "by hand after the kill\n")
	w.Write("n", "by hand too\n")
	if _, err := w.roller.Move(ctx, w.request(commit, paths...)); err != nil {
		t.Fatal(err)
	}
	if got := w.Git("status", "--porcelain"); got != "" {
		t.Errorf("status: %q", got)
	}
	ref := stash.StepRef(run, step, 1)
	if got := w.Git("show", ref+":b") + w.Git("show", ref+"^3:n"); got != "by hand after the killby hand too" {
		t.Errorf("further stash holds %q", got)
	}
	final, err := w.roller.Settle(ctx, run, step)
	if err != nil || final != stash.StepRef(run, step, 2) {
		t.Errorf("Settle = %q, %v", final, err)
	}
	if got := w.Git("for-each-ref", "--format=%(refname)", stash.Root); got != ref+"\n"+final {
		t.Errorf("refs: %q", got)
	}
}

func TestRoller_Settle_identicalWorkOnce(t *testing.T) {
	t.Parallel()
	w := newWork(t, map[string]string{"a": "base\n"})
	for range 3 {
		w.Write("a", "half\n")
		w.Write("n", "half\n")
		if ref := w.discard("a", "n"); ref != stash.StepRef(run, step, 1) {
			t.Errorf("settled at %s", ref)
		}
	}
	w.Write("a", "another half\n")
	if ref := w.discard("a", "n"); ref != stash.StepRef(run, step, 2) {
		t.Errorf("other work settled at %s", ref)
	}
	if ref, err := w.roller.Settle(ctx, run, step); ref != "" || err != nil {
		t.Errorf("Settle without pending = %q, %v", ref, err)
	}
	if log := w.Git("reflog", "show", stash.StepRef(run, step, 1)); !strings.Contains(log, "git-agent: settle r-1/s07") {
		t.Errorf("reflog: %q", log)
	}
}

func TestRoller_Move_lineEndsAndAttributes(t *testing.T) {
	t.Parallel()
	r := newWork(t, map[string]string{".gitattributes": "*.txt text eol=crlf\n*.bin -text\n", "a.txt": "1\r\n2\r\n", "b.bin": "1\r\n"})
	w := open(t, r.Repo)
	w.Write("a.txt", "1\n2\n")
	w.Write(".gitattributes", "*.txt text eol=lf\n")
	w.Write("n.txt", "mixed\r\nends\n")
	paths := []string{"a.txt", ".gitattributes", "n.txt"}
	before := w.photo()
	commit := w.preserve(paths...)
	if _, err := w.roller.Move(ctx, w.request(commit, paths...)); err != nil {
		t.Fatal(err)
	}
	if got := w.Read("a.txt"); got != "1\r\n2\r\n" {
		t.Errorf("a.txt = %q, want what the base's attributes give", got)
	}
	if again, err := w.roller.Move(ctx, w.request(commit, paths...)); err != nil || len(again) != 0 {
		t.Errorf("Move again: moved %q, %v", again, err)
	}
	if _, err := w.roller.PutBack(ctx, w.request(commit, paths...)); err != nil {
		t.Fatal(err)
	}
	same(t, "after PutBack", w.photo(), before)
}

func TestRoller_Move_brokenSmudgeFilterMovesNothing(t *testing.T) {
	t.Parallel()
	w := newWork(t, map[string]string{".gitattributes": "*.x filter=f\n", "a.x": "base\n", "b": "base\n"})
	w.Write("a.x", "half\n")
	w.Write("b", "half\n")
	commit := w.preserve("a.x", "b")
	w.Git("config", "filter.f.smudge", "false")
	w.Git("config", "filter.f.required", "true")
	w = reopen(t, w)
	before := map[string]string{"a.x": w.Read("a.x"), "b": w.Read("b")}
	if _, err := w.roller.Move(ctx, w.request(commit, "a.x", "b")); err == nil {
		t.Fatal("no error")
	}
	same(t, "files", map[string]string{"a.x": w.Read("a.x"), "b": w.Read("b")}, before)
}

func reopen(t *testing.T, w *work) *work {
	n := open(t, w.Repo)
	n.base = w.base
	return n
}

func TestRoller_Move_foldersKeepWhatIsNotOurs(t *testing.T) {
	t.Parallel()
	w := newWork(t, map[string]string{"f": "base\n", ".gitignore": "*.o\n"})
	w.remove("f")
	w.Write("f/half", "half\n")
	w.Write("f/cache.o", "ignored, precious\n")
	commit := w.preserve("f", "f/half")
	before := w.photo()
	_, err := w.roller.Move(ctx, w.request(commit, "f", "f/half"))
	refused(t, err, "f/cache.o")
	same(t, "after the refusal", w.photo(), before)
	if err := os.Rename(w.Path("f/cache.o"), w.Path("kept.o")); err != nil {
		t.Fatal(err)
	}
	if _, err := w.roller.Move(ctx, w.request(commit, "f", "f/half")); err != nil || w.Read("f") != "base\n" {
		t.Errorf("Move: %v", err)
	}
}

func TestRoller_Move_linkIsNeverFollowed(t *testing.T) {
	t.Parallel()
	w := newWork(t, map[string]string{"d/x": "base\n"})
	outside := t.TempDir()
	if err := os.WriteFile(outside+"/x", []byte("somebody's\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.remove("d")
	w.link(outside, "d")
	commit := w.preserve("d", "d/x")
	if _, err := w.roller.Move(ctx, w.request(commit, "d/x")); err == nil {
		t.Error("a link that is not among the paths gave way")
	}
	if _, err := w.roller.Move(ctx, w.request(commit, "d", "d/x")); err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(outside + "/x"); string(b) != "somebody's\n" || w.Read("d/x") != "base\n" {
		t.Errorf("outside = %q, d/x = %q", b, w.Read("d/x"))
	}
}

func TestRoller_forbiddenCommands(t *testing.T) {
	t.Parallel()
	w, paths := newEverything(t)
	w.discard(paths...)
	ref := stash.StepRef(run, step, 1)
	if err := w.store.Apply(ctx, ref, w.scratch); err != nil {
		t.Fatal(err)
	}
	if _, err := w.store.Show(ctx, ref); err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, e := range w.trace.AllEntries() {
		args := strings.Fields(e.Message)
		if len(args) < 2 || args[0] != "git" {
			continue
		}
		seen++
		switch args[1] {
		case "stash", "clean", "reset", "worktree", "gc", "checkout", "restore", "prune":
			t.Errorf("ran %q", e.Message)
		}
	}
	if seen == 0 {
		t.Error("the trace is empty: this test proves nothing")
	}
}

func TestRoller_Move_constantNumberOfChildren(t *testing.T) {
	t.Parallel()
	count := func(n int) int {
		w := newWork(t, map[string]string{"a": "base\n"})
		paths := []string{"a"}
		for i := range n {
			name := "d/" + strings.Repeat("x", i+1)
			w.Write(name, "new\r\n")
			paths = append(paths, name)
		}
		w.Write("a", "half\n")
		w.trace.Reset()
		w.discard(paths...)
		return len(w.trace.AllEntries())
	}
	if few, many := count(1), count(60); few != many {
		t.Errorf("%d children for one file, %d for sixty", few, many)
	}
}

// Settings under which git looks at files or the index in another way.
func TestRoller_Move_underOtherSettings(t *testing.T) {
	t.Parallel()
	for name, settings := range map[string][]string{
		"no file modes":  {"core.fileMode", "false"},
		"split index":    {"core.splitIndex", "true"},
		"autocrlf":       {"core.autocrlf", "true"},
		"untracked":      {"core.untrackedCache", "true"},
		"commit signing": {"commit.gpgSign", "true"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWork(t, map[string]string{"a": "base\n", "run": "base\n", "crlf": "1\r\n", "d/x": "base\n"})
			w.Git("config", settings[0], settings[1])
			w.Git("update-index", "-q", "--refresh")
			w = reopen(t, w)
			w.Write("a", "half\n")
			w.Write("crlf", "1\r\nhalf\r\n")
			w.chmod("run", 0o755)
			w.remove("d")
			w.Write("d", "half\r\n")
			w.Write("meant", "half\n")
			w.Git("add", "-N", "meant")
			paths := []string{"a", "crlf", "run", "d", "d/x", "meant"}
			before := w.photo()
			commit := w.preserve(paths...)
			for range 2 {
				if _, err := w.roller.Move(ctx, w.request(commit, paths...)); err != nil {
					t.Fatal(err)
				}
				if got := w.Git("status", "--porcelain"); got != "" {
					t.Errorf("status: %q", got)
				}
			}
			if _, err := w.roller.PutBack(ctx, w.request(commit, paths...)); err != nil {
				t.Fatal(err)
			}
			same(t, "after PutBack", w.photo(), before)
			if got := w.Git("for-each-ref", "--format=%(refname)", stash.Root); got != stash.PendingRef(run, step) {
				t.Errorf("further refs: %q", got)
			}
		})
	}
}
