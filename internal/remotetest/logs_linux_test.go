package remotetest

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestLogs_host brings the log of a job on another machine here, over a real
// sshd: while it runs, and once more when it is over; both streams are there
// byte for byte, and each byte was shown once.
func TestLogs_host(t *testing.T) {
	w := newWorld(t, 1)
	far := w.started("far")
	near := w.joined("near")
	host, port, _ := net.SplitHostPort(w.serveSSH())
	w.farAgent(port)
	job := `echo x > "$COUNT/job-s01"; printf '\361%.0s' $(seq 5011); printf '\376%.0s' $(seq 1017) >&2; until test -e "$COUNT/go"; do sleep 0.05; done; echo the end; echo done > a/s01.txt`
	step, said := far.command("step", "s01", "--", "sh", "-c", job)
	w.check(step.Start())
	for w.counted("job-s01") == 0 {
		time.Sleep(10 * time.Millisecond)
	}
	from := fmt.Sprintf("%s:%s", host, far.path("far"))
	follower, errs := near.command("logs", "--host", from, "--run", "r-1", "--stdout")
	var out bytes.Buffer
	follower.Stdout = &out
	w.check(follower.Start())
	time.AfterFunc(500*time.Millisecond, func() { w.write("count/go", "") })
	w.check(follower.Wait())
	if err := step.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	want := strings.Repeat("\xf1", 5011) + "the end\n"
	if out.String() != want {
		t.Errorf("%d bytes were shown, want %d\n%s", out.Len(), len(want), errs)
	}
	if got := near.must(0, "logs", "s01", "--stdout"); got != want {
		t.Errorf("%d bytes are here, want %d", len(got), len(want))
	}
	if got := near.must(0, "logs", "--stderr"); got != strings.Repeat("\xfe", 1017) {
		t.Errorf("%d bytes of standard error are here", len(got))
	}
	again := near.must(0, "logs", "--host", from, "--run", "r-1", "--stdout", "-q")
	if again != want {
		t.Errorf("the second time it shows %d bytes", len(again))
	}
	if code, text := near.run("logs", "--host", "nowhere.invalid:/x", "--run", "r-1", "--json"); code != 7 || !strings.Contains(text, `"code":"NO_ANSWER"`) {
		t.Errorf("a host that is none: exit %d\n%s", code, text)
	}
}

// farAgent lets the machines' ssh reach the server, and a login there find
// git-agent.
func (w *world) farAgent(port string) {
	w.t.Helper()
	w.write("ssh/bin/ssh", fmt.Sprintf("#!/bin/sh\nexec %s -F %s/config -p %s -o StrictHostKeyChecking=no \"$@\"\n", lookUp(w.t, "ssh", "/usr/bin/ssh"), w.path("ssh"), port))
	config, err := os.ReadFile(w.path("ssh/sshd_config"))
	w.check(err)
	w.write("ssh/sshd_config", strings.Replace(string(config), "SetEnv PATH=", "SetEnv PATH="+bin+":", 1))
	if _, err := exec.LookPath(filepath.Join(bin, "git-agent")); err != nil {
		w.t.Fatal(err)
	}
}
