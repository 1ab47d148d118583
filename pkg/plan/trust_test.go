package plan_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/pkg/plan"
)

const base = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

func TestPlan_Digest_coversEverythingThatRuns(t *testing.T) {
	digest := fullPlan().Digest("r-1", 1, base)
	if len(digest) != len("sha256:")+64 || !strings.HasPrefix(digest, "sha256:") {
		t.Fatalf("digest %q", digest)
	}
	if again := fullPlan().Digest("r-1", 1, base); again != digest {
		t.Errorf("the same plan twice: %s, %s", digest, again)
	}
	seen := map[string]string{digest: "nothing"}
	note := func(what, digest string) {
		if other, taken := seen[digest]; taken {
			t.Errorf("changing %s gives the digest of changing %s", what, other)
		}
		seen[digest] = what
	}
	note("the run", fullPlan().Digest("r-2", 1, base))
	note("the version", fullPlan().Digest("r-1", 2, base))
	note("the base", fullPlan().Digest("r-1", 1, strings.Repeat("0", 40)))
	for what, change := range map[string]func(p *plan.Plan){
		"setup":              func(p *plan.Plan) { p.Setup[0] = "npm i" },
		"setup to nothing":   func(p *plan.Plan) { p.Setup = nil },
		"setup joined":       func(p *plan.Plan) { p.Setup = []string{"npm ci", "go version"}; p.Fingerprint = p.Fingerprint[1:] },
		"fingerprint":        func(p *plan.Plan) { p.Fingerprint[1] = "uname -a" },
		"fingerprint order":  func(p *plan.Plan) { slices.Reverse(p.Fingerprint) },
		"pass_env":           func(p *plan.Plan) { p.PassEnv = append(p.PassEnv, "TOKEN") },
		"pass_env split":     func(p *plan.Plan) { p.PassEnv = []string{"CI_X1"} },
		"pass_env shifted":   func(p *plan.Plan) { p.PassEnv = []string{"CI_", "X1"} },
		"a step's id":        func(p *plan.Plan) { p.Steps[1].ID = "s10" },
		"do":                 func(p *plan.Plan) { p.Steps[0].Do = "rm -rf ." },
		"no do":              func(p *plan.Plan) { p.Steps[0].Do = "" },
		"do as a check":      func(p *plan.Plan) { s := &p.Steps[1]; s.Do, s.Check[0].Run = s.Check[0].Run, s.Do },
		"a check":            func(p *plan.Plan) { p.Steps[0].Check[0].Run += " " },
		"order of checks":    func(p *plan.Plan) { slices.Reverse(p.Steps[0].Check) },
		"a timeout":          func(p *plan.Plan) { p.Steps[0].Check[1].Timeout++ },
		"a directory":        func(p *plan.Plan) { p.Steps[0].Check[1].Dir = "tool" },
		"a variable's value": func(p *plan.Plan) { p.Steps[0].Check[1].Env["CI"] = "" },
		"a variable's name":  func(p *plan.Plan) { p.Steps[0].Check[1].Env = map[string]string{"C": "I1"} },
		"one more variable":  func(p *plan.Plan) { p.Steps[0].Check[0].Env = map[string]string{"PATH": "."} },
		"the order of steps": func(p *plan.Plan) { slices.Reverse(p.Steps) },
	} {
		p := fullPlan()
		change(p)
		note(what, p.Digest("r-1", 1, base))
	}
}

// TestPlan_Digest_coversNoMore: what does not run may change without asking.
func TestPlan_Digest_coversNoMore(t *testing.T) {
	p := fullPlan()
	p.Title, p.Stray, p.Target = "x", "", ""
	p.Steps[0].Title, p.Steps[0].Brief, p.Steps[0].Touches = "x", "x", nil
	p.Steps[0].Check[0].Env = map[string]string{}
	if p.Digest("r-1", 1, base) != fullPlan().Digest("r-1", 1, base) {
		t.Error("the digest covers a title, a brief, paths, or an empty environment")
	}
}

func TestCommands_showsEverything(t *testing.T) {
	var lines []string
	for _, c := range plan.Commands(fullPlan()) {
		lines = append(lines, c.String())
	}
	want := []string{
		"setup 1: npm ci",
		"fingerprint 1: go version",
		"fingerprint 2: uname -sm",
		"step s05 do: ./scripts/codemod.sh",
		"step s05 check 1: go test ./internal/auth/... -count=1",
		`step s05 check 2: ./scripts/lint.sh (timeout 2m0s, in tools, CI="1")`,
		"step s09 check 1: make test",
	}
	if !slices.Equal(lines, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
}

func TestCheck_String_showsNoControlCharacter(t *testing.T) {
	c := plan.Check{Run: "a\x1b[2K\nb", Dir: "d\r", Env: map[string]string{"X": "\x07\u202e"}}
	if got, want := c.String(), `"a\x1b[2K\nb" (in "d\r", X="\a\u202e")`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
