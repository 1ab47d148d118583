package markdown

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/pkg/plan"
)

func draft(t *testing.T, text string) *Draft {
	t.Helper()
	d, err := Read("notes.md", []byte(text))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return d
}

// completed is the draft's plan with the checks that are missing named.
func completed(t *testing.T, d *Draft) *plan.Plan {
	t.Helper()
	text := strings.ReplaceAll(string(d.YAML()), "check: []", "check: [test -e x]")
	p, err := plan.ParseNew("plan.yaml", []byte(text))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return p
}

func titles(d *Draft) []string {
	var out []string
	for _, s := range d.Steps {
		out = append(out, s.Title)
	}
	return out
}

func TestRead_whatIsAStep(t *testing.T) {
	for name, c := range map[string]struct {
		text   string
		titles []string
		ticked int
	}{
		"boxes":             {"# T\n- [ ] one\n- [x] two\n", []string{"one", "two"}, 1},
		"boxes beat others": {"# T\n1. not this\n2. nor this\n\n- [ ] one\n", []string{"one"}, 0},
		"numbers":           {"# T\n1. one\n2) two is a list of its own\n", []string{"one", "two is a list of its own"}, 0},
		"bullets":           {"# T\n• one\n• two\n", []string{"one", "two"}, 0},
		"bullets, indented": {"Intro\n\n  ● one\n  ● two\n", []string{"one", "two"}, 0},
		"task headings":     {"# T\n### Task 1: first\ntext\n### Task 2: second\n", []string{"first", "second"}, 0},
		"tasks with boxes":  {"# T\n### Task 1: first\n- [ ] **Step 1: write**\n- [ ] **Step 2: run**\n", []string{"write", "run"}, 0},
		"steps of a task":   {"# T\n### Task 1: first\n\n**Step 1: write**\n\ntext\n\n**Step 2: run**\n\n### Task 2: second\n#### Step 1: write\n", []string{"first", "second"}, 0},
		"steps alone":       {"# T\n\n**Step 1: write**\n\ntext\n\n**Step 2: run**\n", []string{"write", "run"}, 0},
		"boxes in a number": {"# T\n1. group\n   - [x] one\n   - [ ] two\n", []string{"one", "two"}, 1},
		"boxes in a box":    {"# T\n- [ ] one\n  - [x] part of it\n", []string{"one"}, 0},
		"a sentence more":   {"- [ ] Do it. Then tell everybody about it.\n", []string{"Do it"}, 0},
		"marks":             {"1. **Step 1: `a.go` gets a _method_**\n", []string{"`a.go` gets a method"}, 0},
	} {
		d := draft(t, c.text)
		if !slices.Equal(titles(d), c.titles) || d.Ticked() != c.ticked {
			t.Errorf("%s: %q, %d ticked; want %q, %d", name, titles(d), d.Ticked(), c.titles, c.ticked)
		}
		completed(t, d)
	}
}

func TestRead_nothing(t *testing.T) {
	for _, text := range []string{"", "Just prose.\n\nMore of it.\n", "# A heading\n", "```sh\nmake\n```\n"} {
		if d, err := Read("x", []byte(text)); err == nil {
			t.Errorf("%q gives %q", text, titles(d))
		}
	}
}

// A ticked box is a note and nothing else: no certificate, no field, no check.
func TestRead_tickedIsANote(t *testing.T) {
	d := draft(t, "- [x] one\n- [ ] two\n")
	p := completed(t, d)
	if !strings.Contains(p.Steps[0].Brief, "this is ticked in notes.md. Nothing is certified by that") || strings.Contains(p.Steps[1].Brief, "ticked") {
		t.Errorf("briefs %q, %q", p.Steps[0].Brief, p.Steps[1].Brief)
	}
	if d.Unchecked() != 2 {
		t.Errorf("%d without a check, want 2", d.Unchecked())
	}
}

func TestRead_files(t *testing.T) {
	for text, want := range map[string][]string{
		"- [ ] one\n\nFiles:\n\n- Create `src/a.go`\n- Modify: src/b.go:10-20, lib/\n":          {"src/a.go", "src/b.go", "lib/"},
		"### Task 1: t\n\n**Files:**\n- Test: tests/x_test.py\n\n- [ ] one\n- [ ] two\n":        {"tests/x_test.py"},
		"- [ ] change `cmd/app` and README.md, see https://x.org/a/b.html\n":                    {"cmd/app", "README.md"},
		"- [ ] and/or 1/2 e.g. i.e. v1.2 foo.bar() $HOME/x.go /etc/x.conf ../up.go .git/x.go\n": nil,
		"- [ ] run `go test ./pkg/x` and edit pkg/x/y.go\n":                                     {"pkg/x/y.go"},
		"- [ ] touch \"docs/**\" and `*.md`\n":                                                  {"docs/**", "*.md"},
	} {
		d := draft(t, text)
		if got := d.Steps[0].Files; !slices.Equal(got, want) {
			t.Errorf("%q touches %q, want %q", text, got, want)
		}
		p := completed(t, d)
		if want == nil && !slices.Equal(p.Steps[0].Touches, []string{"**"}) {
			t.Errorf("%q: a step that names no file touches %q", text, p.Steps[0].Touches)
		}
	}
}

func TestRead_checks(t *testing.T) {
	for text, want := range map[string][]string{
		"- [ ] one\n\n  ```bash\n  go test ./x\n  git commit -m x\n  npm install\n  make check\n  ```\n": {"go test ./x", "make check"},
		"- [ ] one\n\n```go\ngo func() {}()\n```\n":                                                      nil,
		"- [ ] one\n\n```console\n$ go vet ./x\nsome output\n$ cd x\n```\n":                              {"go vet ./x"},
		"- [ ] one\n\n```\ngo test ./x\n```\n":                                                           {"go test ./x"},
		"- [ ] one\n\n```\nthis is no command\n```\n":                                                    nil,
		"- [ ] one. Run: `pytest tests/x.py -v` Expected: PASS\n":                                        {"pytest tests/x.py -v"},
		"- [ ] one\n\nRun `git push` and then look.\n":                                                   nil,
		"- [ ] one\n\ncargo test --locked \\\n  --test x\ncargo clippy -- -D warnings\n":                 {"cargo test --locked --test x", "cargo clippy -- -D warnings"},
		"- [ ] one\n\nmake sure that it is right.\n":                                                     nil,
		"- [ ] one\n\n```sh\nRUST_LOG=1 cargo test x\n# a comment\n./scripts/check.sh\n```\n":            {"RUST_LOG=1 cargo test x", "./scripts/check.sh"},
	} {
		if got := draft(t, text).Steps[0].Checks; !slices.Equal(got, want) {
			t.Errorf("%q is checked by %q, want %q", text, got, want)
		}
	}
}

// What stands around a step goes into its brief, other sections do not.
func TestRead_briefs(t *testing.T) {
	d := draft(t, "# Title of the plan\n\nBefore.\n\n## Task 1: first\n\nAbout the task.\n\n- [ ] one\n\nDetails.\n\n```go\nx := 1\n```\n\n- [ ] two\n\n## Notes\n\nAfter.\n")
	if d.Title != "Title of the plan" || !slices.Contains(d.Intro, "Before.") {
		t.Errorf("title %q, intro %q", d.Title, d.Intro)
	}
	one, two := d.Steps[0].Brief, d.Steps[1].Brief
	for _, want := range []string{"About the task.", "Details.", "```go\nx := 1\n```"} {
		if !strings.Contains(one, want) {
			t.Errorf("the first brief lacks %q: %q", want, one)
		}
	}
	if strings.Contains(one+two, "After.") || d.Rest == 0 {
		t.Errorf("another section is in a brief, or not told: %q %q", one, two)
	}
}

// The text that people really have: a plan copied out of a page, its Markdown
// half gone.
func TestRead_runnerLogRecovery(t *testing.T) {
	text, err := os.ReadFile("testdata/runner-log-recovery.txt")
	if err != nil {
		t.Fatal(err)
	}
	d := draft(t, string(text))
	if d.Title != "Runner log recovery implementation plan" || len(d.Steps) != 6 || d.Ticked() != 6 {
		t.Fatalf("title %q, %q, %d ticked", d.Title, titles(d), d.Ticked())
	}
	if _, err := plan.Parse("plan.yaml", d.YAML()); len(plan.Problems(err)) != d.Unchecked() || d.Unchecked() == 0 {
		t.Errorf("%d checks are missing, the plan is refused for %v", d.Unchecked(), err)
	}
	p := completed(t, d)
	if !slices.Contains(p.Steps[0].Touches, "src/runner_log.rs") || !slices.Contains(p.Steps[5].Touches, "src/runner_log.rs") {
		t.Errorf("the task's files are not every step's: %q, %q", p.Steps[0].Touches, p.Steps[5].Touches)
	}
	if len(p.Steps[0].Check) != 3 || !strings.HasPrefix(p.Steps[0].Check[0].Run, "cargo test --locked --offline") {
		t.Errorf("checks of the first step: %v", p.Steps[0].Check)
	}
	for _, s := range p.Steps {
		if !strings.Contains(s.Brief, "Nothing is certified") {
			t.Errorf("step %s does not say that it was ticked: %q", s.ID, s.Brief)
		}
	}
}

func TestIssue(t *testing.T) {
	for name, c := range map[string]struct{ text, item, wantTitle, wantItem string }{
		"gh as JSON":      {`{"number":15,"title":"Fix \u001b it","body":"In a/b.go.\n"}`, "", "Fix it", "15"},
		"glab as JSON":    {`{"iid":7,"title":"Fix it","description":"In a/b.go."}`, "", "Fix it", "7"},
		"gh as text":      {"title:\tFix it\nstate:\tOPEN\nnumber:\t15\n--\nIn a/b.go.\n", "", "Fix it", "15"},
		"Markdown":        {"# Fix it\n\nIn a/b.go.\n", "", "Fix it", ""},
		"the key is said": {"# Fix it\n\nIn a/b.go.\n", "ABC-3", "Fix it", "ABC-3"},
	} {
		d, err := Issue("issue", []byte(c.text), c.item)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if d.Title != c.wantTitle || d.Item != c.wantItem || len(d.Steps) != 1 || !slices.Equal(d.Steps[0].Files, []string{"a/b.go"}) {
			t.Errorf("%s: %+v", name, d)
		}
		if p := completed(t, d); p.Steps[0].Item != c.wantItem {
			t.Errorf("%s: item %q", name, p.Steps[0].Item)
		}
	}
	d, err := Issue("issue", []byte(`{"number":15,"title":"T","body":"- [ ] one\n- [ ] two\n"}`), "")
	if err != nil || len(d.Steps) != 2 || completed(t, d).Steps[1].Item != "15" {
		t.Errorf("boxes of an issue: %+v, %v", d, err)
	}
}

// Whatever the text, what comes out is YAML that only lacks checks.
func FuzzRead(f *testing.F) {
	for _, text := range []string{"- [x] a\n", "1. a: b\n   ```sh\n   make\n   ```\n", "• \x1b[31m\u202e x/y.go\n", "### Task 1: \"q\" # c\n\n  lead\n\ttab\n", "- [ ] ---\n- [ ] : {a}\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := Read("f", []byte(text))
		if err != nil {
			return
		}
		out := strings.ReplaceAll(string(d.YAML()), "check: []", "check: [test -e x]")
		if p, err := plan.Parse("p", []byte(out)); err != nil {
			t.Errorf("%v in\n%s", err, out)
		} else if len(p.Steps) != len(d.Steps) {
			t.Errorf("%d steps of %d", len(p.Steps), len(d.Steps))
		}
	})
}
