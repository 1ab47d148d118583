package forgetest

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// github speaks what contrib/forge/github uses of GitHub's REST interface and of
// its GraphQL.
func github(h *hub, w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") != "token "+token {
		answer(w, http.StatusUnauthorized, map[string]any{"message": "Bad credentials"})
		return
	}
	if r.URL.Path == "/api/graphql" {
		h.githubQuery(w, body(r))
		return
	}
	p, ok := route(r, "/api/v3/repos/o/r/")
	switch {
	case !ok:
		notFound(w)
	case p[0] == "pulls" && r.Method == http.MethodGet:
		h.githubPulls(w, r)
	case p[0] == "pulls":
		m := body(r)
		pr, err := h.open(text(m, "title"), text(m, "body"), strings.TrimPrefix(text(m, "head"), "o:"), text(m, "base"))
		if err != nil {
			answer(w, http.StatusUnprocessableEntity, map[string]any{"message": "Validation Failed", "errors": []any{map[string]any{"message": err.Error()}}})
			return
		}
		answer(w, http.StatusCreated, githubPull(pr))
	case p[0] == "issues" && p[1] == "comments":
		c := h.commentWith(number(p[2]))
		c.body = text(body(r), "body")
		answer(w, http.StatusOK, map[string]any{"id": c.id, "html_url": "https://forge.example/c"})
	case p[0] == "issues" && h.issues[number(p[1])] != nil:
		h.githubIssue(w, r, number(p[1]), len(p) > 2)
	default:
		notFound(w)
	}
}

func (h *hub) githubIssue(w http.ResponseWriter, r *http.Request, n int, comments bool) {
	i, m := h.issues[n], body(r)
	switch {
	case comments:
		c := h.comment(n, me, text(m, "body"))
		answer(w, http.StatusCreated, map[string]any{"id": c.id, "html_url": "https://forge.example/c"})
		return
	case r.Method == http.MethodPatch && text(m, "state") == "closed":
		i.closed = true
	}
	state := "open"
	if i.closed {
		state = "closed"
	}
	answer(w, http.StatusOK, map[string]any{"number": n, "state": state, "html_url": "https://forge.example/issues/" + strconv.Itoa(n)})
}

func (h *hub) githubPulls(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	var found []any
	for _, p := range h.pulls {
		if (q.Get("state") == "all" || p.state == "open") && q.Get("head") == "o:"+p.head && (q.Get("base") == "" || q.Get("base") == p.base) {
			found = append(found, githubPull(p))
		}
	}
	some, next := pageOf(found, number(q.Get("page")))
	if next > 0 {
		q.Set("page", strconv.Itoa(next))
		w.Header().Set("Link", fmt.Sprintf(`<https://%s%s?%s>; rel="next"`, r.Host, r.URL.Path, q.Encode()))
	}
	answer(w, http.StatusOK, append([]any{}, some...))
}

func githubPull(p *pull) map[string]any {
	state, merged := p.state, any(nil)
	if state == "merged" {
		state, merged = "closed", "2030-01-02T03:04:05Z"
	}
	return map[string]any{"number": p.number, "html_url": p.url(), "state": state, "merged_at": merged, "head": map[string]any{"ref": p.head}}
}

// githubQuery answers the two connections of an issue that are asked for, a page
// at a time.
func (h *hub) githubQuery(w http.ResponseWriter, m map[string]any) {
	query, vars := text(m, "query"), m["variables"].(map[string]any)
	n, _ := vars["number"].(float64)
	i := h.issues[int(n)]
	if vars["owner"] != "o" || vars["name"] != "r" || i == nil || !balanced(query) {
		answer(w, http.StatusOK, map[string]any{"data": map[string]any{"repository": nil},
			"errors": []any{map[string]any{"type": "NOT_FOUND", "message": "Could not resolve to an Issue"}}})
		return
	}
	var nodes []any
	connection := "comments"
	if strings.Contains(query, "timelineItems(") {
		connection, nodes = "timelineItems", h.crossReferences(int(n))
	} else {
		for _, c := range i.comments {
			nodes = append(nodes, map[string]any{"databaseId": c.id, "viewerDidAuthor": c.author == me, "body": c.body})
		}
	}
	at, _ := vars["endCursor"].(string)
	some, next := pageOf(nodes, number(at))
	info := map[string]any{"hasNextPage": next > 0, "endCursor": strconv.Itoa(next)}
	answer(w, http.StatusOK, map[string]any{"data": map[string]any{"repository": map[string]any{"issue": map[string]any{
		connection: map[string]any{"pageInfo": info, "nodes": append([]any{}, some...)}}}}})
}

// crossReferences are mentions of an issue, in pull requests and in another issue,
// of which a query for pull requests gets nothing.
func (h *hub) crossReferences(issue int) []any {
	nodes := []any{map[string]any{"willCloseTarget": false, "source": map[string]any{}}}
	for _, p := range h.pulls {
		if p.mentions(issue) {
			nodes = append(nodes, map[string]any{"willCloseTarget": p.closes(issue),
				"source": map[string]any{"number": p.number, "url": p.url(), "state": strings.ToUpper(p.state), "headRefName": p.head}})
		}
	}
	return nodes
}

// balanced is as much of a GraphQL parser as a forgotten bracket needs.
func balanced(query string) bool {
	var open []rune
	closes := map[rune]rune{')': '(', ']': '[', '}': '{'}
	for _, c := range query {
		switch c {
		case '(', '[', '{':
			open = append(open, c)
		case ')', ']', '}':
			if len(open) == 0 || open[len(open)-1] != closes[c] {
				return false
			}
			open = open[:len(open)-1]
		}
	}
	return len(open) == 0
}
