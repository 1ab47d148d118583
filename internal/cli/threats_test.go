package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestThreats_page keeps docs/threats.md honest: each of the seventeen threats has
// a row, every test that it names exists, and each test of a threat is named.
func TestThreats_page(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "threats.md"))
	if err != nil {
		t.Fatal(err)
	}
	exist := append(everyScript(t), goTests(t)...)
	named := map[string][]string{}
	for _, row := range regexp.MustCompile(`(?m)^\| T(\d+) \|.*\|([^|]*)\|$`).FindAllStringSubmatch(string(page), -1) {
		named[row[1]] = backticked(row[2])
		for _, name := range named[row[1]] {
			if !slices.Contains(exist, name) {
				t.Errorf("threat %s names %s, which does not exist", row[1], name)
			}
		}
	}
	for n := 1; n <= 17; n++ {
		if len(named[fmt.Sprint(n)]) == 0 {
			t.Errorf("threat %d has no test", n)
		}
	}
	numbered := regexp.MustCompile(`^(?:threat_|TestThreat)0*(\d+)_`)
	for _, name := range exist {
		m := numbered.FindStringSubmatch(name)
		if m != nil && strings.HasPrefix(name, "threat_") && !slices.Contains(named[m[1]], name) {
			t.Errorf("%s is not named under threat %s", name, m[1])
		}
	}
}

func everyScript(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "script", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for i, file := range files {
		files[i] = strings.TrimSuffix(filepath.Base(file), ".txtar")
	}
	return files
}

// TestThreat16_noSubmoduleIsFetched: the rule by which every script's trace is
// read has commands that reach into submodules among what is forbidden.
func TestThreat16_noSubmoduleIsFetched(t *testing.T) {
	for command, want := range map[string]bool{
		"git fetch --quiet --recurse-submodules origin":           true,
		"git fetch --quiet --no-recurse-submodules origin":        false,
		"git clone -q --recurse-submodules file:///x y":           true,
		"git clone -q --recursive file:///x y":                    true,
		"git clone -q --no-hardlinks --no-checkout /x y":          false,
		"git clone -q --no-checkout /x y":                         true,
		"git submodule update --init":                             true,
		"git push --porcelain --recurse-submodules=on-demand o x": true,
		"git push --porcelain --no-recurse-submodules o x":        false,
	} {
		line := fmt.Sprintf("time=%q level=debug msg=%q err= took=1ms", "now", command)
		if got := len(offences(line)) > 0; got != want {
			t.Errorf("%s: forbidden %v, want %v", command, got, want)
		}
	}
}
