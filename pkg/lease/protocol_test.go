package lease_test

import "testing"
import "time"

type rules struct {
	name string
	branchOnly, errorIsNo, force, sameClaims, unchangedLease, plainBeat, silenceRevives bool
	wants breach
}

func TestX(t *testing.T) {
	for _, b := range []budget{
		{claims: 3, crashes: 1, errors: 2, cancels: 1, persons: 1, passes: 1},
		{claims: 3, crashes: 1, errors: 2, cancels: 1, passes: 1},
		{claims: 3, crashes: 1, errors: 2, cancels: 1, beats: 1},
		{claims: 2, crashes: 1, errors: 1, cancels: 1, overrides: 1, beats: 1},
		{claims: 2, crashes: 1, errors: 1, cancels: 1, overrides: 1, persons: 1},
	} {
		s := time.Now()
		m := newModel(t, rules{}, 2)
		g := explore(m, b, 0)
		d := time.Since(s)
		n, tr := g.stuck()
		t.Logf("%+v: %d states %d edges %v %d leases %d commits; stuck %d %s; %v", b, len(g.nodes), len(g.edges), d, len(m.leases), len(m.commits), n, tr.text, time.Since(s)-d)
		for b, tr := range g.found {
			t.Errorf("%d: %s", b, tr.text)
		}
	}
}


func TestMut(t *testing.T) {
	small := budget{claims: 3, crashes: 1, errors: 2, cancels: 1, beats: 1}
	for _, r := range []rules{
		{name: "B", branchOnly: true, wants: I3|I4},
		{name: "C", errorIsNo: true, wants: I1},
		{name: "D", branchOnly: true, errorIsNo: true, wants: I1|I3|I4},
		{name: "E", force: true, wants: I5},
		{name: "F", sameClaims: true, wants: I3},
		{name: "G", unchangedLease: true, wants: I3|I4},
		{name: "H", plainBeat: true, wants: I3},
		{name: "J", silenceRevives: true, wants: I4},
	} {
		s := time.Now()
		m := newModel(t, r, 2)
		g := explore(m, small, r.wants)
		t.Logf("%s: %d states %d edges %v", r.name, len(g.nodes), len(g.edges), time.Since(s))
		for b, tr := range g.found {
			t.Logf("%d: %d %s", b, tr.moves, tr.text)
		}
		if !g.has(r.wants) { t.Errorf("%s not found", r.name) }
	}
}
