package remotetest

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// machine is a clone in namespaces of its own: network, processes, host name.
// What it has in common with the others is the remote, over a wire that can be
// cut.
type machine struct {
	*clone
	netns, wire string
}

// needNetworks skips where no network namespace can be made.
func needNetworks(t *testing.T) {
	t.Helper()
	needNamespaces(t)
	probe := fmt.Sprintf("ga-%d", os.Getpid())
	if out, err := exec.Command(lookUp(t, "ip"), "netns", "add", probe).CombinedOutput(); err != nil {
		t.Skipf("ip netns makes no network namespace here: %v %s", err, out)
	}
	_ = exec.Command("ip", "netns", "del", probe).Run()
}

// wired puts a clone behind a wire of its own; n tells the wires apart.
func (c *clone) wired(n int, port string) *machine {
	c.t.Helper()
	m := &machine{clone: c, netns: fmt.Sprintf("ga%d-%d", os.Getpid()%100_000, n), wire: fmt.Sprintf("gv%d-%d", os.Getpid()%100_000, n)}
	here, there := fmt.Sprintf("10.213.%d.1", n), fmt.Sprintf("10.213.%d.2/24", n)
	c.t.Cleanup(func() {
		_ = exec.Command("ip", "link", "del", m.wire).Run()
		_ = exec.Command("ip", "netns", "del", m.netns).Run()
	})
	for _, line := range []string{
		"netns add " + m.netns, "link add " + m.wire + " type veth peer name eth0 netns " + m.netns,
		"addr add " + here + "/24 dev " + m.wire, "link set " + m.wire + " up",
		"-n " + m.netns + " addr add " + there + " dev eth0", "-n " + m.netns + " link set eth0 up", "-n " + m.netns + " link set lo up",
	} {
		m.ip(line)
	}
	c.git("config", "remote.origin.url", "http://"+net.JoinHostPort(here, port)+"/work.git")
	return m
}

func (m *machine) ip(line string) {
	m.t.Helper()
	if out, err := exec.Command("ip", strings.Fields(line)...).CombinedOutput(); err != nil {
		m.t.Skipf("ip %s: %v %s", line, err, out)
	}
}

// inside is git-agent on the machine, not started yet; the output comes
// together in the string builder.
func (m *machine) inside(args ...string) (*exec.Cmd, fmt.Stringer) {
	cmd, out := m.command(args...)
	argv := append([]string{"netns", "exec", m.netns, "unshare", "--pid", "--fork", "--kill-child", "--mount-proc", "--uts",
		"sh", "-c", `hostname "$MACHINE"; exec "$@"`, "sh"}, cmd.Args...)
	inside := exec.Command("ip", argv...)
	inside.Dir, inside.Env, inside.Stdout, inside.Stderr = cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr
	return inside, out
}

func (m *machine) done(want int, args ...string) string {
	m.t.Helper()
	cmd, out := m.inside(args...)
	_ = cmd.Run()
	if got := status(cmd); got != want {
		m.t.Fatalf("%s: git agent %s: exit %d, want %d\n%s", m.name, strings.Join(args, " "), got, want, out)
	}
	return out.String()
}

// TestLease_machineCutOff: two machines share nothing but the remote. The one
// that works is cut off; the other one watches its lease for a time to live
// and takes over. Back on the network, the first one learns that it lost; what
// it certified meanwhile is kept beside the run.
func TestLease_machineCutOff(t *testing.T) {
	needNetworks(t)
	w := newWorld(t, 2)
	first, second := w.started("a"), w.joined("b")
	l, err := net.Listen("tcp", ":0")
	w.check(err)
	server := &httptest.Server{Listener: l, Config: &http.Server{Handler: w.backend()}}
	server.Start()
	t.Cleanup(server.Close)
	_, port, err := net.SplitHostPort(l.Addr().String())
	w.check(err)
	a, b := first.wired(1, port), second.wired(2, port)
	a.git("config", "agent.leaseTTL", "2s")
	b.git("config", "agent.leaseTTL", "2s")

	holder, out := a.inside("step", "s01", "--", "sh", "-c",
		`echo done by a > a/s01.txt; echo 1 > "$COUNT/began"; while test ! -e "$COUNT/go"; do sleep 0.1; done`)
	w.check(holder.Start())
	w.poll("the job began", func() bool { return w.exists("count/began") })
	w.says(b.done(6, b.does("s01")...), "the run is held by a")

	a.ip("link set " + a.wire + " down")
	begin := time.Now()
	took := b.done(0, b.does("s01")...)
	w.says(took, "taking the run over from a")
	if time.Since(begin) < 2*time.Second {
		t.Errorf("taken over before the time to live:\n%s", took)
	}
	a.ip("link set " + a.wire + " up")
	w.write("count/go", "")
	_ = holder.Wait()
	w.want("exit of the one that was cut off", status(holder), 4)
	w.says(out.String(), "the run moved on elsewhere")
	w.want("certificates", w.certificates(), []string{"s01"})
	w.says(a.done(4, "resume"), "kept at refs/agent-stash/r-1/lost/1")
	w.want("kept", a.git("show", "refs/agent-stash/r-1/lost/1:a/s01.txt"), "done by a")
	w.want("certificates", w.certificates(), []string{"s01"})

	a.done(0, "resume")
	a.done(0, a.does("s02")...)
	w.want("certificates, newest first", w.certificates(), []string{"s02", "s01"})
}
