package run

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Only what is provably no folder of the checkout is called so.
func TestNoFolder(t *testing.T) {
	top := t.TempDir()
	for _, err := range []error{
		os.MkdirAll(filepath.Join(top, "a", "b"), 0o700),
		os.WriteFile(filepath.Join(top, "file"), nil, 0o600),
		os.Symlink("a", filepath.Join(top, "inside")),
		os.Symlink("file", filepath.Join(top, "to-file")),
		os.Symlink("nothing", filepath.Join(top, "dangling")),
		os.Symlink("/nonexistent/there", filepath.Join(top, "outside")),
		os.Symlink("../nothing", filepath.Join(top, "above")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for dir, want := range map[string]string{
		"": "", ".": "", "a": "", "a/": "", "a/b": "", "inside/b": "", "inside/": "",
		"x": "not there", "a/x/y": "not there", "inside/x": "not there", "dangling": "not there", "dangling/x": "not there",
		"file": "no folder", "file/": "no folder", "file/x": "no folder", "to-file": "no folder", "to-file/x": "no folder",
		"outside": "", "outside/x": "", "above": "",
	} {
		if got := noFolder(top, dir); !strings.HasSuffix(got, want) || want == "" && got != "" {
			t.Errorf("%q: %q, want %q", dir, got, want)
		}
	}
	if got := noFolder(filepath.Join(top, "gone"), "a"); got != "" {
		t.Errorf("the checkout itself is gone: %q", got)
	}
}
