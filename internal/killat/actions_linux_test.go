package killat

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestMain lets the test binary be killat, under that name.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "killat" {
		os.Exit(Main(os.Args[1:], os.Stderr))
	}
	os.Exit(m.Run())
}

// killat runs it and answers its report, and what was printed.
func killat(t testing.TB, dir string, env []string, args ...string) (Report, string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	report := filepath.Join(t.TempDir(), "report")
	cmd := &exec.Cmd{Path: self, Args: append([]string{"killat", "-report", report}, args...), Dir: dir, Env: env}
	out, _ := cmd.CombinedOutput()
	text, err := os.ReadFile(report)
	if err != nil {
		t.Fatalf("killat %q: no report\n%s", args, out)
	}
	var r Report
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	return r, string(out)
}

// TestMain_countsEveryProcess: a shell and its child, one counter, the same
// each time.
func TestMain_countsEveryProcess(t *testing.T) {
	dir := t.TempDir()
	count := func() int {
		r, out := killat(t, dir, os.Environ(), "--", "sh", "-c", "echo 1 > a; mkdir b; (echo 2 > b/c); mv a d; rm -r b d")
		if r.Exit != 0 || r.At != "" {
			t.Fatalf("%+v\n%s", r, out)
		}
		return r.Points
	}
	first := count()
	if second := count(); first < 10 || first != second {
		t.Fatalf("%d points, then %d", first, second)
	}
}

// TestMain_actions: what each action does at the one mkdir or write of a
// command that a shell waits for.
func TestMain_actions(t *testing.T) {
	for _, c := range []struct {
		name, only, act, script string
		exit                    int
		there, absent           []string
	}{
		{"tree", "mkdir,mkdirat", "tree", "mkdir a; echo > b", 137, []string{"a"}, []string{"b"}},
		{"root", "mkdir,mkdirat", "root", "mkdir a; echo > b", 137, []string{"a"}, []string{"b"}},
		{"changes nothing", "mkdir,mkdirat", "tree", "mkdir / 2> c; mkdir a; echo > b", 137, []string{"a", "c"}, []string{"b"}},
		{"to a device", "write", "tree", "echo > /dev/null; echo > a; echo > b", 137, []string{"a"}, []string{"b"}},
		{"at its beginning", "execve", "self", "mkdir a; echo > b", 0, []string{"b"}, []string{"a"}},
		{"self", "mkdir,mkdirat", "self", "mkdir a c; echo > b", 0, []string{"a", "b"}, []string{"c"}},
		{"fail", "mkdir,mkdirat", "fail", "mkdir a || echo > b", 0, []string{"b"}, []string{"a"}},
		{"short", "write", "short", "printf 1234567890 > a; echo > b", 137, []string{"a"}, []string{"b"}},
		{"never reached", "mkdir,mkdirat", "tree", "echo > b", 0, []string{"b"}, []string{"a"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			r, out := killat(t, dir, os.Environ(), "-n", "1", "-act", c.act, "-only", c.only, "--", "sh", "-c", c.script)
			if r.Exit != c.exit || (r.At == "") != (c.name == "never reached") && c.name != "short" {
				t.Fatalf("%+v\n%s", r, out)
			}
			for _, name := range c.there {
				if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
					t.Error(err)
				}
			}
			for _, name := range c.absent {
				if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
					t.Errorf("%s is there", name)
				}
			}
			if c.act == "short" {
				if half, _ := os.ReadFile(filepath.Join(dir, "a")); string(half) != "12345" {
					t.Errorf("%q was written", half)
				}
			}
		})
	}
}
