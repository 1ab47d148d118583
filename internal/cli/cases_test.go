package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestCases_page keeps docs/cases.md honest: every test that it names exists,
// no number stands there twice, and each script of a number on the page is named
// there. A number without a row belongs to a part that is still being built.
func TestCases_page(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "cases.md"))
	if err != nil {
		t.Fatal(err)
	}
	exist := append(caseScripts(t), goTests(t)...)
	named := map[string][]string{}
	for _, row := range regexp.MustCompile(`(?m)^\| (\d+) \|.*\|([^|]*)\|$`).FindAllStringSubmatch(string(page), -1) {
		number, tests := row[1], backticked(row[2])
		if named[number] != nil {
			t.Errorf("case %s stands on the page twice", number)
		}
		if len(tests) == 0 {
			t.Errorf("case %s names no test", number)
		}
		named[number] = tests
		for _, name := range tests {
			if !slices.Contains(exist, name) {
				t.Errorf("case %s names %s, which does not exist", number, name)
			}
		}
	}
	for _, script := range caseScripts(t) {
		number := caseNumber(script)
		if tests := named[number]; tests != nil && !slices.Contains(tests, script) {
			t.Errorf("%s is not named under %s on the page", script, number)
		}
	}
}

func backticked(cell string) []string {
	var names []string
	for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cell, -1) {
		names = append(names, m[1])
	}
	return names
}

// caseNumber is the number in a script's name, as the page writes it.
func caseNumber(script string) string {
	number, _, _ := strings.Cut(strings.TrimPrefix(script, "case_"), "_")
	return strings.TrimLeft(number, "0")
}

func caseScripts(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "script", "case_*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for i, file := range files {
		files[i] = strings.TrimSuffix(filepath.Base(file), ".txtar")
	}
	return files
}

// goTests lists the test functions of the whole module.
func goTests(t *testing.T) []string {
	t.Helper()
	var names []string
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		source, err := os.ReadFile(path)
		for _, m := range declared.FindAllStringSubmatch(string(source), -1) {
			names = append(names, m[1])
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
