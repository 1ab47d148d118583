package forgetest

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// page is how many entries a list has at once, so that whoever reads only the
// first page is found out.
const page = 2

// hub is a forge with one repository: issues, their comments, pull requests. me
// is whoever holds the token.
type hub struct {
	t      *testing.T
	socket string
	bare   string // the repository

	mu     sync.Mutex
	issues map[int]*issue
	pulls  []*pull
	ids    int
	asked  []string // method and path of every request, in order
	broken bool     // it answers 502
	opened func()   // called when a pull request was made, before that is said
	drop   bool     // that is never said
}

type issue struct {
	closed   bool
	comments []*comment
}

type comment struct {
	id           int
	author, body string
}

type pull struct {
	number                  int
	title, body, head, base string
	state                   string // open, closed, merged
}

const (
	me       = "bot"
	stranger = "mallory"
	token    = "s3cret"
)

func newHub(t *testing.T, bare string, speak func(*hub, http.ResponseWriter, *http.Request)) *hub {
	t.Helper()
	dir, err := os.MkdirTemp("", "hub") // the path of a socket has to be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	h := &hub{t: t, socket: filepath.Join(dir, "s"), bare: bare, issues: map[int]*issue{15: {}, 16: {closed: true}}, ids: 100}
	l, err := net.Listen("unix", h.socket)
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.asked = append(h.asked, r.Method+" "+r.Host+r.URL.EscapedPath())
		if h.broken {
			answer(w, http.StatusBadGateway, map[string]any{"message": "bad gateway"})
			return
		}
		speak(h, w, r)
	})}
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() { server.Close() })
	return h
}

func answer(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value)
}

func notFound(w http.ResponseWriter) {
	answer(w, http.StatusNotFound, map[string]any{"message": "Not Found"})
}

// body is what a request has for a body.
func body(r *http.Request) map[string]any {
	m := map[string]any{}
	_ = json.NewDecoder(r.Body).Decode(&m)
	return m
}

func text(m map[string]any, key string) string { s, _ := m[key].(string); return s }

// open makes a pull request as forges do: of a branch that is there, and one at
// a time.
func (h *hub) open(title, body, head, base string) (*pull, error) {
	if h.bare != "" && exec.Command("git", "-C", h.bare, "rev-parse", "-q", "--verify", "refs/heads/"+head).Run() != nil {
		return nil, fmt.Errorf("head %q is no branch", head)
	}
	for _, p := range h.pulls {
		if p.head == head && p.base == base && p.state == "open" {
			return nil, fmt.Errorf("a pull request already exists for %s", head)
		}
	}
	p := h.add(title, body, head, base)
	if h.opened != nil {
		h.opened()
	}
	if h.drop {
		panic(http.ErrAbortHandler)
	}
	return p, nil
}

func (h *hub) add(title, body, head, base string) *pull {
	p := &pull{number: len(h.pulls) + 1, title: title, body: body, head: head, base: base, state: "open"}
	h.pulls = append(h.pulls, p)
	return p
}

func (h *hub) comment(number int, author, body string) *comment {
	h.ids++
	c := &comment{h.ids, author, body}
	h.issues[number].comments = append(h.issues[number].comments, c)
	return c
}

func (h *hub) commentWith(id int) *comment {
	for _, i := range h.issues {
		for _, c := range i.comments {
			if c.id == id {
				return c
			}
		}
	}
	return nil
}

// mentions and closes are what forges read in the text of a pull request.
func (p *pull) mentions(issue int) bool {
	return regexp.MustCompile(`#` + strconv.Itoa(issue) + `\b`).MatchString(p.title + "\n" + p.body)
}

func (p *pull) closes(issue int) bool {
	return regexp.MustCompile(`(?i)\b(close[sd]?|fix(e[sd])?|resolve[sd]?):? #` + strconv.Itoa(issue) + `\b`).MatchString(p.body)
}

func (p *pull) url() string { return "https://forge.example/pull/" + strconv.Itoa(p.number) }

// pageOf cuts a page out of a list, and says which is the next, 0 for none.
func pageOf[T any](all []T, n int) (some []T, next int) {
	n = max(n, 1)
	from, to := min((n-1)*page, len(all)), min(n*page, len(all))
	if to < len(all) {
		next = n + 1
	}
	return slices.Clone(all[from:to]), next
}

func number(text string) int { n, _ := strconv.Atoi(text); return n }

// route splits a path behind a prefix into its parts, decoded.
func route(r *http.Request, prefix string) ([]string, bool) {
	rest, ok := strings.CutPrefix(r.URL.EscapedPath(), prefix)
	if !ok {
		return nil, false
	}
	parts := strings.Split(rest, "/")
	for i := range parts {
		parts[i] = strings.ReplaceAll(parts[i], "%2F", "/")
	}
	return parts, true
}
