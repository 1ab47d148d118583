package journal

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func openRoot(t *testing.T, dir string) *os.Root {
	t.Helper()
	root, err := os.OpenRoot(dir)
	must(t, err)
	t.Cleanup(func() { must(t, root.Close()) })
	return root
}

// TestRootFolder_wholeStreams: the streams of the first report, drained as a
// runner drains them, on a real disk.
func TestRootFolder_wholeStreams(t *testing.T) {
	dir := t.TempDir()
	root := openRoot(t, dir)
	must(t, root.Mkdir("run", 0o700))
	folder := RootFolder(root, "run")
	_, err := drain(reported().request(folder), reported(), ChunkSize)
	must(t, err)
	mustHaveAll(t, folder, reported())
	for _, name := range []string{"a.log", "a.index"} {
		info, err := os.Stat(filepath.Join(dir, "run", name))
		must(t, err)
		if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %s", name, info.Mode())
		}
	}
}

// TestRootFolder_tornEnd: the real folder's truncation and copy.
func TestRootFolder_tornEnd(t *testing.T) {
	dir := t.TempDir()
	folder := RootFolder(openRoot(t, dir), ".")
	n := small()
	must(t, mustOpen(t, n.request(folder)).Close())
	index := filepath.Join(dir, "a.index")
	whole, err := os.ReadFile(index)
	must(t, err)
	must(t, os.WriteFile(index, append(bytes.Clone(whole), whole[:31]...), 0o600))
	_, err = drain(n.request(folder), n, 5)
	must(t, err)
	mustHaveAll(t, folder, n)
	torn, err := os.ReadFile(index + ".torn")
	if err != nil || !bytes.Contains(torn, whole[:31]) {
		t.Errorf("kept: %q, %v", torn, err)
	}
}

// TestRootFolder_planted: links and folders in a file's place are refused,
// inside the root too.
func TestRootFolder_planted(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "outside")
	must(t, os.WriteFile(outside, []byte("mine"), 0o600))
	for name, plant := range map[string]func(dir string) error{
		"link out":      func(dir string) error { return os.Symlink(outside, filepath.Join(dir, "a.log")) },
		"link in":       func(dir string) error { return os.Symlink("other", filepath.Join(dir, "a.log")) },
		"dangling link": func(dir string) error { return os.Symlink("none", filepath.Join(dir, "a.index")) },
		"folder":        func(dir string) error { return os.Mkdir(filepath.Join(dir, "a.index"), 0o700) },
	} {
		dir := t.TempDir()
		must(t, os.WriteFile(filepath.Join(dir, "other"), []byte("mine"), 0o600))
		must(t, plant(dir))
		if _, err := Open(small().request(RootFolder(openRoot(t, dir), "."))); err == nil {
			t.Errorf("%s: opened", name)
		}
		if _, err := os.Stat(filepath.Join(dir, "none")); err == nil {
			t.Errorf("%s: something was made behind it", name)
		}
		for _, f := range []string{outside, filepath.Join(dir, "other")} {
			if b, err := os.ReadFile(f); err != nil || string(b) != "mine" {
				t.Errorf("%s: %q is %q, %v", name, f, b, err)
			}
		}
	}
}
