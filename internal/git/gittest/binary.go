package gittest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Prepared runs a package's tests as [InMemory] does, after prepare has put into
// a folder of its own what they need. It answers the exit status for TestMain.
func Prepared(m M, prepare func(dir string) error) int {
	dir, err := os.MkdirTemp("", "prepared-")
	if err == nil {
		defer func() { _ = os.RemoveAll(dir) }()
		err = prepare(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return InMemory(m).Run()
}

// Build puts the real git-agent into a folder, for tests that run it in
// processes of its own.
func Build(dir string) error {
	build := exec.Command("go", "build", "-buildvcs=false", "-trimpath", "-o", filepath.Join(dir, "git-agent"), "github.com/git-agent/git-agent/cmd/git-agent")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	return nil
}
