package place

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDisk_MoveAside(t *testing.T) {
	top := filepath.Join(t.TempDir(), "w")
	for name, text := range map[string]string{
		"linked/.git": "gitdir: ../.git/worktrees/linked\n", ".git/worktrees/linked/commondir": "../..\n",
		"module/.git": "gitdir: ../.git/modules/module\n", ".git/modules/module/HEAD": "ref: refs/heads/main\n",
		"own/.git/HEAD": "ref: refs/heads/main\n", "torn/.git": "?\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(top, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(top, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d := Disk{Top: top}
	for p, want := range map[string]string{
		"linked": "git -C W/linked worktree move -- W/linked P/linked && x",
		"module": "mv -- W/module P/module && x   # its files; its HEAD and index stay in W/.git/modules/module",
		"own":    "mv -- W/own P/own && x",
		"torn":   "mv -- W/torn P/torn && x",
	} {
		got := strings.NewReplacer("'", "", top, "W", filepath.Dir(top), "P").Replace(d.MoveAside(p, " && x"))
		if got != want {
			t.Errorf("%s:\n%s, want\n%s", p, got, want)
		}
	}
}
