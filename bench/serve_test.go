package bench

import (
	"io"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
)

// server is git's own smart HTTP server, and counts what crosses it.
type server struct {
	url                     string
	talks, requests, octets atomic.Int64
}

// traffic is what crossed a server: conversations (one begins with each
// advertisement of refs), requests, and bytes of both directions, without
// headers.
type traffic struct{ talks, requests, octets int64 }

// serve makes the world's remote answer over http, until the test is over.
func (w *world) serve() *server {
	w.T.Helper()
	path, err := exec.Command("git", "--exec-path").Output()
	if err != nil {
		w.T.Fatal(err)
	}
	was := w.Git("remote", "get-url", "origin")
	bare := strings.TrimPrefix(was, "file://")
	w.Git("-C", bare, "config", "http.receivepack", "true")
	s := &server{}
	backend := &cgi.Handler{Path: filepath.Join(strings.TrimSpace(string(path)), "git-http-backend"), InheritEnv: []string{"PATH"},
		Env: []string{"GIT_PROJECT_ROOT=" + filepath.Dir(bare), "GIT_HTTP_EXPORT_ALL=1", "GIT_CONFIG_NOSYSTEM=1", "HOME=" + w.T.TempDir()}}
	listener := httptest.NewServer(s.counting(backend))
	s.url = listener.URL + "/" + filepath.Base(bare)
	w.Git("remote", "set-url", "origin", s.url)
	w.T.Cleanup(func() {
		listener.Close()
		w.Git("remote", "set-url", "origin", was)
	})
	return s
}

func (s *server) counting(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.requests.Add(1)
		if strings.HasSuffix(r.URL.Path, "/info/refs") {
			s.talks.Add(1)
		}
		r.Body = body{r.Body, &s.octets}
		h.ServeHTTP(response{w, &s.octets}, r)
	})
}

// during is what crosses while something is done.
func (s *server) during(do func()) traffic {
	talks, requests, octets := s.talks.Load(), s.requests.Load(), s.octets.Load()
	do()
	return traffic{s.talks.Load() - talks, s.requests.Load() - requests, s.octets.Load() - octets}
}

type body struct {
	io.ReadCloser
	octets *atomic.Int64
}

func (b body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.octets.Add(int64(n))
	return n, err
}

type response struct {
	http.ResponseWriter
	octets *atomic.Int64
}

func (r response) Write(p []byte) (int, error) {
	n, err := r.ResponseWriter.Write(p)
	r.octets.Add(int64(n))
	return n, err
}
