package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
)

func openTemp(t *testing.T) *Dir {
	t.Helper()
	d, err := OpenDir(filepath.Join(t.TempDir(), "git", "agent"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

func mustWrite(t *testing.T, d *Dir, name, content string) {
	t.Helper()
	if err := d.Write(name, []byte(content)); err != nil {
		t.Fatal(err)
	}
}

func mustHave(t *testing.T, d *Dir, name, want string) {
	t.Helper()
	got, err := d.Read(name)
	if err != nil || string(got) != want {
		t.Fatalf("read %q = %q, %v; want %q", name, got, err, want)
	}
}

func TestOpenDir_isPrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no permission bits on windows")
	}
	d := openTemp(t)
	mustWrite(t, d, "run/attempt/log", "x")
	for name, want := range map[string]fs.FileMode{
		"": 0o700, "run": 0o700, "run/attempt": 0o700, "run/attempt/log": 0o600,
	} {
		info, err := os.Stat(d.Path(name))
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("mode of %q: %v, %v; want %v", name, info.Mode().Perm(), err, want)
		}
	}
}

func TestOpenDir_closesAnOpenFolder(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no permission bits on windows")
	}
	path := t.TempDir()
	if err := os.Chmod(path, 0o755); err != nil {
		t.Fatal(err)
	}
	d, err := OpenDir(path)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o700 {
		t.Errorf("mode %v after OpenDir", info.Mode().Perm())
	}
}

func TestOpenDir_refusesWhatIsNoFolder(t *testing.T) {
	base := t.TempDir()
	outside := t.TempDir()
	paths := map[string]func(string) error{
		"link":     func(p string) error { return os.Symlink(outside, p) },
		"dangling": func(p string) error { return os.Symlink(filepath.Join(base, "none"), p) },
		"file":     func(p string) error { return os.WriteFile(p, nil, 0o600) },
	}
	for name, plant := range paths {
		path := filepath.Join(base, name)
		if err := plant(path); err != nil {
			t.Fatal(err)
		}
		for _, open := range []func(string) (*Dir, error){OpenDir, OpenDirReadOnly} {
			if d, err := open(path); err == nil {
				t.Errorf("%s: opened", name)
				_ = d.Close()
			}
		}
	}
}

func TestDir_namesStayInside(t *testing.T) {
	d := openTemp(t)
	outside := filepath.Join(filepath.Dir(d.path), "secret")
	if err := os.WriteFile(outside, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("..", d.Path("up")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", ".", "..", "../secret", "/etc/passwd", "a/../../secret", "a//b", "up/secret"} {
		if got, err := d.Read(name); err == nil {
			t.Errorf("Read(%q) = %q", name, got)
		}
		if err := d.Write(name, []byte("x")); err == nil {
			t.Errorf("Write(%q) went through", name)
		}
		if _, err := d.Lock(name, nil); err == nil {
			t.Errorf("Lock(%q) went through", name)
		}
		if name != "a/../../secret" && d.RemoveAll(name) == nil {
			t.Errorf("RemoveAll(%q) went through", name)
		}
	}
	if got, err := os.ReadFile(outside); err != nil || string(got) != "secret" {
		t.Errorf("file outside: %q, %v", got, err)
	}
}

func TestDir_plantedFileLinks(t *testing.T) {
	d := openTemp(t)
	target := filepath.Join(t.TempDir(), "target")
	if err := os.WriteFile(target, []byte("theirs"), 0o600); err != nil {
		t.Fatal(err)
	}
	mustWrite(t, d, "inside", "inside")
	for name, to := range map[string]string{"out": target, "in": "inside"} {
		if err := os.Symlink(to, d.Path(name)); err != nil {
			t.Fatal(err)
		}
		if got, err := d.Read(name); err == nil {
			t.Errorf("Read followed %q: %q", name, got)
		}
		if _, err := d.Lock(name, nil); err == nil {
			t.Errorf("Lock followed %q", name)
		}
		if _, err := d.OpenFile(name, os.O_APPEND|os.O_WRONLY|os.O_CREATE); err == nil {
			t.Errorf("OpenFile followed %q", name)
		}
		mustWrite(t, d, name, "ours") // replaces the link itself
		mustHave(t, d, name, "ours")
	}
	mustHave(t, d, "inside", "inside")
	if got, _ := os.ReadFile(target); string(got) != "theirs" {
		t.Errorf("target of the link became %q", got)
	}
}

func TestDir_Remove(t *testing.T) {
	d := openTemp(t)
	mustWrite(t, d, "run/a", "x")
	for range 2 {
		if err := d.Remove("run/a"); err != nil {
			t.Fatal(err)
		}
	}
	mustWrite(t, d, "run/a", "x")
	for range 2 {
		if err := d.RemoveAll("run"); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Remove("run/none/deep"); err != nil {
		t.Errorf("absent folder: %v", err)
	}
	if _, err := d.Read("run/a"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("read of a removed file: %v", err)
	}
}

func TestDir_WriteJSON(t *testing.T) {
	type job struct {
		Step string `json:"step"`
	}
	d := openTemp(t)
	if err := d.WriteJSON("job.json", job{"a<b"}); err != nil {
		t.Fatal(err)
	}
	mustHave(t, d, "job.json", "{\n  \"step\": \"a<b\"\n}\n")
}

func TestDir_OpenFile_appends(t *testing.T) {
	d := openTemp(t)
	for _, line := range []string{"a\n", "b\n"} {
		f, err := d.OpenFile("run/log", os.O_APPEND|os.O_WRONLY|os.O_CREATE)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString(line); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	mustHave(t, d, "run/log", "a\nb\n")
	if _, err := d.OpenFile("none/log", os.O_RDONLY); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("absent: %v", err)
	}
}

func TestDir_List_hidesUnfinishedWrites(t *testing.T) {
	d := openTemp(t)
	mustWrite(t, d, "run/b", "")
	mustWrite(t, d, "run/a", "")
	if err := os.WriteFile(d.Path("run/"+tempName("a")), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	names, err := d.List("run")
	if err != nil || !slices.Equal(names, []string{"a", "b"}) {
		t.Errorf("List = %q, %v", names, err)
	}
}

func TestOpenDirReadOnly_changesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "agent")
	d, err := OpenDirReadOnly(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Read("x"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Read: %v", err)
	}
	if _, err := d.List("."); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("List: %v", err)
	}
	if _, err := d.OpenFile("x", os.O_RDONLY); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("OpenFile: %v", err)
	}
	refuseChanges(t, d)
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder exists: %v", err)
	}
}

func TestOpenDirReadOnly_readsAnExistingFolder(t *testing.T) {
	w := openTemp(t)
	mustWrite(t, w, "x", "content")
	d, err := OpenDirReadOnly(w.path)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	mustHave(t, d, "x", "content")
	refuseChanges(t, d)
	mustHave(t, d, "x", "content")
}

func refuseChanges(t *testing.T, d *Dir) {
	t.Helper()
	_, lockErr := d.Lock("x", nil)
	_, openErr := d.OpenFile("x", os.O_WRONLY|os.O_CREATE)
	for i, err := range []error{d.Write("x", nil), d.Remove("x"), d.RemoveAll("x"), lockErr, openErr} {
		if !errors.Is(err, fs.ErrPermission) {
			t.Errorf("change %d: %v", i, err)
		}
	}
}

func TestTempBase_roundTrip(t *testing.T) {
	for _, base := range []string{"a", "a.b", ".a", "job.json", "a.tmp"} {
		if got, ok := tempBase(tempName(base)); !ok || got != base {
			t.Errorf("tempBase(tempName(%q)) = %q, %v", base, got, ok)
		}
		if isTemp(base) {
			t.Errorf("%q taken for a temporary file", base)
		}
	}
}
