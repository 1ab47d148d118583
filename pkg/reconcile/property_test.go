package reconcile

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-agent/git-agent/pkg/ledger"
	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/trailers"
)

// names are few, so that steps meet on them and files become folders.
var names = []string{"a", "a/x", "b", "b/y/z", "c", "go.mod"}

var stepIDs = []string{"s01", "s02", "s03", "s04"}

// drawPlan is a plan whose touches overlap; today's checks differ from version
// 1's for some steps.
func drawPlan(t *rapid.T) (old, today *plan.Plan) {
	lists := [][]string{nil, {"a"}, {"a/"}, {"b/**"}, {"b", "c"}, {"**/x"}, {"*"}}
	old, today = steps(), steps()
	for _, id := range stepIDs {
		s := step(id, rapid.SampledFrom(lists).Draw(t, "touches"), rapid.SampledFrom([][]string{nil, nil, {"go.mod"}, {"b/"}}).Draw(t, "reads")...)
		today.Steps = append(today.Steps, s)
		if rapid.IntRange(0, 4).Draw(t, "other check") == 0 {
			s.Check = []plan.Check{{Run: "other"}}
		}
		old.Steps = append(old.Steps, s)
	}
	return old, today
}

func drawEdits(t *rapid.T) files {
	return rapid.MapOfN(rapid.SampledFrom(names), rapid.SampledFrom([]string{"", "1", "2", "x:1"}), 0, 3).Draw(t, "edits")
}

func drawHistory(t *rapid.T) *history {
	h := newHistory(t, files{"a": "1", "b/y/z": "1", "go.mod": "1"})
	for range rapid.IntRange(0, 12).Draw(t, "commits") {
		id := rapid.SampledFrom(stepIDs).Draw(t, "step")
		switch rapid.SampledFrom([]string{"plain", "plain", "certificate", "certificate", "certificate", "revert", "undo", "odd"}).Draw(t, "kind") {
		case "plain":
			h.commit("x\n", drawEdits(t))
		case "revert":
			h.revert(rapid.IntRange(0, len(h.trees)-1).Draw(t, "to"))
		case "undo":
			h.undo(id, drawEdits(t))
		case "certificate":
			h.certify(id, drawEdits(t), func(e *trailers.Evidence) { e.PlanVersion = rapid.IntRange(1, 2).Draw(t, "version") })
		case "odd":
			h.certify(id, drawEdits(t), rapid.SampledFrom([]func(*trailers.Evidence){
				func(e *trailers.Evidence) { e.Tree = strings.Repeat("7", 40) },
				func(e *trailers.Evidence) { e.Tree = "" },
				func(e *trailers.Evidence) { e.PlanVersion = 9 },
				func(e *trailers.Evidence) { e.Fingerprint = digest("1") },
				func(e *trailers.Evidence) { e.Checks[0].Outcome.Code = 1 },
			}).Draw(t, "odd"))
		}
	}
	return h
}

// revert goes back to an earlier tree.
func (h *history) revert(to int) {
	edits := files{}
	for _, c := range difference(h.head(), h.trees[to]) {
		edits[c.Path] = h.trees[to][c.Path]
	}
	h.commit("Revert\n", edits)
}

// naive decides one step's guard from whole trees, step by step, with none of
// the walk's cleverness.
type naive struct {
	*history
	facts GuardFacts
}

func (n naive) guard(s *plan.Step) (g Guard, unknown bool) {
	r := n.facts.Ledger.Newest(s.ID)
	switch {
	case !r.Valid():
		return Guard{Why: "not-valid"}, false
	case n.undone(r):
		return Guard{Void: true, Why: Undone}, false
	case n.void(r):
		return Guard{Void: true, Why: "reverted"}, false
	}
	then := n.facts.Versions[r.Evidence.PlanVersion]
	if then == nil {
		return Guard{}, true
	}
	was, _ := then.Step(s.ID)
	switch {
	case was == nil || was.Check[0].Run != r.Evidence.Checks[0].Command:
		return Guard{Why: "check-changed", Foreign: true}, false
	case n.facts.Refuted[r.Commit.ID]:
		return Guard{Why: "refuted"}, false
	case r.Evidence.Tree == "":
		return Guard{Why: "no-tree"}, false
	case !plan.SameChecks(was.Check, s.Check):
		return Guard{Why: "check-changed"}, false
	case r.Evidence.Fingerprint != n.facts.Fingerprint:
		return Guard{Why: "fingerprint-changed"}, false
	}
	certified, moved := n.trees[r.Index+1], false
	changes := difference(certified, n.head())
	for _, c := range changes {
		moved = moved || n.guards(s, c.Path)
	}
	switch {
	case moved:
		return Guard{Why: "tree-changed"}, false
	case len(s.Reads) == 0 && len(changes) > 0:
		return Guard{Holds: true, How: ByTouches}, false
	}
	return Guard{Holds: true, How: ByTree}, false
}

// guards reports whether a path counts for the step's guard.
func (n naive) guards(s *plan.Step, path string) bool {
	if len(s.Touches) == 0 && len(s.Reads) == 0 {
		return true
	}
	paths, err := plan.CompilePaths(slices.Concat(s.Touches, s.Reads))
	if err != nil {
		n.t.Fatal(err)
	}
	for _, r := range n.facts.Ledger.Of(s.ID) {
		if slices.Contains(n.spanOf(r), path) {
			return true
		}
	}
	return paths.Match(path)
}

// boundary is the place in trees of a record's boundary.
func (n naive) boundary(r *ledger.Record) int {
	at := 0
	for _, other := range n.facts.Ledger.Records {
		if other.Index < r.Index && other.Valid() {
			at = other.Index + 1
		}
	}
	return at
}

func (n naive) spanOf(r *ledger.Record) []string {
	var paths []string
	for _, c := range difference(n.trees[n.boundary(r)], n.trees[r.Index+1]) {
		paths = append(paths, c.Path)
	}
	return paths
}

// answers: a valid certificate from there on that did something itself, or
// whose step may change that path.
func (n naive) answers(r *ledger.Record, at int, path string) bool {
	s, _ := n.facts.Plan.Step(r.Evidence.Step)
	touches, err := plan.CompilePaths(s.Touches)
	if err != nil {
		n.t.Fatal(err)
	}
	did := len(difference(n.trees[r.Index], n.trees[r.Index+1])) > 0
	return r.Valid() && r.Index >= at && (did || touches.Match(path))
}

// undone: an undo of ours took all of the step's work back.
func (n naive) undone(r *ledger.Record) bool {
	undo := -1
	for i, c := range n.chain {
		if got := trailers.Read(c.Message); got.Kind == trailers.Undo && got.Undo == r.Evidence.Step && i > r.Index {
			undo = i
		}
	}
	return undo >= 0 && n.backAt(r.Evidence.Step, undo)
}

// void: all its paths are back and a commit that no
// certificate answers for changed one of them.
func (n naive) void(r *ledger.Record) bool {
	own, before := n.spanOf(r), n.trees[n.boundary(r)]
	for _, path := range own {
		if n.head()[path] != before[path] {
			return false
		}
	}
	for i := r.Index + 1; i < len(n.chain); i++ {
		for _, c := range difference(n.trees[i], n.trees[i+1]) {
			answers := func(o *ledger.Record) bool { return n.answers(o, i, c.Path) }
			if slices.Contains(own, c.Path) && !slices.ContainsFunc(n.facts.Ledger.Records, answers) {
				return true
			}
		}
	}
	return false
}

// backAt: all that the step's records changed under its touches was, at a chain
// index, as it was before the first of them; where that is nothing, what its
// certificates changed themselves.
func (n naive) backAt(step string, i int) bool {
	s, _ := n.facts.Plan.Step(step)
	touches, err := plan.CompilePaths(s.Touches)
	if err != nil {
		n.t.Fatal(err)
	}
	before := map[string]string{}
	for _, r := range slices.Backward(n.facts.Ledger.Of(step)) {
		for _, path := range n.spanOf(r) {
			if touches.Match(path) {
				before[path] = n.trees[n.boundary(r)][path]
			}
		}
	}
	if len(before) == 0 {
		before = n.foundBeside(step, touches)
	}
	for path, was := range before {
		if n.trees[i+1][path] != was {
			return false
		}
	}
	return true
}

func TestGuards_equalsANaiveOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := drawHistory(t)
		old, today := drawPlan(t)
		f := GuardFacts{Plan: today, Versions: map[int]*plan.Plan{1: old, 2: today}, Ledger: h.ledger(), Refuted: map[string]bool{}}
		for _, c := range h.chain {
			f.Refuted[c.ID] = rapid.IntRange(0, 9).Draw(t, "refuted") == 0
		}
		want, anyUnknown := map[string]Guard{}, false
		for i := range today.Steps {
			s := &today.Steps[i]
			if f.Ledger.Newest(s.ID) == nil {
				continue
			}
			g, unknown := naive{h, f}.guard(s)
			want[s.ID], anyUnknown = g, anyUnknown || unknown
		}
		got, err := Guards(f)
		if err != nil {
			if unknown := (*UnknownVersionError)(nil); !errors.As(err, &unknown) || !anyUnknown {
				t.Fatal(err)
			}
			return
		}
		if anyUnknown || len(got) != len(want) {
			t.Fatalf("got %v, want %v, unknown %v", got, want, anyUnknown)
		}
		stand, err := StandingOf(today, f.Ledger)
		if err != nil {
			t.Fatal(err)
		}
		for id, g := range want {
			if got[id] != g {
				t.Fatalf("%s: got %+v, want %+v", id, got[id], g)
			}
			if stands := f.Ledger.Newest(id).Valid() && !g.Void; (stand.Record(id) != nil) != stands {
				t.Fatalf("%s: its record %v, its guard %+v", id, stand.Record(id), g)
			}
		}
	})
}

// foundBeside is what a step's certificates found where they changed something
// themselves, with no other commit's change of it in between.
func (n naive) foundBeside(step string, touches plan.Paths) map[string]string {
	found, others := map[string]string{}, map[string]bool{}
	records := n.facts.Ledger.Of(step)
	for i := records[len(records)-1].Index; i >= 0; i-- {
		ours := slices.ContainsFunc(records, func(r *ledger.Record) bool { return r.Index == i })
		for _, c := range difference(n.trees[i], n.trees[i+1]) {
			switch {
			case !ours:
				others[c.Path] = true
			case !others[c.Path] && !touches.Match(c.Path):
				found[c.Path] = n.trees[i][c.Path]
			}
		}
	}
	return found
}
