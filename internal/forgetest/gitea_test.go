package forgetest

import (
	"net/http"
	"strconv"
)

// gitea speaks what contrib/forge/gitea uses of Gitea's REST interface.
func gitea(h *hub, w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/api/v1/user" {
		answer(w, http.StatusOK, map[string]any{"id": author(me), "login": me})
		return
	}
	p, ok := route(r, "/api/v1/repos/o/r/")
	switch {
	case !ok:
		notFound(w)
	case p[0] == "pulls" && r.Method == http.MethodGet:
		var found []any
		for _, m := range h.pulls {
			if r.URL.Query().Get("state") == "all" || m.state == "open" {
				found = append(found, giteaPull(m))
			}
		}
		some, _ := pageOf(found, number(r.URL.Query().Get("page")))
		answer(w, http.StatusOK, append([]any{}, some...))
	case p[0] == "pulls":
		m := body(r)
		made, err := h.open(text(m, "title"), text(m, "body"), text(m, "head"), text(m, "base"))
		if err != nil {
			answer(w, http.StatusConflict, map[string]any{"message": err.Error()})
			return
		}
		answer(w, http.StatusCreated, giteaPull(made))
	case p[0] == "issues" && p[1] == "comments":
		c := h.commentWith(number(p[2]))
		c.body = text(body(r), "body")
		answer(w, http.StatusOK, giteaComment(c))
	case p[0] == "issues" && h.issues[number(p[1])] != nil:
		h.giteaIssue(w, r, number(p[1]), len(p) > 2)
	default:
		notFound(w)
	}
}

func (h *hub) giteaIssue(w http.ResponseWriter, r *http.Request, n int, comments bool) {
	i, m := h.issues[n], body(r)
	switch {
	case comments && r.Method == http.MethodPost:
		answer(w, http.StatusCreated, giteaComment(h.comment(n, me, text(m, "body"))))
		return
	case comments:
		all := []any{} // this list has no pages
		for _, c := range i.comments {
			all = append(all, giteaComment(c))
		}
		answer(w, http.StatusOK, all)
		return
	}
	i.closed = i.closed || r.Method == http.MethodPatch && text(m, "state") == "closed"
	state := "open"
	if i.closed {
		state = "closed"
	}
	answer(w, http.StatusOK, map[string]any{"number": n, "state": state, "html_url": "https://forge.example/issues/" + strconv.Itoa(n)})
}

func giteaComment(c *comment) map[string]any {
	return map[string]any{"id": c.id, "body": c.body, "html_url": "https://forge.example/c", "user": map[string]any{"id": author(c.author)}}
}

func giteaPull(p *pull) map[string]any {
	state := p.state
	if state == "merged" {
		state = "closed"
	}
	return map[string]any{"number": p.number, "html_url": p.url(), "title": p.title, "body": p.body, "state": state, "merged": p.state == "merged",
		"head": map[string]any{"ref": p.head}, "base": map[string]any{"ref": p.base}}
}
