package remotetest

import (
	"os"
	"syscall"
	"testing"
)

// pausingHook holds up the push that it belongs to, after git has read what the
// remote has and before it sends anything. Pushes of the lease alone run none.
const pausingHook = `#!/bin/sh
echo $PPID > "$COUNT/push"
while test ! -e "$COUNT/go"; do sleep 0.05; done
`

// TestPush_lateAfterTakeover: a push that was under way when the run was taken
// over, and that arrives while the new holder works on the next step, is
// refused by the server, and the one who sent it takes nothing from the holder.
func TestPush_lateAfterTakeover(t *testing.T) {
	for _, c := range []struct {
		transport    string
		runnerKilled bool
	}{{"file", true}, {"git", true}, {"http", false}} {
		name := c.transport + ", runner alive"
		if c.runnerKilled {
			name = c.transport + ", runner killed"
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, 2).over(c.transport)
			a, b := w.started("a"), w.joined("b")
			w.write("a/.git/hooks/pre-push", pausingHook)
			runner, out := a.command(a.does("s01")...)
			w.check(runner.Start())
			push := w.pid("count/push")
			if c.runnerKilled { // before the push is stopped: a stopped orphan gets a SIGHUP
				w.check(runner.Process.Kill())
				_ = runner.Wait()
			}
			w.check(syscall.Kill(push, syscall.SIGSTOP))
			certified := a.git("rev-parse", "HEAD")

			b.must(0, "resume", "--takeover")
			b.must(0, append([]string{"step", "--takeover", "s01", "--"}, b.job("s01", "done")...)...)
			goes, said := b.command("step", "s02", "--", "sh", "-c",
				`echo done by b > a/s02.txt; echo 1 > "$COUNT/busy"; while test ! -e "$COUNT/end"; do sleep 0.05; done`)
			w.check(goes.Start())
			w.poll("the job began", func() bool { return w.exists("count/busy") })
			before := w.refs()
			w.want("the push lives", w.lives(push), true)
			w.check(os.Remove(w.path("a/.git/hooks/pre-push")))
			w.write("count/go", "")
			w.check(syscall.Kill(push, syscall.SIGCONT))
			if !c.runnerKilled {
				_ = runner.Wait()
				w.want("exit of the runner", status(runner), 4)
				w.says(out.String(), "the run moved on elsewhere")
			}
			w.poll("the push is over", func() bool { return !w.lives(push) })
			w.want("the remote", w.refs(), before)
			w.says(w.lease(), "Agent-State: held")
			w.write("count/end", "")
			_ = goes.Wait()
			w.want("exit of the other one, "+said.String(), status(goes), 0)
			before = w.refs()

			a.must(4, "resume")
			w.want("kept", a.kept("a/s01.txt", "done by a"), []string{"refs/agent-stash/r-1/lost/1"})
			w.want("what is kept", a.git("rev-parse", "refs/agent-stash/r-1/lost/1"), certified)
			a.must(0, "resume")
			a.level()
			w.want("certificates", w.certificates(), []string{"s02", "s01"})
			w.want("locks of the remote", w.locks(), []string{})
			w.want("the remote in the end", w.refs(), before)
		})
	}
}
