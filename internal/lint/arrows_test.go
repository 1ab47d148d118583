package lint

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/git-agent/git-agent"

// arrows names, for each folder, what of this module its packages may import;
// the longest folder that fits decides. Packages below a folder are meant too.
// Tests may also use internal/git and what it brings (real git, never mocked), and internal/testkit.
var arrows = map[string][]string{
	"cmd":            {"internal/cli"},
	"internal/cli":   {"internal", "pkg", "man", "contrib/completion"},
	"internal/git":   {"internal/git", "pkg/object"},
	"internal/hooks": {"internal/hooks", "contrib/hooks"},
	"internal/mcp":   {"internal/mcp", "pkg"},
	"internal/setup": {"internal/setup", "contrib/agents"},
	"internal":       {},
	"pkg":            {"pkg"}, // but see notBelow
	"pkg/check":      {"pkg/check", "pkg/object"},
	"pkg/job":        {"pkg/job", "pkg/check", "pkg/journal", "pkg/object"},
	"pkg/forge":      {"pkg/forge"},
	"pkg/journal":    {"pkg/journal", "pkg/object"},
	"pkg/landing":    {"pkg/landing", "pkg/ledger", "pkg/object", "pkg/trailers"},
	"pkg/ledger":     {"pkg/ledger", "pkg/object", "pkg/trailers"},
	"pkg/object":     {},
	"pkg/plan":       {"pkg/plan", "pkg/object", "pkg/trailers"},
	"pkg/reconcile": {
		"pkg/reconcile", "pkg/ledger", "pkg/object", "pkg/plan", "pkg/trailers",
	},
	"pkg/settings": {},
	"pkg/rollback": {"pkg/rollback", "pkg/object", "pkg/stash"},
	"pkg/stash":    {"pkg/stash", "pkg/object"},
	"pkg/trailers": {},

	"internal/report": {"internal/report", "pkg/run"}, // shows what the engine knows
	"internal/soak":   {"internal"},                   // tests only
}

// notBelow are the tops: only their own folder and what is above may import
// them.
var notBelow = map[string][]string{
	"pkg/run":      {"pkg/run", "internal/cli", "internal/mcp", "internal/report", "bench"},
	"internal/cli": {"internal/cli", "internal/soak", "cmd", "bench"}, // soak is tests only, and above it
}

// stdlibOnly are the folders whose packages, tests aside, import the standard
// library and nothing else.
var stdlibOnly = []string{"pkg/trailers", "pkg/object", "pkg/forge"}

// starters are the places that start processes, tests aside.
var starters = []string{"internal/demo", "internal/git", "internal/ui/pager.go", "pkg/check", "pkg/job"}

// file is one Go file: its slash-separated name from the root, its imports.
type file struct {
	name    string
	imports []string
}

func (f file) isTest() bool {
	return strings.HasSuffix(f.name, "_test.go") || within(f.name, "internal/git/gittest") || within(f.name, "internal/testkit")
}

// within reports whether a name is the folder (or file) or lies in it.
func within(name, folder string) bool {
	return name == folder || strings.HasPrefix(name, folder+"/")
}

func withinAny(name string, folders []string) bool {
	return slices.ContainsFunc(folders, func(folder string) bool { return within(name, folder) })
}

// complaint says why the file may not have the import, "" if it may.
func complaint(f file, imported string) string {
	ours, isOurs := strings.CutPrefix(imported, module+"/")
	switch {
	case isOurs && !allowed(f, ours):
		return "the arrows of the design, section 14, do not go there"
	case imported == "os/exec" && !f.isTest() && !withinAny(f.name, starters):
		return "processes start in " + strings.Join(starters, ", ") + " only"
	case imported == "log":
		return "logrus.FieldLogger is handed in"
	case withinAny(f.name, stdlibOnly) && !f.isTest() && strings.Contains(strings.Split(imported, "/")[0], "."):
		return "standard library only"
	}
	return ""
}

func allowed(f file, imported string) bool {
	for top, users := range notBelow {
		if within(imported, top) && !withinAny(f.name, users) {
			return false
		}
	}
	if f.isTest() && (within(imported, "internal/git") || within(imported, "internal/testkit") || within(imported, path.Dir(f.name))) {
		return true
	}
	for folder := path.Dir(f.name); folder != "."; folder = path.Dir(folder) {
		if targets, ok := arrows[folder]; ok {
			return withinAny(imported, targets) || (f.isTest() && within(imported, "pkg"))
		}
	}
	return true // bench, contrib: above everything
}

func TestArrows_wholeTree(t *testing.T) {
	files := sources(t, filepath.Join("..", ".."))
	for _, f := range files {
		for _, imported := range f.imports {
			if why := complaint(f, imported); why != "" {
				t.Errorf("%s imports %q: %s", f.name, imported, why)
			}
		}
	}
	if len(files) < 10 {
		t.Errorf("found only %d files: the walk is broken", len(files))
	}
}

// sources reads every Go file, whatever system it is for.
func sources(t *testing.T, root string) []file {
	t.Helper()
	var files []file
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		hidden := strings.HasPrefix(entry.Name(), ".") && name != root
		if entry.IsDir() && (hidden || entry.Name() == "testdata") {
			return filepath.SkipDir
		}
		if entry.IsDir() || filepath.Ext(name) != ".go" {
			return nil
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		f, err := parse(name, filepath.ToSlash(rel))
		files = append(files, f)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func parse(name, rel string) (file, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return file{}, err
	}
	tree, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
	if err != nil {
		return file{}, err
	}
	f := file{name: rel}
	for _, spec := range tree.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return file{}, err
		}
		f.imports = append(f.imports, imported)
	}
	return f, nil
}

// The rules themselves: what each must refuse and must let through.
func TestArrows_rules(t *testing.T) {
	for _, c := range []struct {
		name, imported string
		ok             bool
	}{
		{"cmd/git-agent/main.go", module + "/internal/cli", true},
		{"cmd/git-agent/main.go", module + "/pkg/run", false},
		{"internal/cli/step.go", module + "/pkg/run", true},
		{"internal/cli/step.go", module + "/internal/ui", true},
		{"internal/cli/step.go", "os/exec", false},
		{"internal/cli/step_test.go", "os/exec", true},
		{"internal/git/ref.go", module + "/pkg/object", true},
		{"internal/git/ref.go", module + "/pkg/plan", false},
		{"internal/git/ref.go", "os/exec", true},
		{"pkg/lease/lease_test.go", module + "/internal/testkit", true},
		{"pkg/lease/lease.go", module + "/internal/testkit", false},
		{"internal/git/gittest/repo.go", module + "/internal/git", true},
		{"internal/gitx/x.go", module + "/pkg/object", false},
		{"internal/ui/pager.go", "os/exec", true},
		{"internal/ui/table.go", "os/exec", false},
		{"internal/ui/table.go", module + "/pkg/object", false},
		{"internal/durable/lock_windows.go", module + "/internal/ui", false},
		{"pkg/run/step.go", module + "/pkg/reconcile", true},
		{"pkg/run/step.go", module + "/internal/git", false},
		{"pkg/run/step_test.go", module + "/internal/git/gittest", true},
		{"pkg/run/step_test.go", module + "/internal/cli", false},
		{"pkg/run/step_test.go", module + "/internal/ui", false},
		{"pkg/reconcile/verdict.go", module + "/pkg/ledger", true},
		{"pkg/reconcile/verdict.go", module + "/pkg/check", false},
		{"pkg/reconcile/verdict_test.go", module + "/pkg/run", false},
		{"pkg/ledger/read.go", module + "/pkg/plan", false},
		{"pkg/preflight/new.go", module + "/pkg/landing", true},
		{"pkg/preflight/new.go", module + "/pkg/run", false},
		{"pkg/object/object.go", module + "/pkg/trailers", false},
		{"pkg/object/object.go", "golang.org/x/sys/unix", false},
		{"pkg/object/object.go", "time", true},
		{"pkg/trailers/parse.go", "pgregory.net/rapid", false},
		{"pkg/trailers/parse_test.go", "pgregory.net/rapid", true},
		{"pkg/trailers/parse_test.go", module + "/internal/git/gittest", true},
		{"pkg/plan/plan.go", "go.yaml.in/yaml/v3", true},
		{"pkg/plan/plan.go", "log", false},
		{"pkg/check/run.go", "os/exec", true},
		{"pkg/check/run.go", module + "/pkg/plan", false},
		{"internal/mcp/serve.go", module + "/pkg/run", true},
		{"internal/mcp/serve.go", module + "/internal/cli", false},
		{"bench/resume_test.go", module + "/pkg/run", true},
	} {
		why := complaint(file{name: c.name}, c.imported)
		if (why == "") != c.ok {
			t.Errorf("%s importing %q: ok = %v, want %v", c.name, c.imported, why == "", c.ok)
		}
	}
}
