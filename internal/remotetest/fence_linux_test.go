package remotetest

import (
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// busyJob writes half of a step's work and then never ends by itself; a child
// of it ignores the terminal's signals.
const busyJob = `echo half by $MACHINE > a/s01.txt; (trap '' INT TERM; echo $$ > "$COUNT/busy"; sleep 1000) & wait`

// TestLease_fencedWhileTheJobRuns: who holds the lease and was taken over ends
// its job, keeps what that made, and says who won.
func TestLease_fencedWhileTheJobRuns(t *testing.T) {
	w := newWorld(t, 2).over("http")
	a, b := w.started("a"), w.joined("b")
	a.git("config", "agent.leaseTTL", "1s")
	holder, out := a.command("step", "s01", "--", "sh", "-c", busyJob)
	w.check(holder.Start())
	job := w.pid("count/busy")
	w.says(w.lease(), "Agent-State: held")

	// b's own time to live is the long one: it does not wait for it.
	b.must(0, append([]string{"step", "--takeover", "s01", "--"}, b.job("s01", "done")...)...)
	_ = holder.Wait()
	w.want("exit of the one fenced", status(holder), 4)
	w.says(out.String(), "the run was taken over by")
	w.says(out.String(), "git agent stash show refs/agent-stash/r-1/s01/1")
	w.want("its job lives", w.lives(job), false)
	w.want("kept", a.kept("a/s01.txt", "half by a"), []string{"refs/agent-stash/r-1/s01/1"})
	w.want("certificates", w.certificates(), []string{"s01"})

	a.must(0, "resume")
	a.level()
	a.must(0, a.does("s02")...)
	b.must(0, "resume")
	b.level()
	w.want("plan versions and records", w.remote("rev-list", "--count", "refs/agent/r-1"), 1)
}

// inNamespace runs a machine's command where its processes have other ids.
func (c *clone) inNamespace(args ...string) *exec.Cmd {
	cmd, _ := c.command(args...)
	argv := append([]string{"unshare", "--pid", "--fork", "--kill-child", "--mount-proc"}, cmd.Args...)
	inside := exec.Command(lookUp(c.t, argv[0]), argv[1:]...)
	inside.Dir, inside.Env, inside.Stdout, inside.Stderr = cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr
	return inside
}

func needNamespaces(t *testing.T) {
	t.Helper()
	if err := exec.Command(lookUp(t, "unshare"), "--pid", "--fork", "--mount-proc", "true").Run(); err != nil {
		t.Skipf("unshare --pid makes no pid namespace here: %v", err)
	}
}

// TestLease_deadInAnotherNamespace: nothing can be looked into there, so the
// lease is watched for one time to live before it is taken over.
func TestLease_deadInAnotherNamespace(t *testing.T) {
	needNamespaces(t)
	w := newWorld(t, 1).over("git")
	a, b := w.started("a"), w.joined("b")
	const ttl = 2 * time.Second
	b.git("config", "agent.leaseTTL", ttl.String())
	gone := a.inNamespace("step", "s01", "--", "sh", "-c", `echo half > a/s01.txt; echo 1 > "$COUNT/began"; sleep 1000`)
	w.check(gone.Start())
	w.poll("the job began", func() bool { return w.exists("count/began") })
	w.check(gone.Process.Signal(syscall.SIGKILL)) // and so all that is inside
	_ = gone.Wait()
	w.says(w.lease(), "Agent-State: held")

	begin := time.Now()
	out := b.must(0, b.does("s01")...)
	if took := time.Since(begin); took < ttl {
		t.Errorf("taken over after %s, before the time to live of %s", took, ttl)
	}
	w.says(out, "watching for 2s whether it lives")
	w.says(out, "it did not move: taking the run over from")
	w.want("certificates", w.certificates(), []string{"s01"})
}

// TestLease_aliveInAnotherNamespace: a holder that shows signs of life is left
// alone, however short the time to live.
func TestLease_aliveInAnotherNamespace(t *testing.T) {
	needNamespaces(t)
	w := newWorld(t, 1).over("http")
	a, b := w.started("a"), w.joined("b")
	a.git("config", "agent.leaseTTL", "1s")
	b.git("config", "agent.leaseTTL", "20s")
	holder := a.inNamespace("step", "s01", "--", "sh", "-c",
		`echo done by a > a/s01.txt; echo 1 > "$COUNT/began"; while test ! -e "$COUNT/go"; do sleep 0.1; done`)
	w.check(holder.Start())
	w.poll("the job began", func() bool { return w.exists("count/began") })
	before := w.refs()
	w.poll("a sign of life", func() bool { return w.refs() != before })
	counter := regexp.MustCompile(`(?m)^Agent-Counter: (\d+)$`).FindStringSubmatch(w.lease())
	if counter == nil || counter[1] == "0" {
		t.Errorf("the counter of a sign of life: %q in\n%s", counter, w.lease())
	}

	out := b.must(6, b.does("s01")...)
	w.says(out, "the run is held by")
	w.want("jobs of the other one", w.counted("job-s01"), 0)
	w.write("count/go", "")
	_ = holder.Wait()
	w.want("exit of the holder", status(holder), 0)
	w.want("certificates", w.certificates(), []string{"s01"})
	if !strings.Contains(w.lease(), "Agent-State: released") {
		t.Errorf("not released:\n%s", w.lease())
	}
}

// TestLease_outrunWhileClaiming: somebody does the whole step between a
// machine's look at the remote and its claim. The lease is free again by then,
// the branch is not where it was: no job begins on what is past.
func TestLease_outrunWhileClaiming(t *testing.T) {
	w := newWorld(t, 1)
	a, b := w.started("a"), w.joined("b")
	script := "#!/bin/sh\ncat > /dev/null\ncd '" + w.path("count") + "' && rm inject || exit 0\ncd '" + w.path("a") + "' && exec env -i"
	for _, kv := range a.environ() {
		script += " '" + kv + "'"
	}
	script += ` git-agent step s01 -- sh -c 'echo x >> "$COUNT/job-s01"; echo done by a > a/s01.txt' > '` + w.path("count/out") + "' 2>&1\n"
	w.write("work.git/hooks/pre-receive", script)
	w.write("count/inject", "")

	w.says(b.must(4, b.does("s01")...), "the run moved on elsewhere")
	w.want("jobs", w.counted("job-s01"), 1)
	w.want("certificates", w.certificates(), []string{"s01"})
	w.want("content", w.remote("show", "refs/heads/agent-run/r-1:a/s01.txt"), "done by a")
	w.says(w.lease(), "Agent-State: released")
	b.must(0, "resume")
	b.level()
}
