package plan

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// lintCheck is the codes that one check earns, on the first step of two, in a
// tree with a few files.
func lintCheck(t *testing.T, check string) []string {
	t.Helper()
	text := "title: t\nsteps:\n  - id: s01\n    title: a\n    touches: [src/, README.md]\n    check:\n      - " + check +
		"\n  - {id: s02, title: b, touches: [other], check: [test -e other]}\n"
	found, err := Lint("p", []byte(text), LintFacts{Tracked: []string{"README.md", "src/a.go", "lib/b.go", "lib/c.go", "scripts/lint.sh", "go.mod"}})
	if err != nil {
		t.Fatalf("%s: %v", check, err)
	}
	var codes []string
	for _, f := range found {
		codes = append(codes, f.Code)
		if f.Line != 7 || f.Column != 9 || f.Step != "s01" || f.Repair == "" || f.File != "p" {
			t.Errorf("%s: %+v", check, f)
		}
	}
	return codes
}

func TestLint_checks(t *testing.T) {
	for check, want := range map[string]string{
		"grep -q x src/a.go":                            "",
		"test -s README.md":                             "",
		"{run: go test ./src, timeout: 1m}":             "",
		"go test ./src":                                 LintTimeout,
		"{run: go test ./..., timeout: 1m}":             LintFullSuite,
		"{run: go test -run X ./..., timeout: 1m}":      "",
		"{run: cargo test --locked, timeout: 1m}":       LintFullSuite,
		"{run: cargo test --test one, timeout: 1m}":     "",
		"{run: cargo test --target-dir x, timeout: 1m}": LintFullSuite,
		"{run: npm test, timeout: 1m}":                  LintFullSuite,
		"{run: pytest -q, timeout: 1m}":                 LintFullSuite,
		"{run: pytest src/a_test.py, timeout: 1m}":      "",
		"{run: make check, timeout: 1m}":                LintFullSuite,
		"{run: CI=1 ./gradlew test, timeout: 1m}":       LintFullSuite,
		"{run: mvn -Dtest=One test, timeout: 1m}":       "",
		`"true"`:                                LintProvesNothing,
		"exit 0":                                LintProvesNothing,
		"grep -q x src/a.go || true":            LintProvesNothing,
		"grep -q x src/a.go; echo done":         LintProvesNothing,
		"set -e; grep -q x src/a.go; echo done": "",
		"grep -q x src/a.go && echo done":       "",
		"{run: curl -fsS https://example.org, timeout: 1m}":         LintNetwork,
		"{run: curl -fsS http://127.0.0.1:8080/, timeout: 1m}":      "",
		"{run: npm ci && npm run lint, timeout: 1m}":                LintNetwork,
		"{run: git fetch origin, timeout: 1m}":                      LintNetwork,
		"grep -q https://example.org README.md":                     "",
		"{run: sleep 5 && test -e README.md, timeout: 1m}":          LintClock,
		`test "$(date +%Y)" -lt 2100`:                               LintClock + " " + LintTimeout,
		"{run: find src -mtime -1, timeout: 1m}":                    LintClock,
		"cat README.md | grep -q x":                                 LintPipe,
		"echo x | grep -q x":                                        "",
		"{run: bash -o pipefail -c 'x README.md | y', timeout: 1m}": "",
		"grep -q x lib/b.go":                                        LintUndeclared,
		"{run: ./scripts/lint.sh, timeout: 1m}":                     LintUndeclared,
		"{run: go vet ./lib/..., timeout: 1m}":                      LintUndeclared,
		"{run: go vet ./src/..., timeout: 1m}":                      "",
		"{run: b.go, dir: lib, timeout: 1m}":                        "",
		"{run: cat b.go, dir: lib, timeout: 1m}":                    LintUndeclared,
		"{run: x --config=go.mod, timeout: 1m}":                     LintUndeclared,
		"grep -q lib/b.go README.md":                                "", // a pattern
		"test ! -e nowhere/at/all":                                  "",
	} {
		if got := strings.Join(lintCheck(t, check), " "); got != want {
			t.Errorf("%s: %q, want %q", check, got, want)
		}
	}
}

func TestLint_lastStepMayRunAll(t *testing.T) {
	text := "title: t\nsteps: [{id: s01, title: a, touches: [x], check: [{run: go test ./..., timeout: 1m}]}]\n"
	if found, err := Lint("p", []byte(text), LintFacts{}); err != nil || len(found) > 0 {
		t.Errorf("%v %v", found, err)
	}
}

func TestLint_sharedTouches(t *testing.T) {
	tracked := []string{"a/b/c.go", "a/d.go", "x.md"}
	for _, c := range []struct {
		first, second, until string
		shared               bool
	}{
		{"a/d.go", "a/d.go", "", true},
		{"a/d.go", "a/e.go", "", false},
		{"a/", "a/d.go", "", true},
		{"a", "a/b/", "", true},
		{"a/", "b/", "", false},
		{`"a/**"`, "a/new.go", "", true},
		{`"**/*.go"`, "a/d.go", "", true},
		{`"**/*.md"`, "a/d.go", "", false},
		{`"**/*.go"`, "a/", "", true},
		{`"a/*.go"`, `"a/d.*"`, "", true},
		{`"a/*.go"`, `"a/*.md"`, "", false},
		{"a/d.go", "a/d.go", "s02", false},
	} {
		until := ""
		if c.until != "" {
			until = ", until: " + c.until
		}
		text := fmt.Sprintf("title: t\nsteps:\n  - {id: s01, title: a, touches: [%s], check: test -e x%s}\n  - {id: s02, title: b, touches: [%s], check: test -e y}\n", c.first, until, c.second)
		found, err := Lint("p", []byte(text), LintFacts{Tracked: tracked})
		if err != nil {
			t.Fatal(err)
		}
		shared := slices.ContainsFunc(found, func(f Finding) bool { return f.Code == LintShared && f.Step == "s02" && f.Line == 4 })
		if shared != c.shared {
			t.Errorf("%s and %s: shared is %v, want %v: %v", c.first, c.second, shared, c.shared, found)
		}
	}
}

func TestLint_facts(t *testing.T) {
	text := "title: t\nsteps:\n  - id: s01\n    title: a\n    touches: [x]\n    check:\n      - test -e x\n      - test -e y\n"
	found, err := Lint("p", []byte(text), LintFacts{Passing: map[string][]int{"s01": {1}}, Seen: map[string][]string{"s01": {"lib/**", "go.mod"}}})
	if err != nil || len(found) != 2 {
		t.Fatalf("%v %v", found, err)
	}
	if f := found[1]; f.Code != LintProvesNothing || f.Line != 8 {
		t.Errorf("%+v", f)
	}
	if f := found[0]; f.Code != LintUndeclared || f.Repair != `reads: ["lib/**", go.mod]` {
		t.Errorf("%+v", f)
	}
}

// Without a tree only what looks like a path is taken for one.
func TestLint_withoutATree(t *testing.T) {
	text := "title: t\nsteps: [{id: s01, title: a, touches: [x], check: [test -e x, test -e README, test -e lib/y, grep -q x lib/z]}]\n"
	found, err := Lint("p", []byte(text), LintFacts{})
	if err != nil || len(found) != 2 {
		t.Errorf("%v %v", found, err)
	}
}

// A plan that is not valid is refused with its faults, not judged.
func TestLint_invalid(t *testing.T) {
	if _, err := Lint("p", []byte("title: t\n"), LintFacts{}); len(Problems(err)) == 0 {
		t.Errorf("%v", err)
	}
}

// The plan that people begin with has nothing to find.
func TestLint_template(t *testing.T) {
	if found, err := Lint("p", Template("x", ""), LintFacts{}); err != nil || len(found) > 0 {
		t.Errorf("%v %v", found, err)
	}
}
