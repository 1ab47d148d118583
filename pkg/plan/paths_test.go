package plan_test

import (
	"strings"
	"testing"

	"github.com/git-agent/git-agent/pkg/plan"
	"pgregory.net/rapid"
)

func compile(t testing.TB, patterns ...string) plan.Paths {
	t.Helper()
	p, err := plan.CompilePaths(patterns)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPaths_Below(t *testing.T) {
	for patterns, want := range map[string]string{
		"a/b c/ d/**": "a/b c d", "a/*/c a/[b]/x?": "a a/[b]", "a *.go": "", "**": "", "": "",
	} {
		if got := strings.Join(compile(t, strings.Fields(patterns)...).Below(), " "); got != want {
			t.Errorf("%q: %q, want %q", patterns, got, want)
		}
	}
}

func TestPaths_Match(t *testing.T) {
	for _, test := range []struct{ pattern, yes, no string }{
		{"go.mod", "go.mod go.mod/x", "go.mo go.modx a/go.mod go"},
		{"a/b", "a/b a/b/c a/b/c/d", "a a/bc a/b.go x/a/b"},
		{"a/", "a/b a/b/c a/.x", "a ab a.go x/a/b"},
		{"**", "a a/b .x", ""},
		{"**/", "a/b a/b/c", "a"},
		{"a*/**", "a/b ab/c/d", "a ab"},
		{"**/**/", "a/b a/b/c", "a"},
		{"*/**/", "a/b/c", "a a/b"},
		{"**/a/", "a/b x/a/b/c", "a x/a ab/c"},
		{"*", "a .x a.go", "a/b"},
		{"*/", "a/b a/b/c", "a"},
		{"a/*", "a/b a/.b", "a a/b/c"},
		{"a/*/", "a/b/c a/b/c/d", "a/b a"},
		{"a/**", "a/b a/b/c", "a ab x/a/b"},
		{"a/**/", "a/b/c a/b/c/d", "a a/b"},
		{"a/**/b", "a/b a/x/b a/x/y/b", "a/xb a/b/c ab"},
		{"**/b", "b a/b a/c/b", "ab b/c"},
		{"**/*.go", "x.go a/x.go a/b/.go", "x.gox go"},
		{"a?c", "abc aäc a.c", "ac a/c abbc"},
		{"*.md", "a.md .md", "a/b.md a.mdx"},
		{"app/[id]/page.tsx", "app/[id]/page.tsx", "app/i/page.tsx app/d/page.tsx"},
		{"app/[id]/**", "app/[id]/x app/[id]/a/b", "app/i/x"},
		{"app/[...slug]/*.tsx", "app/[...slug]/a.tsx", "app/s/a.tsx"},
		{"{{name}}/*", "{{name}}/x", "name/x"},
		{"A", "A", "a"},
	} {
		p := compile(t, test.pattern)
		for path := range strings.FieldsSeq(test.yes) {
			if !p.Match(path) {
				t.Errorf("%q does not match %q", test.pattern, path)
			}
		}
		for path := range strings.FieldsSeq(test.no) {
			if p.Match(path) {
				t.Errorf("%q matches %q", test.pattern, path)
			}
		}
	}
}

func TestPaths_Exact(t *testing.T) {
	p := compile(t, "a", "b/", "c/**", "d*", "[x]")
	for path, want := range map[string]bool{"a": true, "[x]": true, "a/x": false, "b": false, "b/x": false, "c": false, "d*": false, "d": false} {
		if p.Exact(path) != want {
			t.Errorf("Exact(%q) is %v", path, !want)
		}
	}
}

func TestCompilePaths_namesEveryRefusedEntry(t *testing.T) {
	refused := map[string]string{
		"":                         "is empty",
		"/etc":                     "is absolute",
		"C:/x":                     "is absolute",
		"/":                        "is absolute",
		"..":                       `goes up by ".."`,
		"a/../b":                   `goes up by ".."`,
		"./a":                      `has a "." component`,
		"a/.":                      `has a "." component`,
		"a//b":                     "has two slashes in a row",
		"a//":                      "has two slashes in a row",
		"-rf":                      `begins with "-"`,
		":(glob)x":                 `begins with ":"`,
		".git":                     "reaches into .git",
		"a/.GiT/config":            "reaches into .git",
		".git /x":                  "reaches into .git",
		".git./x":                  "reaches into .git",
		"GIT~1/x":                  "reaches into .git",
		".g\u200cit/x":             "reaches into .git",
		".git::$INDEX_ALLOCATION/": "reaches into .git",
		"a\nb":                     "holds a control character",
		"a\x7f":                    "holds a control character",
		`a\b`:                      "holds a backslash",
		"a**":                      "has ** beside other characters",
		"a/**b/c":                  "has ** beside other characters",
		"***":                      "has ** beside other characters",
		"[a-z].go":                 "looks like a character class",
		"[!a]":                     "looks like a character class",
		"{a,b}/c":                  "looks like alternatives",
		strings.Repeat("a", 4097):  "is longer than 4096 bytes",
	}
	var all []string
	for pattern, want := range refused {
		all = append(all, pattern)
		if _, err := plan.CompilePaths([]string{"ok", pattern}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", pattern, err, want)
		}
	}
	_, err := plan.CompilePaths(all)
	if lines := strings.Split(err.Error(), "\n"); len(lines) != len(all) {
		t.Errorf("%d lines for %d refused entries", len(lines), len(all))
	}
	compile(t, ".gitignore", ".github/workflows/", "x.git/y", "a:b", "a-b", "a..b", "...", "**/*", "ä", "[user-id]/x")
}

// smallPath draws from so few names that patterns and paths meet often.
func smallPath() *rapid.Generator[string] {
	part := rapid.SampledFrom([]string{"a", "b", "ab", "a.go", "[i]", ".x"})
	return rapid.Map(rapid.SliceOfN(part, 1, 4), func(parts []string) string { return strings.Join(parts, "/") })
}

func smallPattern() *rapid.Generator[string] {
	part := rapid.SampledFrom([]string{"a", "b", "ab", "a.go", "[i]", ".x", "*", "**", "?", "a*", "*.go", "*b"})
	return rapid.Custom(func(t *rapid.T) string {
		text := strings.Join(rapid.SliceOfN(part, 1, 4).Draw(t, "parts"), "/")
		if rapid.Bool().Draw(t, "folder") {
			text += "/"
		}
		return text
	})
}

func TestPaths_Touches_isMatchOfAny(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		patterns := rapid.SliceOfN(smallPattern(), 0, 3).Draw(t, "patterns")
		p, err := plan.CompilePaths(patterns)
		if err != nil {
			t.Fatal(err)
		}
		var set plan.PathSet
		want := false
		for _, path := range rapid.SliceOfN(smallPath(), 0, 8).Draw(t, "paths") {
			set.Add(path)
			want = want || p.Match(path)
		}
		if got := p.Touches(&set); got != want {
			t.Fatalf("Touches is %v, Match of any is %v", got, want)
		}
	})
}

// TestPaths_Match_isItsMeaning compares with the plainest reading of the
// grammar, written without any shortcut.
func TestPaths_Match_isItsMeaning(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pattern, path := smallPattern().Draw(t, "pattern"), smallPath().Draw(t, "path")
		p, err := plan.CompilePaths([]string{pattern})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := p.Match(path), means(pattern, path); got != want {
			t.Fatalf("%q matches %q: %v, want %v", pattern, path, got, want)
		}
	})
}

func means(pattern, path string) bool {
	dir, isDir := strings.CutSuffix(pattern, "/")
	parts, names := strings.Split(dir, "/"), strings.Split(path, "/")
	if isDir || !strings.ContainsAny(pattern, "*?") { // something below a folder that matches
		for n := 1; n < len(names); n++ {
			if meansParts(parts, names[:n]) {
				return true
			}
		}
	}
	return !isDir && meansParts(parts, names)
}

func meansParts(parts, names []string) bool {
	switch {
	case len(parts) == 0:
		return len(names) == 0
	case parts[0] == "**" && len(parts) == 1:
		return len(names) > 0
	case parts[0] == "**":
		return meansParts(parts[1:], names) || len(names) > 0 && meansParts(parts, names[1:])
	case len(names) == 0:
		return false
	}
	return meansName(parts[0], names[0]) && meansParts(parts[1:], names[1:])
}

func meansName(part, name string) bool {
	switch {
	case part == "":
		return name == ""
	case part[0] == '*':
		return meansName(part[1:], name) || name != "" && meansName(part, name[1:])
	}
	return name != "" && (part[0] == '?' || part[0] == name[0]) && meansName(part[1:], name[1:])
}
