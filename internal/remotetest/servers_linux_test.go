package remotetest

import (
	"fmt"
	"net"
	"net/http/cgi"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// transports are the ways to a remote that are tried.
var transports = []string{"file", "http", "git", "ssh"}

// over makes the world's remote answer over a transport; the address is url.
func (w *world) over(transport string) *world {
	w.t.Helper()
	switch transport {
	case "file":
	case "http":
		w.url = "http://" + w.serveHTTP() + "/work.git"
	case "git":
		w.url = "git://" + w.serveGit() + "/work.git"
	case "ssh":
		host, port, _ := net.SplitHostPort(w.serveSSH())
		w.url = fmt.Sprintf("ssh://%s:%s%s", host, port, w.path("work.git"))
	default:
		w.t.Fatalf("transport %q", transport)
	}
	return w
}

// backend is git's own smart HTTP server.
func (w *world) backend() *cgi.Handler {
	path, err := exec.Command("git", "--exec-path").Output()
	w.check(err)
	return &cgi.Handler{
		Path:       filepath.Join(strings.TrimSpace(string(path)), "git-http-backend"),
		InheritEnv: []string{"PATH"},
		Env:        []string{"GIT_PROJECT_ROOT=" + w.dir, "GIT_HTTP_EXPORT_ALL=1", "GIT_CONFIG_NOSYSTEM=1", "HOME=" + w.path("home-seed")},
	}
}

func (w *world) serveHTTP() string {
	server := httptest.NewServer(w.backend())
	w.t.Cleanup(server.Close)
	return server.Listener.Addr().String()
}

func (w *world) serveGit() string {
	return inetd(w.t, func() *exec.Cmd {
		cmd := exec.Command("git", "daemon", "--inetd", "--export-all", "--enable=receive-pack", "--base-path="+w.dir, w.dir)
		cmd.Env = w.at("seed").environ()
		return cmd
	})
}

// lookUp finds a program, or skips the test and names it.
func lookUp(t *testing.T, name string, places ...string) string {
	t.Helper()
	for _, place := range append(places, name) {
		if path, err := exec.LookPath(place); err == nil {
			return path
		}
	}
	t.Skipf("there is no %s here", name)
	return ""
}

// inetd listens on loopback and starts a server for every connection, so that
// there is no port to guess and nothing that outlives the test.
func inetd(t *testing.T, server func() *exec.Cmd) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup
	var guard sync.Mutex
	live := map[*exec.Cmd]bool{}
	running.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			cmd, err := attached(server(), conn.(*net.TCPConn))
			if err != nil {
				t.Errorf("start a server: %v", err)
				return
			}
			guard.Lock()
			live[cmd] = true
			guard.Unlock()
			running.Go(func() {
				_ = cmd.Wait()
				guard.Lock()
				delete(live, cmd)
				guard.Unlock()
			})
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		guard.Lock()
		for cmd := range live {
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		}
		guard.Unlock()
		running.Wait()
	})
	return l.Addr().String()
}

// attached starts a server, in a process group of its own, on a connection.
func attached(cmd *exec.Cmd, conn *net.TCPConn) (*exec.Cmd, error) {
	f, err := conn.File()
	_ = conn.Close()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true
	cmd.Stdin, cmd.Stdout = f, f
	return cmd, cmd.Start()
}
