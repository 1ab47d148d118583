package git

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// mayBeHeld looks through proc(5): a process has the file open, or a git works
// in our tree (between closing a lock and renaming it, git has it open no more).
// What cannot be read belongs to another user; its git would be there by its
// folder all the same.
func (r *Repo) mayBeHeld(path string) bool {
	procs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil || len(procs) == 0 {
		return true
	}
	for _, proc := range procs {
		comm, err := os.ReadFile(proc + "/comm")
		if err != nil {
			continue
		}
		cwd, _ := os.Readlink(proc + "/cwd")
		atWork := r.inOurTree(process{name: strings.TrimSpace(string(comm)), cwd: cwd}) && !startedUs(proc)
		if atWork || hasOpen(proc, path) {
			return true
		}
	}
	return false
}

// startedUs recognizes the git of `git agent`: it runs in our tree for as long
// as we do, and only waits. A git that runs us otherwise (as a hook) may well
// hold a lock.
func startedUs(proc string) bool {
	if proc != "/proc/"+strconv.Itoa(os.Getppid()) {
		return false
	}
	args, err := os.ReadFile(proc + "/cmdline")
	return err == nil && slices.Contains(strings.Split(string(args), "\x00"), "agent")
}

func hasOpen(proc, path string) bool {
	fds, err := os.ReadDir(proc + "/fd")
	if err != nil {
		return false
	}
	for _, fd := range fds {
		if target, err := os.Readlink(proc + "/fd/" + fd.Name()); err == nil && target == path {
			return true
		}
	}
	return false
}
