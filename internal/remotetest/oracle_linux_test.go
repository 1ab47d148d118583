package remotetest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"
)

// remote runs git in the remote itself, past every transport.
func (w *world) remote(args ...string) string {
	w.t.Helper()
	return w.at("seed").git(append([]string{"--git-dir=" + w.path("work.git")}, args...)...)
}

// refs is all that the remote has of the run.
func (w *world) refs() string {
	return w.remote("for-each-ref", "--format=%(objectname) %(refname)", "refs/agent", "refs/agent-lease", "refs/heads/agent-run")
}

// certificates lists the steps certified on the remote's branch, newest first.
func (w *world) certificates() []string {
	w.t.Helper()
	return strings.Fields(w.remote("log", "--format=%(trailers:key=Agent-Step,valueonly)", "refs/heads/agent-run/r-1"))
}

// lease is the message of the lease that the remote holds.
func (w *world) lease() string { return w.remote("log", "-1", "--format=%B", "refs/agent-lease/r-1") }

// counted is how often a job or check ran, on whatever machine.
func (w *world) counted(name string) int {
	data, err := os.ReadFile(w.path("count/" + name))
	if err != nil && !os.IsNotExist(err) {
		w.t.Fatal(err)
	}
	return bytes.Count(data, []byte("x"))
}

// locks lists git locks that the remote was left with.
func (w *world) locks() []string {
	found, err := exec.Command("find", w.path("work.git"), "-name", "*.lock").Output()
	w.check(err)
	return strings.Fields(string(found))
}

// kept lists the refs of this clone that preserve exactly this text in a file.
func (c *clone) kept(file, text string) []string {
	c.t.Helper()
	var found []string
	for _, ref := range strings.Fields(c.git("for-each-ref", "--format=%(refname)", "refs/agent-stash/")) {
		if c.git("show", ref+":"+file) == text {
			found = append(found, ref)
		}
	}
	return found
}

// level: this clone is where the remote is, with nothing changed.
func (c *clone) level() {
	c.t.Helper()
	c.want(c.name+" is at", c.git("rev-parse", "HEAD"), c.remote("rev-parse", "refs/heads/agent-run/r-1"))
	c.want(c.name+" has changed", c.git("status", "--porcelain"), "")
}

func (w *world) want(what string, got, want any) {
	w.t.Helper()
	if g, n := fmt.Sprint(got), fmt.Sprint(want); g != n {
		w.t.Errorf("%s: %s, want %s", what, g, n)
	}
}

// says requires a text in an output.
func (w *world) says(out, text string) {
	w.t.Helper()
	if !strings.Contains(out, text) {
		w.t.Errorf("%q is not said in:\n%s", text, out)
	}
}

// poll waits for what another process is about to do.
func (w *world) poll(what string, done func() bool) {
	w.t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(60 * time.Second); !done(); <-tick.C {
		if time.Now().After(end) {
			w.t.Fatalf("waited for 60 s in vain: %s", what)
		}
	}
}

func (w *world) exists(name string) bool {
	_, err := os.Lstat(w.path(name))
	return err == nil
}

// lives: a process of this world has the pid.
func (w *world) lives(pid int) bool {
	env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	return err == nil && slices.Contains(strings.Split(string(env), "\x00"), "COUNT="+w.path("count"))
}

// pid reads the process id that a job or hook wrote to a file.
func (w *world) pid(name string) int {
	w.t.Helper()
	var pid int
	w.poll(name+" is written", func() bool {
		text, err := os.ReadFile(w.path(name))
		return err == nil && strings.HasSuffix(string(text), "\n")
	})
	text, err := os.ReadFile(w.path(name))
	w.check(err)
	if _, err := fmt.Sscan(string(text), &pid); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { // what a failed test would leave running
		if w.lives(pid) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	})
	return pid
}
