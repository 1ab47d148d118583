package remotetest

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/git-agent/git-agent/pkg/job"
	"github.com/git-agent/git-agent/pkg/journal"
)

// farBytes is a job on another machine: the two streams, neither of
// them UTF-8, piece by piece, and then it waits until it is let go.
const farBytes = `put() { head -c $1 /dev/zero | tr '\0' "$2"; }
for i in 1 2 3 4 5 6 7 8 9 10; do put 15000 '\361'; put 9100 '\376' >&2; sleep 0.05; done
put 11 '\361'; put 17 '\376' >&2; until test -e "$1/go"; do sleep 0.05; done; echo done > a/s01.txt`

// TestJob_overSSH_cutAtRandom drains the job of another machine over a real
// sshd, through connections that break: 5 times, in full 50.
func TestJob_overSSH_cutAtRandom(t *testing.T) {
	w := newWorld(t, 1)
	far := w.started("far")
	address := w.serveSSH()
	want := int64(5)
	if full {
		want = 50
	}
	p := newCutter(t, address)
	far.must(0, "step", "s01", "--detach", "--", "sh", "-c", farBytes, "sh", w.path("count"))
	host, port, _ := net.SplitHostPort(p.addr)
	client := &job.SSH{Command: []string{w.path("ssh/bin/ssh"), "-p", port, "-o", "BatchMode=yes", "-o", "ConnectTimeout=10"}, Host: host,
		Far: []string{filepath.Join(bin, "git-agent"), "__job"}, Args: []string{"--dir=" + w.path("far"), "--run=r-1", "--step=s01"},
		Patience: time.Minute, Now: time.Now}
	client.Note = func(error) {
		if p.cuts.Load() >= want {
			p.clean.Store(true)
			w.write("count/go", "")
		}
	}
	here := t.TempDir()
	log := farLog(t, client, here)
	live := &bytes.Buffer{}
	st, err := job.Drain{From: client, Log: log, Live: live}.Run(t.Context())
	w.check(errors.Join(err, log.Close()))
	t.Logf("%d connections, %d cut", p.connections.Load(), p.cuts.Load())
	if *st.Lengths != (journal.Offsets{Stdout: 150_011, Stderr: 91_017}) || live.Len() != 241_028 {
		t.Fatalf("%+v, %d bytes shown", st, live.Len())
	}
	far.must(0, "resume")
	names, err := filepath.Glob(w.path("far/.git/agent/r-1/logs/s01-1-*"))
	w.check(err)
	for _, s := range []journal.Stream{journal.Stdout, journal.Stderr} {
		there, here := streamOf(t, names[0], job.LogName, s), streamOf(t, here, "far", s)
		if !bytes.Equal(there, here) || int64(len(here)) != st.Lengths.At(s) {
			t.Errorf("%s: %d bytes there, %d here, or other ones", s, len(there), len(here))
		}
	}
}

func rootOf(t *testing.T, dir string) *os.Root {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	return root
}

func farLog(t *testing.T, c *job.SSH, dir string) *journal.Writer {
	t.Helper()
	st, err := c.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	log, err := journal.Open(journal.OpenRequest{Folder: journal.RootFolder(rootOf(t, dir), "."), Name: "far", Now: time.Now,
		Identity: journal.Identity{Run: st.Run, Step: st.Step, Attempt: st.Attempt, PlanVersion: st.Version}})
	if err != nil {
		t.Fatal(err)
	}
	return log
}

func streamOf(t *testing.T, dir, name string, s journal.Stream) []byte {
	t.Helper()
	r, err := journal.OpenReader(journal.RootFolder(rootOf(t, dir), "."), name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	var b bytes.Buffer
	if _, err := r.Copy(&b, journal.View{Stream: s}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// cutter is a way to a server on which every other connection breaks, anywhere
// from its greeting to the last byte of an answer.
type cutter struct {
	addr              string
	clean             atomic.Bool
	connections, cuts atomic.Int64
}

func newCutter(t *testing.T, target string) *cutter {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &cutter{addr: l.Addr().String()}
	var running sync.WaitGroup
	running.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			running.Go(func() { c.serve(conn, target) })
		}
	})
	t.Cleanup(func() { _ = l.Close(); running.Wait() })
	return c
}

func (c *cutter) serve(client net.Conn, target string) {
	n := c.connections.Add(1)
	server, err := net.Dial("tcp", target)
	if err != nil {
		broken(client)
		return
	}
	limit := int64(1 << 40)
	if n > 1 && n%2 == 0 && !c.clean.Load() {
		limit = rand.Int64N([]int64{4_000, 4_000, 40_000}[n/2%3]) // greeting and keys are some 3,500 bytes
	}
	go func() {
		_, _ = io.Copy(server, client)
		_ = server.(*net.TCPConn).CloseWrite()
	}()
	passed, _ := io.Copy(client, io.LimitReader(server, limit))
	if passed == limit {
		c.cuts.Add(1)
	}
	broken(client, server)
}
