package forgetest

import (
	"net/http"
	"strconv"
)

// gitlab speaks what contrib/forge/gitlab uses of GitLab's REST interface.
func gitlab(h *hub, w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/api/v4/user" {
		answer(w, http.StatusOK, map[string]any{"id": author(me), "username": me})
		return
	}
	p, ok := route(r, "/api/v4/projects/")
	switch {
	case !ok || p[0] != "o/r":
		notFound(w)
	case p[1] == "merge_requests" && r.Method == http.MethodGet:
		var found []any
		for _, m := range h.pulls {
			if q := r.URL.Query(); q.Get("source_branch") == m.head && q.Get("target_branch") == m.base {
				found = append(found, gitlabRequest(m))
			}
		}
		paged(w, r, found)
	case p[1] == "merge_requests":
		m := body(r)
		made, err := h.open(text(m, "title"), text(m, "description"), text(m, "source_branch"), text(m, "target_branch"))
		if err != nil {
			answer(w, http.StatusConflict, map[string]any{"message": []string{err.Error()}})
			return
		}
		answer(w, http.StatusCreated, gitlabRequest(made))
	case p[1] == "issues" && h.issues[number(p[2])] != nil:
		h.gitlabIssue(w, r, number(p[2]), p[3:])
	default:
		notFound(w)
	}
}

func (h *hub) gitlabIssue(w http.ResponseWriter, r *http.Request, n int, rest []string) {
	i, m := h.issues[n], body(r)
	switch {
	case len(rest) == 2: // notes/ID
		c := h.commentWith(number(rest[1]))
		c.body = text(m, "body")
		answer(w, http.StatusOK, note(c))
	case len(rest) == 1 && rest[0] == "notes" && r.Method == http.MethodPost:
		answer(w, http.StatusCreated, note(h.comment(n, me, text(m, "body"))))
	case len(rest) == 1 && rest[0] == "notes":
		var notes []any
		for _, c := range i.comments {
			notes = append(notes, note(c))
		}
		paged(w, r, notes)
	case len(rest) == 1: // closed_by, related_merge_requests
		var found []any
		for _, p := range h.pulls {
			if p.mentions(n) && (rest[0] != "closed_by" || p.closes(n)) {
				found = append(found, gitlabRequest(p))
			}
		}
		paged(w, r, found)
	default:
		i.closed = i.closed || r.Method == http.MethodPut && text(m, "state_event") == "close"
		state := "opened"
		if i.closed {
			state = "closed"
		}
		answer(w, http.StatusOK, map[string]any{"iid": n, "state": state, "web_url": "https://forge.example/issues/" + strconv.Itoa(n)})
	}
}

func author(name string) int { return map[string]int{me: 7, stranger: 8}[name] }

func note(c *comment) map[string]any {
	return map[string]any{"id": c.id, "body": c.body, "author": map[string]any{"id": author(c.author)}}
}

func gitlabRequest(p *pull) map[string]any {
	state := p.state
	if state == "open" {
		state = "opened"
	}
	return map[string]any{"iid": p.number, "web_url": p.url(), "state": state, "source_branch": p.head, "target_branch": p.base}
}

// paged answers a page of a list and names the next one.
func paged(w http.ResponseWriter, r *http.Request, all []any) {
	some, next := pageOf(all, number(r.URL.Query().Get("page")))
	if next > 0 {
		w.Header().Set("X-Next-Page", strconv.Itoa(next))
	}
	answer(w, http.StatusOK, append([]any{}, some...))
}
