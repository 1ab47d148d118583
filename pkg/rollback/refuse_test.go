package rollback_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/git-agent/git-agent/pkg/rollback"
)

func refused(t *testing.T, err error, says string) {
	t.Helper()
	var r *rollback.Refusal
	if !errors.As(err, &r) || !strings.Contains(r.Reason, says) {
		t.Errorf("err = %v, want a refusal that names %q", err, says)
	}
}

func TestRoller_Refuse(t *testing.T) {
	t.Parallel()
	base := map[string]string{"a": "base\n", "d/b": "base\n", ".gitignore": "*.o\n"}
	for name, c := range map[string]struct {
		set   func(w *work)
		paths []string
		says  string
	}{
		"merge":  {func(w *work) { w.Write(".git/MERGE_HEAD", w.base+"\n") }, []string{"a"}, "merge"},
		"bisect": {func(w *work) { w.Write(".git/BISECT_LOG", "") }, []string{"a"}, "bisect"},
		"conflict": {func(w *work) {
			id := w.Git("rev-parse", "HEAD:a")
			w.GitIn("100644 "+id+" 1\tz\n100644 "+id+" 2\tz\n", "update-index", "--index-info")
		}, []string{"a"}, "conflict"},
		"nested repository": {func(w *work) {
			w.Git("init", "-q", "nested")
			w.Write("nested/file", "x")
		}, []string{"nested/file"}, `"nested"`},
		"nested repository in place of a file": {func(w *work) {
			w.remove("a")
			w.Git("init", "-q", "a/deep")
		}, []string{"a"}, `"a/deep"`},
		"submodule": {func(w *work) { w.Git("update-index", "--add", "--cacheinfo", "160000,"+w.base+",sub") }, []string{"sub/x"}, `"sub"`},
		"ignored":   {func(w *work) { w.Write("x.o", "built") }, []string{"a", "x.o"}, "x.o"},
		"no path":   {func(*work) {}, []string{"../a"}, "../a"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWork(t, base)
			c.set(w)
			refused(t, w.roller.Refuse(ctx, "", c.paths), c.says)
		})
	}
}

func TestRoller_Refuse_lockNamesPathAgeAndRemedy(t *testing.T) {
	t.Parallel()
	w := newWork(t, map[string]string{"a": "base\n"})
	w.Write("a", "half\n")
	commit := w.preserve("a")
	lock := w.Path(".git/index.lock")
	w.Write(".git/index.lock", "")
	made := w.roller.Now().Add(-90 * time.Second)
	if err := os.Chtimes(lock, made, made); err != nil {
		t.Fatal(err)
	}
	err := w.roller.Refuse(ctx, "", []string{"a"})
	refused(t, err, lock)
	refused(t, err, "1m30s")
	var r *rollback.Refusal
	if errors.As(err, &r) && (len(r.Hints) != 1 || r.Hints[0] != "rm '"+lock+"'") {
		t.Errorf("hints = %q", r.Hints)
	}
	_, err = w.roller.Move(ctx, w.request(commit, "a"))
	refused(t, err, lock)
	if w.Read("a") != "half\n" || !w.Exists(".git/index.lock") {
		t.Error("something was touched under a foreign lock")
	}
}
