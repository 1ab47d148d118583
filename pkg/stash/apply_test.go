package stash_test

import (
	"os"
	"strings"
	"testing"
)

// half makes a half-done step of tracked and untracked changes.
func half(w *work) []string {
	w.Write("edited", "half\n")
	w.remove("deleted")
	w.Write("n/untracked", "new\n")
	w.Write("staged", "new\n")
	w.Git("add", "staged")
	w.Git("rm", "-q", "--cached", "uncached")
	w.Write("crlf", "1\r\n2\r\n")
	w.Write("n/crlf", "1\r\n2\r\n")
	w.remove("file")
	w.Write("file/below", "new\n")
	w.remove("dir")
	w.Write("dir", "a file now\n")
	if err := os.Chmod(w.Path("mode"), 0o755); err != nil {
		w.T.Fatal(err)
	}
	if err := os.Symlink("nowhere", w.Path("link")); err != nil {
		w.T.Fatal(err)
	}
	return []string{"edited", "deleted", "n/untracked", "staged", "uncached", "crlf", "n/crlf", "file", "file/below", "dir", "dir/x", "mode", "link"}
}

func newHalf(t *testing.T) (*work, []string) {
	w := newWork(t, map[string]string{"edited": "base\n", "deleted": "base\n", "uncached": "base\n", "file": "base\n", "dir/x": "base\n",
		"mode": "base\n", "crlf": "1\n", ".gitattributes": "crlf text=auto\n", "other": "base\n"})
	return w, half(w)
}

// disk is every file of the half-done step as text.
func disk(w *work, paths []string) string {
	w.T.Helper()
	var b strings.Builder
	for _, p := range paths {
		b.WriteString(p + ": ")
		info, err := os.Lstat(w.Path(p))
		switch {
		case err != nil:
			b.WriteString("none")
		case info.IsDir():
			b.WriteString("folder")
		case info.Mode()&os.ModeSymlink != 0:
			text, _ := os.Readlink(w.Path(p))
			b.WriteString("-> " + text)
		default:
			b.WriteString(w.Read(p))
			if info.Mode()&0o100 != 0 {
				b.WriteString("+x")
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestGitStashApply_takesTheRef(t *testing.T) {
	for _, four := range []bool{true, false} {
		w, paths := newHalf(t)
		if !four {
			w.Write("crlf", "1\n2\n")
			w.remove("n/crlf")
		}
		before := disk(w, paths)
		commit := w.save(paths...)
		if n := len(strings.Fields(w.Git("log", "-1", "--format=%P", commit))); n != 4 && four || n != 3 && !four {
			t.Fatalf("%d parents", n)
		}
		w.wipe()
		w.Git("stash", "apply", "-q", ref)
		want := before
		if four { // git puts back what it stores
			want = strings.ReplaceAll(want, "crlf: 1\r\n2\r\n", "crlf: 1\n2\n")
		}
		equal(t, "by git stash apply", disk(w, paths), want)
		equal(t, "the person's list", w.Git("stash", "list"), "")
		if out := w.Git("stash", "show", "--include-untracked", "--name-only", ref); !strings.Contains(out, "n/untracked") {
			t.Errorf("git stash show: %q", out)
		}
	}
}

func TestStore_Apply_bringsAllBack(t *testing.T) {
	w, paths := newHalf(t)
	before, index := disk(w, paths), w.Git("ls-files", "-s")
	w.save(paths...)
	w.wipe()
	w.Write("other", "by hand\n")
	for range 2 { // what is there already is no reason to refuse
		if err := w.store.Apply(ctx, ref, w.scratch); err != nil {
			t.Fatal(err)
		}
		equal(t, "disk", disk(w, paths), before)
		equal(t, "index", w.Git("ls-files", "-s"), index)
	}
	equal(t, "other", w.Read("other"), "by hand\n")
	equal(t, "left in scratch", strings.Join(names(t, w.scratch), " "), "")
}

func TestStore_Apply_refusesOverOtherWork(t *testing.T) {
	w, paths := newHalf(t)
	w.save(paths...)
	w.wipe()
	w.Write("edited", "by hand\n")
	w.Write("n/untracked", "by hand\n")
	before, index := disk(w, paths), w.Git("ls-files", "-s")
	err := w.store.Apply(ctx, ref, w.scratch)
	refused(t, err, `"edited", "n/untracked"`)
	equal(t, "disk", disk(w, paths), before)
	equal(t, "index", w.Git("ls-files", "-s"), index)

	w.wipe()
	w.Write("deleted", "staged by hand\n")
	w.Git("add", "deleted")
	w.Write("deleted", "base\n")
	refused(t, w.store.Apply(ctx, ref, w.scratch), `"deleted"`)
}

func TestStore_Apply_lineEndsAloneAreNoOtherWork(t *testing.T) {
	w := newWork(t, map[string]string{".gitattributes": "* text=auto\n", "a": "base\n"})
	w.Write("a", "half\n")
	w.save("a")
	w.Write("a", "base\r\n")
	if err := w.store.Apply(ctx, ref, w.scratch); err != nil {
		t.Fatal(err)
	}
	equal(t, "a", w.Read("a"), "half\n")
}

func TestStore_Patch_applies(t *testing.T) {
	w, paths := newHalf(t)
	w.Write("crlf", "1\n2\n")
	w.Write("n/crlf", "bin\x00ary")
	before := disk(w, paths)
	w.save(paths...)
	w.Git("config", "diff.noprefix", "true")
	patch, err := w.store.Patch(ctx, ref)
	if err != nil {
		t.Fatal(err)
	}
	// `rm --cached` is a deletion and an untracked file: two patches of one path.
	tracked, untracked, _ := strings.Cut(string(patch), "diff --git a/file/below")
	w.wipe()
	w.GitIn(tracked, "apply", "-")
	w.GitIn("diff --git a/file/below"+untracked, "apply", "-")
	equal(t, "disk", disk(w, paths), before)
}

func TestStore_Show_saysWhatIsHeld(t *testing.T) {
	w, paths := newHalf(t)
	w.save(paths...)
	d, err := w.store.Show(ctx, ref)
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[string]string)
	for _, h := range d.Held {
		for word, on := range map[string]bool{"w": h.Worktree, "i": h.Index, "u": h.Untracked, "r": h.Raw, "d": h.Deleted} {
			if on {
				got[h.Path] += word
			}
		}
	}
	for p, want := range map[string]string{"edited": "w", "deleted": "wd", "n/untracked": "u", "staged": "wi", "uncached": "iu",
		"crlf": "wr", "n/crlf": "ur", "mode": "w", "link": "u", "dir": "u", "dir/x": "wd"} {
		if sorted(got[p]) != sorted(want) {
			t.Errorf("%s: %q, want %q", p, got[p], want)
		}
	}
	if len(got["never"]) != 0 {
		t.Error("a path that exists nowhere is held")
	}
}

func sorted(s string) string {
	var b strings.Builder
	for _, c := range "diruw" {
		if strings.ContainsRune(s, c) {
			b.WriteRune(c)
		}
	}
	return b.String()
}
