package plan

import (
	"cmp"
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"
)

// Finding is something in a valid plan that is allowed and likely wrong.
type Finding struct {
	File   string `json:"file"`
	Line   int    `json:"line"`   // from 1
	Column int    `json:"column"` // from 1, in characters
	Code   string `json:"code"`   // a frozen word, one of the Lint constants
	Step   string `json:"step"`
	Says   string `json:"says"`
	Repair string `json:"repair"` // what to write instead
}

// String is the form that editors and compilers understand.
func (f Finding) String() string {
	return fmt.Sprintf("%s:%d:%d: %s (%s)", f.File, f.Line, f.Column, f.Says, f.Code)
}

// The codes of findings; they do not change.
const (
	LintProvesNothing = "proves-nothing"  // passes before the step's work, or whatever the work
	LintUndeclared    = "undeclared-read" // reads what the step does not declare
	LintShared        = "shared-touches"  // two steps touch the same path
	LintFullSuite     = "full-suite"      // all tests, on an early step
	LintNetwork       = "network"
	LintClock         = "clock"
	LintPipe          = "pipe-status" // a pipe hides an exit status
	LintTimeout       = "no-timeout"
)

// LintCodes lists the codes.
func LintCodes() []string {
	return []string{LintProvesNothing, LintUndeclared, LintShared, LintFullSuite, LintNetwork, LintClock, LintPipe, LintTimeout}
}

// LintFacts is what somebody else found out about the tree that a plan is for.
// The zero value knows nothing: then only the plan's own text is judged.
type LintFacts struct {
	// Tracked are the files of the tree.
	Tracked []string
	// Passing are the checks, by step and place, that were seen to pass on a
	// tree without the step's work.
	Passing map[string][]int
	// Seen are the paths, by step, that its checks were seen to read and the
	// step does not declare, as entries of reads; empty where it declares all.
	Seen map[string][]string
}

// Lint reads a plan and says what in it is likely wrong, in the order of the
// text. The error is [Parse]'s: a plan that is not valid is not judged.
func Lint(file string, data []byte, facts LintFacts) ([]Finding, error) {
	p, err := Parse(file, data)
	if err != nil {
		return nil, err
	}
	text, problem := parseText(file, data)
	if problem != nil {
		return nil, problem
	}
	document, problem := parseDocument(file, text)
	if problem != nil {
		return nil, problem
	}
	l := &linter{plan: p, tree: newTree(file, text, document), facts: facts}
	for _, path := range facts.Tracked {
		l.tracked.Add(path)
	}
	if err := l.compile(); err != nil {
		return nil, err
	}
	l.judge()
	slices.SortStableFunc(l.findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Code, b.Code))
	})
	return slices.Compact(l.findings), nil
}

// linter judges one plan.
type linter struct {
	plan     *Plan
	tree     *tree
	facts    LintFacts
	tracked  PathSet
	touches  []Paths // by step
	declared []Paths // by step: touches and reads
	findings []Finding
}

func (l *linter) compile() error {
	for _, step := range l.plan.Steps {
		touches, err := CompilePaths(step.Touches)
		if err != nil {
			return err
		}
		declared, err := CompilePaths(append(slices.Clone(step.Touches), step.Reads...))
		if err != nil {
			return err
		}
		l.touches, l.declared = append(l.touches, touches), append(l.declared, declared)
	}
	return nil
}

func (l *linter) judge() {
	for i := range l.plan.Steps {
		for k := range l.plan.Steps[i].Check {
			l.judgeCheck(i, k)
		}
		l.judgeSeen(i)
	}
	l.judgeShared()
}

// judgeCheck holds one check to every rule about commands.
func (l *linter) judgeCheck(i, k int) {
	c := l.plan.Steps[i].Check[k]
	commands := splitShell(c.Run)
	add := func(code, repair, format string, args ...any) {
		l.add(i, l.checkNode(i, k), code, repair, format, args...)
	}
	for _, rule := range []func(check Check, commands []simple, last bool, add adder){
		ruleProvesNothing, ruleFullSuite, ruleNetwork, ruleClock, rulePipe, ruleTimeout,
	} {
		rule(c, commands, i == len(l.plan.Steps)-1, add)
	}
	if slices.Contains(l.facts.Passing[l.plan.Steps[i].ID], k) {
		add(LintProvesNothing, "name a check that fails until the step is done, such as the test that the step adds",
			"check %d passes before any work on the step: it proves nothing", k+1)
	}
	if _, traced := l.facts.Seen[l.plan.Steps[i].ID]; !traced { // what was seen is better than what words suggest
		l.judgeWords(i, k, commands)
	}
}

type adder func(code, repair, format string, args ...any)

func (l *linter) add(step int, at *yaml.Node, code, repair, format string, args ...any) {
	l.findings = append(l.findings, Finding{File: l.tree.file, Line: max(1, at.Line), Column: max(1, at.Column), Code: code,
		Step: l.plan.Steps[step].ID, Says: fmt.Sprintf(format, args...), Repair: repair})
}

func (l *linter) step(i int) *value { return l.tree.root.field("steps").list()[i] }

// checkNode is where check k of step i stands, be it written as a list or not.
func (l *linter) checkNode(i, k int) *yaml.Node {
	list := l.step(i).field("check")
	if items := list.list(); k < len(items) {
		return items[k].position()
	}
	return list.position()
}

// entryNode is where the k-th entry of touches or reads stands.
func (l *linter) entryNode(i int, key string, k int) *yaml.Node {
	list := l.step(i).field(key)
	if items := list.list(); k < len(items) {
		return items[k].position()
	}
	return list.position()
}
