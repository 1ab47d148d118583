package remotetest

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// soon is far below git agent's own ten minutes for one exchange, and far above
// what a loaded machine needs for the few that are cut short here.
const soon = 60 * time.Second

// silence accepts connections and never answers.
func silence(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	over := make(chan struct{})
	go func() {
		defer close(over)
		var held []net.Conn // or they would be collected and closed
		for {
			conn, err := l.Accept()
			if err != nil {
				for _, c := range held {
					_ = c.Close()
				}
				return
			}
			held = append(held, conn)
		}
	}()
	t.Cleanup(func() { _ = l.Close(); <-over })
	return l.Addr().String()
}

// within requires an exit status in bounded time.
func (c *clone) within(want int, args ...string) string {
	c.t.Helper()
	begin := time.Now()
	out := c.must(want, args...)
	if took := time.Since(begin); took > soon {
		c.t.Errorf("git agent %s took %s", strings.Join(args, " "), took)
	}
	return out
}

// TestNetwork_neverAnswers: a remote that takes the connection and says nothing
// costs agent.networkTimeout, not the run.
func TestNetwork_neverAnswers(t *testing.T) {
	for _, transport := range []string{"git", "http", "ssh"} {
		t.Run(transport, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, 2)
			a, b := w.started("a"), w.clone("b")
			real := w.url
			w.serveSSHClient(transport)
			w.url = transport + "://" + silence(t) + "/work.git"
			for _, c := range []*clone{a, b} {
				c.moved().git("config", "agent.networkTimeout", "2s")
			}
			w.says(b.within(7, "resume", "r-1"), "did not answer")
			a.within(0, "status")
			w.write("a/a/s01.txt", "done by a\n")
			w.says(a.within(5, "step", "s01"), "certified here, not pushed")
			a.within(5, append([]string{"step", "s02", "--"}, a.job("s02", "done")...)...) // under its own last lease
			a.within(5, "resume")
			w.want("certificates", len(w.certificates()), 0)

			w.url = real
			a.moved().must(0, "resume")
			a.level()
			w.want("certificates", w.certificates(), []string{"s02", "s01"})
			w.want("checks", w.counted("check-s01")+w.counted("check-s02"), 2)
		})
	}
}

// serveSSHClient makes the ssh that the machines find, where one is needed.
func (w *world) serveSSHClient(transport string) {
	if transport == "ssh" {
		w.serveSSH()
	}
}

// TestNetwork_answerStalls: the answer to a push stops half way and the
// connection stays open; what the server did is read back.
func TestNetwork_answerStalls(t *testing.T) {
	start := newWorld(t, 1)
	start.started("a").must(0, "trust", "r-1")
	for transport, after := range map[string]int{"git": 400, "http": 100} {
		t.Run(transport, func(t *testing.T) {
			t.Parallel()
			a, p := behind(t, start, transport)
			a.git("config", "agent.networkTimeout", "5s")
			p.arm(cut{trigger: triggers[transport], nth: 1, after: after, manner: stall})
			out := a.within(0, a.way(false)...)
			if _, done := p.was(); !done {
				t.Errorf("the answer did not stall:\n%s", out)
			}
			a.level()
			a.want("certificates", a.certificates(), []string{"s01"})
			a.want("checks", a.counted("check-s01"), 1)
		})
	}
}

// askingHTTP wants a name and a password, whatever comes.
func askingHTTP(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", `Basic realm="nobody"`)
		w.WriteHeader(http.StatusUnauthorized)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/work.git"
}

// TestNetwork_neverAsks: on a terminal, where git or ssh would ask for a name, a
// password or whether a host is known, nothing is asked and nothing waits.
func TestNetwork_neverAsks(t *testing.T) {
	for _, kind := range []string{"http", "ssh", "a person's ssh", "askpass"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, 1)
			a, b := w.started("a"), w.clone("b")
			if strings.HasSuffix(kind, "ssh") {
				w.over("ssh").sshAsks("ask")
			} else {
				w.url = askingHTTP(t)
			}
			for _, c := range []*clone{a, b} {
				c.moved()
				switch kind {
				case "a person's ssh":
					c.git("config", "core.sshCommand", w.path("ssh/bin/ssh"))
				case "askpass": // a window that nobody answers
					w.write("askpass", "#!/bin/sh\nsleep 1000\n")
					c.env = []string{"GIT_ASKPASS=" + w.path("askpass")}
					c.git("config", "agent.networkTimeout", "2s")
				}
			}
			w.write("a/a/s01.txt", "done by a\n")
			b.onTerminal(7, "resume", "r-1")
			a.onTerminal(5, "step", "s01")
			a.onTerminal(5, "resume")
		})
	}
}
