package run

import "fmt"

// Statement is an audit as an in-toto Statement, version 1, with the predicate
// "test result", version 0.1 (in-toto/attestation on GitHub, spec/v1 and
// spec/predicates/test-result.md). It is not signed: that is for whoever
// publishes it.
type Statement struct {
	Type          string              `json:"_type"`
	Subject       []StatementResource `json:"subject"`
	PredicateType string              `json:"predicateType"`
	Predicate     StatementPredicate  `json:"predicate"`
}

// StatementResource is a thing with its digest (in-toto's ResourceDescriptor).
type StatementResource struct {
	Name   string            `json:"name"`
	Digest map[string]string `json:"digest"`
}

// StatementPredicate is the result of the tests; Audit is an extension, which
// consumers that do not know it ignore.
type StatementPredicate struct {
	Result        string              `json:"result"` // PASSED, WARNED or FAILED
	Configuration []StatementResource `json:"configuration"`
	Passed        []string            `json:"passedTests"`
	Warned        []string            `json:"warnedTests"`
	Failed        []string            `json:"failedTests"`
	Audit         *Audit              `json:"gitAgentAudit"`
}

// Statement turns an audit into a statement about its tip or, with --onto, about
// the merge. What could not be judged is failed: nobody saw it pass.
func (a *Audit) Statement() *Statement {
	subject := StatementResource{Name: a.Branch, Digest: map[string]string{"gitCommit": a.Tip, "gitTree": a.Tree}}
	s := &Statement{Type: "https://in-toto.io/Statement/v1", Subject: []StatementResource{subject},
		PredicateType: "https://in-toto.io/attestation/test-result/v0.1"}
	plan := StatementResource{Name: PlanRef(a.Run), Digest: map[string]string{"gitCommit": a.Plan}}
	p := StatementPredicate{Result: "PASSED", Configuration: []StatementResource{plan}, Passed: []string{}, Warned: []string{}, Failed: []string{}, Audit: a}
	if a.Onto != "" {
		p.Configuration = append(p.Configuration, StatementResource{Name: "onto", Digest: map[string]string{"gitCommit": a.Onto}})
	}
	for _, c := range a.Certificates {
		p.add(fmt.Sprintf("%s@%s", c.Step, c.Commit), c.AuditOutcome)
	}
	where := "tip"
	if a.Onto != "" {
		where = "onto:" + a.Onto
	}
	for _, step := range a.Steps {
		p.add(step.ID+"@"+where, step.AuditOutcome)
	}
	for _, f := range a.Faults {
		p.Failed = append(p.Failed, "evidence@"+f.Commit)
	}
	if len(a.Conflicts) > 0 {
		p.Failed = append(p.Failed, "merge@"+where)
	}
	switch {
	case len(p.Failed) > 0:
		p.Result = "FAILED"
	case len(p.Warned) > 0:
		p.Result = "WARNED"
	}
	s.Predicate = p
	return s
}

func (p *StatementPredicate) add(name string, o AuditOutcome) {
	switch {
	case o.Outcome == "skipped":
	case o.Outcome != "passed":
		p.Failed = append(p.Failed, name)
	case o.Flaky:
		p.Warned = append(p.Warned, name)
	default:
		p.Passed = append(p.Passed, name)
	}
}
