package landing

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func good() *MarkerFact {
	return &MarkerFact{Marker: Marker{Verb: Landed, SHA: sha, Branch: "main", Run: "r-1"}, Ancestor: true}
}

func marked(change func(*MarkerFact)) *MarkerFact {
	m := good()
	change(m)
	return m
}

// TestDecide is the table of the design, section 10, and its order.
func TestDecide(t *testing.T) {
	doubt := []Doubt{{How: Truncated, Text: "history truncated"}}
	gone := marked(func(m *MarkerFact) { m.Ancestor = false })
	there := &Found{How: ByTrailers, Commits: []string{sha}}
	rival := &Rival{Run: "r-0", Ref: "refs/heads/agent-run/r-0"}
	tests := []struct {
		name  string
		facts Facts
		token Token
		how   string
		says  string
	}{
		{"nothing known", Facts{}, Dispatch, "", "still to be done"},
		{"marker, in the target", Facts{Marker: good()}, AlreadyLanded, ByMarker, "landed as 0123456789 on main"},
		{"no marker, in the target", Facts{Found: there}, AlreadyLanded, ByTrailers, "in the target as 0123456789"},
		{"no marker, certificate in the target", Facts{Found: &Found{How: ByAncestry, Commits: []string{sha}}}, AlreadyLanded, ByAncestry, ""},
		{"item closed", Facts{Closed: "15"}, Closed, ByIssue, "item 15 is closed"},
		{"own pull request open", Facts{PR: 7}, AlreadyOpen, ByPull, "pull request #7 is open"},
		{"older live run", Facts{Rival: rival}, AlreadyOpen, ByRun, "run r-0 is at work on it, at refs/heads/agent-run/r-0"},
		{"older run's pull request", Facts{Rival: &Rival{Run: "r-0", PR: 3}}, AlreadyOpen, ByPull, "run r-0 has pull request #3 open for it"},
		{"somebody's pull request", Facts{Rival: &Rival{PR: 4}}, AlreadyOpen, ByPull, "pull request #4 is open for it"},
		{"marker, not in the target", Facts{Marker: gone}, MarkerStale, NotAncestor, "which main does not contain"},
		{"marker, not in the target, the change is", Facts{Marker: gone, Found: there}, MarkerStale, NotAncestor, "; the change is there as"},
		{"marker, reverted", Facts{Marker: marked(func(m *MarkerFact) { m.RevertedBy = sha })}, MarkerStale, Reverted, "took it back"},
		{"marker, certified again since", Facts{Marker: marked(func(m *MarkerFact) { m.Newer = []string{sha} })}, MarkerStale, NewerRecords, "certified again"},
		{"marker, commits above", Facts{Marker: marked(func(m *MarkerFact) { m.Unexplained = []string{sha, sha} })}, MarkerStale, Unexplained, "0123456789, 0123456789"},
		{"no marker, in the target, reverted", Facts{Found: &Found{How: ByPatch, Commits: []string{sha}, RevertedBy: sha}}, MarkerStale, Reverted, "took it back"},
		{"no marker, in the target, certified again since", Facts{Found: &Found{How: ByTrailers, Commits: []string{sha}, Newer: []string{sha}}}, MarkerStale, NewerRecords, "certified again"},
		{"history truncated", Facts{Doubts: doubt}, Unknown, Truncated, "history truncated"},

		{"order: unknown before stale", Facts{Doubts: doubt, Marker: gone}, Unknown, Truncated, ""},
		{"order: unknown before landed", Facts{Doubts: doubt, Marker: good(), Found: there}, Unknown, Truncated, ""},
		{"order: stale before landed", Facts{Marker: gone, Found: there, Closed: "15"}, MarkerStale, NotAncestor, ""},
		{"order: landed before closed", Facts{Marker: good(), Closed: "15"}, AlreadyLanded, ByMarker, ""},
		{"order: closed before open", Facts{Closed: "15", PR: 7, Rival: rival}, Closed, ByIssue, ""},
		{"order: one's own pull request before another run", Facts{PR: 7, Rival: rival}, AlreadyOpen, ByPull, "#7"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := Decide(tt.facts)
			if v.Token != tt.token || v.How != tt.how || !strings.Contains(v.Text, tt.says) {
				t.Errorf("%+v, want %s (%s), %q", v, tt.token, tt.how, tt.says)
			}
		})
	}
}

// TestDecide_neverRebuilds: whatever the facts, work is dispatched only where
// nothing at all speaks against it.
func TestDecide_neverRebuilds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var f Facts
		some := func(name string) bool { return rapid.Bool().Draw(t, name) }
		if some("doubt") {
			f.Doubts = []Doubt{{How: NoAncestry, Text: "x"}}
		}
		if some("marker") {
			f.Marker = &MarkerFact{Ancestor: some("ancestor")}
			if some("reverted") {
				f.Marker.RevertedBy = sha
			}
		}
		if some("found") {
			f.Found = &Found{How: ByPatch}
		}
		if some("closed") {
			f.Closed = "1"
		}
		if some("open") {
			f.PR = 1
		}
		if some("rival") {
			f.Rival = &Rival{Run: "r-0"}
		}
		nothing := f.Doubts == nil && f.Marker == nil && f.Found == nil && f.Closed == "" && f.PR == 0 && f.Rival == nil
		if v := Decide(f); (v.Token == Dispatch) != nothing || v.Token == Unknown != (f.Doubts != nil) {
			t.Fatalf("%+v: %s", f, v.Token)
		}
	})
}

func TestToken_Skips(t *testing.T) {
	for token, want := range map[Token]bool{AlreadyLanded: true, Closed: true, AlreadyOpen: true, Dispatch: false, MarkerStale: false, Unknown: false} {
		if token.Skips() != want {
			t.Errorf("%s skips: %v", token, !want)
		}
	}
}
