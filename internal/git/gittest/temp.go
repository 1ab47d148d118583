package gittest

import (
	"os"
	"os/exec"
	"path/filepath"
)

// memory is where Linux keeps files that are in memory alone.
const memory = "/dev/shm"

// M is what *testing.M has.
type M interface{ Run() int }

// InMemory makes a package's tests keep their temporary folders in memory
// where that can be had and TMPDIR does not say otherwise. A run syncs every
// object and ref, as it must; thousands of tests that wait for a disk prove
// nothing more by it. Use it in TestMain: os.Exit(gittest.InMemory(m).Run()).
func InMemory(m M) M { return inMemory{m} }

type inMemory struct{ M }

func (m inMemory) Run() int {
	dir, ok := memoryFolder()
	if !ok {
		return m.M.Run()
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := os.Setenv("TMPDIR", dir); err != nil {
		return m.M.Run()
	}
	return m.M.Run()
}

// memoryFolder is a folder in memory from which programs may be started, with
// room to spare.
func memoryFolder() (dir string, ok bool) {
	if os.Getenv("TMPDIR") != "" || room(memory) < 2<<30 {
		return "", false
	}
	dir, err := os.MkdirTemp(memory, "scratch-")
	if err != nil {
		return "", false
	}
	probe := filepath.Join(dir, "probe")
	if os.WriteFile(probe, []byte("#!/bin/sh\nexit 0\n"), 0o700) != nil || exec.Command(probe).Run() != nil {
		_ = os.RemoveAll(dir)
		return "", false
	}
	return dir, true
}
