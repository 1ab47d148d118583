package git

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestPlumbing_switchesConfiguredHooksOff looks at what our children's git
// itself reads: a git that knows such hooks (2.54) decides by these values.
func TestPlumbing_switchesConfiguredHooksOff(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir()
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=hook.from env.command", "GIT_CONFIG_VALUE_0=false"}
	run := func(args ...string) {
		t.Helper()
		c := exec.Command("git", args...)
		c.Dir, c.Env = dir, env[:3]
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	run("init", "-q")
	marker := filepath.Join(dir, "ran")
	names := []string{"linter", "Two Words", "a.b=c", "=", "from env"}
	for _, name := range names[:4] {
		run("config", "hook."+name+".event", "reference-transaction")
		run("config", "hook."+name+".command", "touch '"+marker+"'")
	}
	run("config", "--global", "hook.linter.enabled", "true")
	r, err := Open(context.Background(), Options{Dir: dir, Env: env})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		for what, c := range map[string]*command{"plumbing": r.plumbing("config", "--bool", "hook."+name+".enabled"), "reading": r.reading("config", "--bool", "hook."+name+".enabled")} {
			if got, err := c.text(context.Background()); err != nil || got != "false" {
				t.Errorf("%s: hook %q is enabled: %q, %v", what, name, got, err)
			}
		}
		// A person's own hooks run where git acts for the person.
		if got, _ := r.porcelain("config", "hook."+name+".enabled").text(context.Background()); got == "false" {
			t.Errorf("porcelain: hook %q is off", name)
		}
	}
	if err := r.UpdateRefs(context.Background(), "test"); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(marker); err == nil {
		t.Error("a configured hook ran")
	}
}
