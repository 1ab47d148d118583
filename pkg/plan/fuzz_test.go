package plan_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/git-agent/git-agent/pkg/plan"
)

// FuzzParse holds that no text makes Parse panic, that every fault has a
// position inside the text, and that what is accepted can be used.
func FuzzParse(f *testing.F) {
	f.Add([]byte(full))
	f.Add(plan.Template("x", ""))
	f.Add([]byte("?"))
	f.Add([]byte("title: x\nsteps:\n  - ! a\n"))
	f.Add([]byte("a: &a [*a, {<<: *a}]\n"))
	f.Add([]byte(stepWith("check", "[{run: x, timeout: 1s, env: {A: b}}]")))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := plan.Parse("p", data)
		if err == nil {
			usable(t, p)
			return
		}
		problems := plan.Problems(err)
		if p != nil || len(problems) != strings.Count(err.Error(), "\n")+1 {
			t.Fatalf("plan %v, %d problems in %q", p, len(problems), err)
		}
		lines := strings.Split(string(data), "\n")
		for _, problem := range problems {
			if problem.Line < 1 || problem.Line > len(lines) || problem.Column < 1 || problem.Column > len(lines[problem.Line-1])+1 {
				t.Errorf("%v is outside of the text", problem)
			}
			if !utf8.ValidString(problem.Message) || strings.ContainsAny(problem.Message, "\x1b\x00") {
				t.Errorf("%q does not print", problem.Message)
			}
		}
	})
}

func usable(t *testing.T, p *plan.Plan) {
	if p.Title == "" || len(p.Steps) == 0 || plan.Diff(p, p) != nil {
		t.Fatalf("accepted %+v", p)
	}
	for i, s := range p.Steps {
		if _, at := p.Step(s.ID); at != i || len(s.Check) == 0 || s.Confirm < 1 || s.Retry < 0 {
			t.Errorf("accepted step %+v", s)
		}
		if _, err := plan.CompilePaths(append(s.Touches, s.Reads...)); err != nil {
			t.Error(err)
		}
	}
	for _, c := range plan.Commands(p) {
		if strings.TrimSpace(c.Run) == "" || c.Timeout < 0 || strings.ContainsAny(c.String(), "\x1b\n") {
			t.Errorf("accepted command %+v", c)
		}
	}
	if _, err := plan.VersionMessage("r", 1, base, p.Title); err != nil {
		t.Errorf("title %q: %v", p.Title, err)
	}
}
