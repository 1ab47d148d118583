package ledger

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/trailers"
)

func TestRead_certificatesOfTheRun(t *testing.T) {
	h := newHistory(t, map[string]string{"a": "1"})
	h.commit("a person's commit\n", map[string]string{"p": "1"})
	one := h.certify("s01", map[string]string{"a": "2"})
	h.certify("s01", map[string]string{"b": "1"}, func(e *trailers.Evidence) { e.Run = "r-2" })
	two := h.certify("s02", map[string]string{"c": "1"})
	l := h.read()
	if got := ids(l.Records); !slices.Equal(got, []string{one, two}) {
		t.Fatalf("records %v: another run's evidence counts, or one of ours does not", got)
	}
	if l.Newest("s01").Commit.ID != one || l.Newest("s03") != nil || l.Certificate().Commit.ID != two || l.Boundary() != two || l.Tip() != two {
		t.Errorf("newest %v, certificate %v, boundary %s", l.Newest("s01"), l.Certificate(), l.Boundary())
	}
	if len(l.Claims) != 0 || len(l.Differs) != 0 {
		t.Errorf("claims %v, differs %v", l.Claims, l.Differs)
	}
}

func TestRead_emptyChainStandsAtTheBase(t *testing.T) {
	l := Read(run, base, nil)
	if l.Boundary() != base || l.Tip() != base || l.Certificate() != nil || l.Merges() {
		t.Errorf("%+v", l)
	}
	if i, ok := l.Place(base); i != -1 || !ok {
		t.Errorf("the base is at %d, %v", i, ok)
	}
	if _, ok := l.Place("elsewhere"); ok {
		t.Error("an unknown commit is on the chain")
	}
	if got := l.Changed("elsewhere"); got != nil {
		t.Errorf("changed above an unknown commit: %v", got)
	}
}

func TestRecord_spanIsNetBetweenBoundaryAndCertificate(t *testing.T) {
	h := newHistory(t, map[string]string{"a": "1", "gone": "1"})
	h.commit("the agent's own commit\n", map[string]string{"a": "2", "b": "1", "back": "x"})
	h.commit("and another\n", map[string]string{"back": "", "gone": ""})
	first := h.certify("s01", map[string]string{"a": "3"})
	second := h.certify("s02", map[string]string{"a": "4"})
	l := h.read()
	if got := paths(l.Newest("s01").Span); got != "a b gone" {
		t.Errorf("span of s01: %q", got)
	}
	if c := l.Newest("s01").Span[0]; c.OldID != blob("1") || c.NewID != blob("3") {
		t.Errorf("a: %+v, want the first old side and the last new one", c)
	}
	if r := l.Newest("s02"); r.Boundary != first || paths(r.Span) != "a" || r.Span[0].OldID != blob("3") {
		t.Errorf("span of s02: %+v", r)
	}
	if got := paths(l.Changed(base)); got != "a b gone" {
		t.Errorf("changed above the base: %q", got)
	}
	if got := l.Changed(second); got != nil {
		t.Errorf("changed above the tip: %v", got)
	}
	if got := l.Net(1, 2); paths(got) != "a" || got[0].OldID != blob("2") {
		t.Errorf("changed from the second commit to the third: %v", got)
	}
}

func TestRecord_onlyValidCertificatesAreBoundaries(t *testing.T) {
	h := newHistory(t, map[string]string{})
	h.certify("s01", map[string]string{"a": "1"}, func(e *trailers.Evidence) { e.Tree = strings.Repeat("1", 40) })
	h.certify("s02", map[string]string{"b": "1"}, func(e *trailers.Evidence) {
		e.Checks[0].Outcome = trailers.Outcome{Kind: trailers.Exit, Code: 1}
	})
	h.certify("s03", map[string]string{"c": "1"})
	l := h.read()
	if r := l.Newest("s01"); !r.Transplanted || r.Valid() {
		t.Errorf("s01 is valid on another tree than the one that was checked")
	}
	if r := l.Newest("s02"); r == nil || r.Valid() {
		t.Errorf("s02: a record whose check failed is %+v", r)
	}
	if r := l.Newest("s03"); r.Boundary != base || paths(r.Span) != "a b c" {
		t.Errorf("s03: boundary %s, span %q", r.Boundary, paths(r.Span))
	}
}

func TestRecord_withoutTreeIsValid(t *testing.T) {
	h := newHistory(t, map[string]string{})
	h.certify("s01", map[string]string{"a": "1"}, func(e *trailers.Evidence) { e.Tree = "" })
	if r := h.read().Newest("s01"); r.Transplanted || !r.Valid() {
		t.Errorf("%+v", r)
	}
}

func TestRead_newestRecordOfSeveral(t *testing.T) {
	h := newHistory(t, map[string]string{})
	first := h.certify("s01", map[string]string{"a": "1"})
	second := h.certify("s01", map[string]string{"a": "2"})
	l := h.read()
	if got := ids(l.Of("s01")); !slices.Equal(got, []string{first, second}) || l.Newest("s01").Commit.ID != second {
		t.Errorf("of s01: %v", got)
	}
}

func TestRead_undo(t *testing.T) {
	h := newHistory(t, map[string]string{})
	h.certify("s01", map[string]string{"a": "1"})
	undo := h.commit("Undo s01\n\nAgent-Run: r-1\nAgent-Undo: s01\n", map[string]string{"a": ""})
	l := h.read()
	if at, ok := l.Undone["s01"]; !ok || at != 1 || l.Chain[at].ID != undo {
		t.Errorf("undone: %v", l.Undone)
	}
	if len(l.Records) != 1 || l.Boundary() == undo {
		t.Errorf("an undo is a record: %v", l.Records)
	}
}

func TestRead_undoOfAnotherRunIsNotOurs(t *testing.T) {
	h := newHistory(t, map[string]string{})
	h.commit("Undo s01\n\nAgent-Run: r-2\nAgent-Undo: s01\n", map[string]string{"a": "1"})
	if l := h.read(); len(l.Undone) != 0 {
		t.Errorf("undone: %v", l.Undone)
	}
}

func TestRead_claims(t *testing.T) {
	sound := "Agent-Run: r-1\nAgent-Step: s01\nAgent-Check: true exit=0 secs=0.1\nAgent-Plan-Version: 1\n"
	tests := map[string]struct {
		message string
		steps   string
		repair  bool
		none    bool
	}{
		"several paragraphs":   {message: "s01: x\n\nAgent-Run: r-1\n\nAgent-Step: s01\n\nAgent-Check: true exit=0 secs=0.1\n\nAgent-Plan-Version: 1\n", steps: "s01", repair: true},
		"no outcome":           {message: "s01: x\n\nAgent-Run: r-1\nAgent-Step: s01\nAgent-Check: true\nAgent-Plan-Version: 1\n", steps: "s01"},
		"two steps":            {message: "x\n\n" + sound + "Agent-Step: s02\n", steps: "s01 s02"},
		"a landed squash":      {message: "x\n\n" + sound + "Agent-Step: s02\nAgent-Check: true exit=0 secs=0.1\nAgent-Plan-Version: 1\n", steps: "s01 s02"},
		"no step":              {message: "x\n\nAgent-Run: r-1\nAgent-Check: true exit=0 secs=0.1\nAgent-Plan-Version: 1\n", steps: ""},
		"another run's damage": {message: "x\n\nAgent-Run: r-2\nAgent-Step: s01\nAgent-Check: true\n", none: true},
		"another run's squash": {message: "x\n\n" + strings.ReplaceAll(sound, "r-1", "r-2") +
			"Agent-Step: s02\nAgent-Check: true exit=0 secs=0.1\nAgent-Plan-Version: 1\n", none: true},
		"in the body only": {message: "x\n\n    " + strings.ReplaceAll(sound, "\n", "\n    ") + "\nThe end.\n", none: true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			h := newHistory(t, map[string]string{})
			h.commit(tt.message, map[string]string{"a": "1"})
			l := h.read()
			if len(l.Records) != 0 {
				t.Fatalf("it certifies: %+v", l.Records[0].Evidence)
			}
			if tt.none {
				if len(l.Claims) != 0 {
					t.Fatalf("claims %+v", l.Claims)
				}
				return
			}
			if len(l.Claims) != 1 || len(l.Claims[0].Faults) == 0 {
				t.Fatalf("claims %+v", l.Claims)
			}
			c := l.Claims[0]
			if got := strings.Join(c.Steps, " "); got != tt.steps || (c.Repair != "") != tt.repair || c.OffChain {
				t.Errorf("steps %q, repair %q, off %v", got, c.Repair, c.OffChain)
			}
		})
	}
}

func TestRead_repairIsOfTheCommitItself(t *testing.T) {
	scattered := "s01: x\n\nAgent-Run: r-1\n\nAgent-Step: s01\n\nAgent-Check: true exit=0 secs=0.1\n\nAgent-Plan-Version: 1\n"
	h := newHistory(t, map[string]string{})
	below := h.commit(scattered, map[string]string{"a": "1"})
	h.commit(scattered, map[string]string{"a": "2"})
	l := h.read()
	if len(l.Claims) != 2 || !strings.Contains(l.Claims[0].Repair, "rebase") || !strings.Contains(l.Claims[0].Repair, below) {
		t.Fatalf("below the tip: %+v", l.Claims)
	}
	if strings.Contains(l.Claims[1].Repair, "rebase") || !strings.Contains(l.Claims[1].Repair, "--amend") {
		t.Errorf("at the tip: %s", l.Claims[1].Repair)
	}
}

func TestLedger_OffChain(t *testing.T) {
	h := newHistory(t, map[string]string{})
	on := h.certify("s01", map[string]string{"a": "1"})
	side := newHistory(t, map[string]string{})
	side.certify("s02", map[string]string{"b": "1"})
	side.certify("s03", map[string]string{"b": "2"}, func(e *trailers.Evidence) { e.Run = "r-2" })
	side.commit("prose\n", nil)
	for i := range side.chain {
		side.chain[i].ID = strings.Repeat("d", 39) + string(rune('0'+i))
	}
	merge := h.commit("Merge\n", map[string]string{"b": "1"})
	h.chain[1].Parents = append(h.chain[1].Parents, side.parent)
	l := h.read()
	if !l.Merges() {
		t.Fatal("the merge is not seen")
	}
	l.OffChain(append(slices.Clone(h.chain), side.chain...))
	if len(l.Claims) != 1 || !l.Claims[0].OffChain || strings.Join(l.Claims[0].Steps, " ") != "s02" {
		t.Errorf("claims %+v", l.Claims)
	}
	if l.Newest("s01").Commit.ID != on || l.Tip() != merge {
		t.Errorf("the chain itself is read otherwise")
	}
}

func TestLedger_Within_and_Since(t *testing.T) {
	h := newHistory(t, map[string]string{})
	first := h.commit("x\n", map[string]string{"a": "1"})
	h.commit("x\n", map[string]string{"a": "2"})
	h.commit("Merge\n", map[string]string{"b": "1"})
	h.chain[2].Parents = append(h.chain[2].Parents, "side2")
	l := h.read()
	if _, ok := l.Within("side2"); ok {
		t.Error("known before anybody said so")
	}
	l.OffChain(append(slices.Clone(h.chain), object.Commit{ID: "side1", Parents: []string{first}},
		object.Commit{ID: "side2", Parents: []string{"side1"}}, object.Commit{ID: "alone", Parents: []string{base}}))
	for id, want := range map[string]int{base: -1, first: 0, h.parent: 2, "side1": 0, "side2": 0, "alone": -1} {
		if got, ok := l.Within(id); got != want || !ok {
			t.Errorf("within %s: %d, %v, want %d", id, got, ok, want)
		}
	}
	for id, want := range map[string]int{base: -1, first: 0, h.parent: 2, "side1": 2, "side2": 2} {
		if got, ok := l.Since(id); got != want || !ok {
			t.Errorf("since %s: %d, %v, want %d", id, got, ok, want)
		}
	}
	if _, ok := l.Since("alone"); ok {
		t.Error("no merge brought it")
	}
	if _, ok := l.Within("elsewhere"); ok {
		t.Error("a commit of nowhere is known")
	}
}

func TestRead_gitReadsOtherwiseIsReported(t *testing.T) {
	h := newHistory(t, map[string]string{})
	id := h.certify("s01", map[string]string{"a": "1"})
	h.chain[0].Trailers = "Agent-Run: r-1\n" // as under trailer.separators, say
	l := h.read()
	if !slices.Equal(l.Differs, []string{id}) || !l.Newest("s01").Valid() {
		t.Errorf("differs %v: our own reading counts, and the difference is told", l.Differs)
	}
}

func ids(records []*Record) []string {
	var out []string
	for _, r := range records {
		out = append(out, r.Commit.ID)
	}
	return out
}

func paths(changes []object.Change) string {
	var out []string
	for _, c := range changes {
		out = append(out, c.Path)
	}
	return strings.Join(out, " ")
}
