package reconcile

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/pkg/ledger"
	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/trailers"
)

// checker answers from a list and notes what it was asked.
type checker struct {
	head, own []Outcome
	asked     string
	err       error
}

func (c *checker) AtHead(context.Context, *plan.Step) (Outcome, error) {
	c.asked += "h"
	return c.take(&c.head)
}

func (c *checker) AtRecord(context.Context, *plan.Step, *ledger.Record) (Outcome, error) {
	c.asked += "o"
	return c.take(&c.own)
}

func (c *checker) take(list *[]Outcome) (Outcome, error) {
	if len(*list) == 0 {
		if c.err == nil {
			c.err = errors.New("asked once too often")
		}
		return 0, c.err
	}
	first := (*list)[0]
	*list = (*list)[1:]
	return first, nil
}

func validRecord() *ledger.Record {
	return &ledger.Record{Commit: object.Commit{ID: "c1"}, Evidence: trailers.Evidence{Run: runID, Step: "s01", Checks: []trailers.Check{passed}}}
}

func transplanted() *ledger.Record {
	r := validRecord()
	r.Transplanted = true
	return r
}

var (
	damaged  = []ledger.Claim{{Commit: "c9", Steps: []string{"s01"}, Faults: []string{"x"}}}
	offChain = []ledger.Claim{{Commit: "c9", Steps: []string{"s01"}, OffChain: true}}
	holds    = Guard{Holds: true, How: ByTouches}
	moved    = Guard{Why: "tree-changed"}
	void     = Guard{Void: true, Why: "reverted"}
)

// one builds facts; s is the step whose verdict is asked.
func one(change func(*Facts)) Facts {
	s := step("s01", []string{"a"})
	f := Facts{Step: &s}
	change(&f)
	return f
}

var rows = []struct {
	name      string
	facts     Facts
	head, own []Outcome
	asked     string
	want      Verdict
}{
	// Row 1.
	{"1: damaged", one(func(f *Facts) { f.Claims = damaged }), nil, nil, "",
		Verdict{Rule: 1, Status: Uncertified, Reason: "evidence-damaged", Person: true}},
	{"1: off the chain", one(func(f *Facts) { f.Claims = offChain }), nil, nil, "",
		Verdict{Rule: 1, Status: Uncertified, Reason: "evidence-off-chain", Person: true}},
	{"1 before 2: damaged, until certified, the record transplanted",
		one(func(f *Facts) { f.Claims, f.Record, f.UntilCertified = damaged, transplanted(), true }), nil, nil, "",
		Verdict{Rule: 1, Status: Uncertified, Reason: "evidence-damaged", Person: true}},
	{"1 before 4: damaged and nothing else", one(func(f *Facts) { f.Claims, f.LaterRecord = damaged, false }), nil, nil, "",
		Verdict{Rule: 1, Status: Uncertified, Reason: "evidence-damaged", Person: true}},
	{"1 not where a valid record lies on the chain", one(func(f *Facts) { f.Claims, f.Record, f.Guard = damaged, validRecord(), holds }), nil, nil, "",
		Verdict{Rule: 3, Status: Certified, How: ByTouches}},
	// Row 2.
	{"2: until", one(func(f *Facts) { f.Record, f.Guard, f.UntilCertified = validRecord(), moved, true }), nil, nil, "",
		Verdict{Rule: 2, Status: Certified, How: ByUntil}},
	{"2 before 3: until, guard holds", one(func(f *Facts) { f.Record, f.Guard, f.UntilCertified = validRecord(), holds, true }), nil, nil, "",
		Verdict{Rule: 2, Status: Certified, How: ByUntil}},
	{"2 also on --recheck", one(func(f *Facts) { f.Record, f.Guard, f.UntilCertified, f.Recheck = validRecord(), moved, true, true }), nil, nil, "",
		Verdict{Rule: 2, Status: Certified, How: ByUntil}},
	{"2 needs a record", one(func(f *Facts) { f.UntilCertified = true }), nil, nil, "", Verdict{Rule: 4, Status: Pending}},
	// Row 3.
	{"3: tree", one(func(f *Facts) { f.Record, f.Guard = validRecord(), held(ByTree) }), nil, nil, "",
		Verdict{Rule: 3, Status: Certified, How: ByTree}},
	{"3: touches", one(func(f *Facts) { f.Record, f.Guard, f.Changed = validRecord(), holds, true }), nil, nil, "",
		Verdict{Rule: 3, Status: Certified, How: ByTouches}},
	// Row 4.
	{"4: pending", one(func(*Facts) {}), nil, nil, "", Verdict{Rule: 4, Status: Pending}},
	{"4 also on --recheck", one(func(f *Facts) { f.Recheck = true }), nil, nil, "", Verdict{Rule: 4, Status: Pending}},
	// Row 5.
	{"5: environment", one(func(f *Facts) { f.LaterRecord = true }), []Outcome{Unsettled}, nil, "h",
		Verdict{Rule: 5, Status: Environment, Reason: "environment", Person: true}},
	{"5: environment with a record", one(func(f *Facts) { f.Record, f.Guard = validRecord(), moved }), []Outcome{Unsettled}, nil, "h",
		Verdict{Rule: 5, Status: Environment, Reason: "environment", Person: true}},
	// Row 6.
	{"6: rechecked, guard broken", one(func(f *Facts) { f.Record, f.Guard = validRecord(), moved }), []Outcome{Passed}, nil, "h",
		Verdict{Rule: 6, Status: Certified, How: ByRecheck, Write: true}},
	{"6: rechecked on demand, guard holds", one(func(f *Facts) { f.Record, f.Guard, f.Recheck = validRecord(), holds, true }), []Outcome{Passed}, nil, "h",
		Verdict{Rule: 6, Status: Certified, How: ByRecheck}},
	{"6: evidence, a later step is recorded", one(func(f *Facts) { f.LaterRecord = true }), []Outcome{Passed}, nil, "h",
		Verdict{Rule: 6, Status: Certified, How: ByEvidence, Write: true}},
	{"6: evidence, its paths changed", one(func(f *Facts) { f.Changed = true }), []Outcome{Passed}, nil, "h",
		Verdict{Rule: 6, Status: Certified, How: ByEvidence, Write: true}},
	{"6: evidence, transplanted", one(func(f *Facts) { f.Record, f.Guard = transplanted(), broken("not-valid") }), []Outcome{Passed}, nil, "h",
		Verdict{Rule: 6, Status: Certified, How: ByEvidence, Write: true}},
	{"6: evidence, reverted", one(func(f *Facts) { f.Record, f.Guard = validRecord(), void }), []Outcome{Passed}, nil, "h",
		Verdict{Rule: 6, Status: Certified, How: ByEvidence, Write: true}},
	// Row 7.
	{"7: changed, fails", one(func(f *Facts) { f.Changed = true }), []Outcome{Failed}, nil, "h",
		Verdict{Rule: 7, Status: Uncertified, Reason: "check-failed"}},
	{"7: transplanted, fails", one(func(f *Facts) { f.Record, f.Guard = transplanted(), broken("not-valid") }), []Outcome{Failed}, nil, "h",
		Verdict{Rule: 7, Status: Uncertified, Reason: "transplanted"}},
	{"7: reverted, fails", one(func(f *Facts) { f.Record, f.Guard = validRecord(), void }), []Outcome{Failed}, nil, "h",
		Verdict{Rule: 7, Status: Uncertified, Reason: "reverted"}},
	{"7: a record without a check that passed", one(func(f *Facts) { f.Record = &ledger.Record{} }), []Outcome{Failed}, nil, "h",
		Verdict{Rule: 7, Status: Uncertified, Reason: "not-valid"}},
	// Rows 8 and 9.
	{"8: fails on its own tree", one(func(f *Facts) { f.Record, f.Guard = validRecord(), moved }), []Outcome{Failed}, []Outcome{Failed}, "ho",
		Verdict{Rule: 8, Status: Environment, Reason: "fails-on-own-tree", Refute: true, Person: true}},
	{"8: the guard held, --recheck", one(func(f *Facts) { f.Record, f.Guard, f.Recheck = validRecord(), holds, true }), []Outcome{Failed}, []Outcome{Failed}, "ho",
		Verdict{Rule: 8, Status: Environment, Reason: "fails-on-own-tree", Refute: true, Person: true}},
	{"7: the check is another one and never passed there", one(func(f *Facts) { f.Record, f.Guard = validRecord(), broken(CheckChanged) }), []Outcome{Failed}, []Outcome{Failed}, "ho",
		Verdict{Rule: 7, Status: Uncertified, Reason: CheckChanged}},
	{"8: the check is another one, its own tree cannot be judged", one(func(f *Facts) { f.Record, f.Guard = validRecord(), broken(CheckChanged) }), []Outcome{Failed}, []Outcome{Unsettled}, "ho",
		Verdict{Rule: 8, Status: Environment, Reason: "fails-on-own-tree", Person: true}},
	{"9: the check is another one and passes there", one(func(f *Facts) { f.Record, f.Guard = validRecord(), broken(CheckChanged) }), []Outcome{Failed, Failed}, []Outcome{Passed}, "hoh",
		Verdict{Rule: 9, Status: Regressed, Reason: "regressed", Refute: true, Person: true}},
	{"8: its own tree cannot be judged", one(func(f *Facts) { f.Record, f.Guard = validRecord(), moved }), []Outcome{Failed}, []Outcome{Unsettled}, "ho",
		Verdict{Rule: 8, Status: Environment, Reason: "fails-on-own-tree", Person: true}},
	{"9: regressed", one(func(f *Facts) { f.Record, f.Guard = validRecord(), moved }), []Outcome{Failed, Failed}, []Outcome{Passed}, "hoh",
		Verdict{Rule: 9, Status: Regressed, Reason: "regressed", Refute: true, Person: true}},
	{"9: passes at HEAD once more", one(func(f *Facts) { f.Record, f.Guard = validRecord(), moved }), []Outcome{Failed, Passed}, []Outcome{Passed}, "hoh",
		Verdict{Rule: 6, Status: Certified, How: ByRecheck, Write: true}},
	{"9: HEAD cannot be judged once more", one(func(f *Facts) { f.Record, f.Guard = validRecord(), moved }), []Outcome{Failed, Unsettled}, []Outcome{Passed}, "hoh",
		Verdict{Rule: 5, Status: Environment, Reason: "environment", Person: true}},
}

func TestJudge_rows(t *testing.T) {
	for _, tt := range rows {
		t.Run(tt.name, func(t *testing.T) {
			c := &checker{head: tt.head, own: tt.own}
			got, err := Judge(context.Background(), tt.facts, c)
			if err != nil || got != tt.want {
				t.Errorf("%+v, %v, want %+v", got, err, tt.want)
			}
			if c.asked != tt.asked || len(c.head)+len(c.own) > 0 {
				t.Errorf("asked %q, want %q", c.asked, tt.asked)
			}
		})
	}
}

// TestPeek_agreesWithJudge: without a check it says the same, or "recheck", or
// why the record does not count.
func TestPeek_agreesWithJudge(t *testing.T) {
	for _, tt := range rows {
		got := Peek(tt.facts)
		if tt.asked == "" {
			if got != tt.want {
				t.Errorf("%s: peek says %+v, judge %+v", tt.name, got, tt.want)
			}
			continue
		}
		if got.Status != Uncertified || got.Rule != 0 || got.Write || got.Refute || got.Person || got.How != "" {
			t.Errorf("%s: peek says %+v", tt.name, got)
		}
		if counts := tt.facts.Record == nil || tt.facts.valid(); counts != (got.Reason == "recheck") || got.Reason == "" {
			t.Errorf("%s: reason %q", tt.name, got.Reason)
		}
	}
}

// TestJudge_everyCombination walks all facts and outcomes: Judge ends, asks
// nothing before rows 1 to 4 had their say, never certifies what failed and
// never refutes without a valid record.
func TestJudge_everyCombination(t *testing.T) {
	outcomes := []Outcome{Passed, Failed, Unsettled}
	for bits := range 1 << 4 {
		for _, record := range []*ledger.Record{nil, validRecord(), transplanted()} {
			for _, guard := range []Guard{{}, holds, moved, void} {
				for _, claims := range [][]ledger.Claim{nil, damaged} {
					for n := range 27 {
						s := step("s01", []string{"a"})
						f := Facts{Step: &s, Record: record, Guard: guard, Claims: claims, Recheck: bits&1 > 0,
							UntilCertified: bits&2 > 0, LaterRecord: bits&4 > 0, Changed: bits&8 > 0}
						c := &checker{head: []Outcome{outcomes[n%3], outcomes[n/3%3]}, own: []Outcome{outcomes[n/9]}}
						v, err := Judge(context.Background(), f, c)
						if fault := wrong(f, v, c.asked, outcomes[n%3], outcomes[n/3%3]); err != nil || fault != "" {
							t.Fatalf("%s: %v; %+v → %+v, asked %q", fault, err, f, v, c.asked)
						}
					}
				}
			}
		}
	}
}

func wrong(f Facts, v Verdict, asked string, first, second Outcome) string {
	switch {
	case v.Rule < 1 || v.Rule > 9 || v.Status == "":
		return "no verdict"
	case (v.Rule <= 4) != (asked == ""):
		return "a check where none was needed, or none"
	case v.Write && v.Status != Certified:
		return "a record of what is not certified"
	case v.Rule > 4 && v.Status == Certified && !(first == Passed || strings.Count(asked, "h") == 2 && second == Passed):
		return "certified, and no check passed at HEAD"
	case v.Refute && (!f.valid() || first == Passed):
		return "refuted without cause"
	case v.Write && f.valid() && f.Guard.Holds:
		return "a record although the guard held"
	case (v.Status == Certified) != (v.How != ""):
		return "how without certified, or the other way round"
	case v.Person != (v.Status == Environment || v.Status == Regressed || v.Rule == 1):
		return "stops for a person, or does not"
	}
	return ""
}

func TestJudge_errorsOfTheChecker(t *testing.T) {
	cause := errors.New("interrupted")
	for i, c := range []*checker{{}, {head: []Outcome{Failed}}, {head: []Outcome{Failed}, own: []Outcome{Passed}}} {
		c.err = cause
		v, err := Judge(context.Background(), one(func(f *Facts) { f.Record, f.Guard = validRecord(), moved }), c)
		if !errors.Is(err, cause) || v != (Verdict{}) {
			t.Errorf("%d: %+v, %v", i, v, err)
		}
	}
}

func ExamplePeek() {
	s := plan.Step{ID: "s01", Check: []plan.Check{{Run: "go test ./..."}}}
	fmt.Println(Peek(Facts{Step: &s}).Status, Peek(Facts{Step: &s, Changed: true}).Reason)
	// Output: pending recheck
}
