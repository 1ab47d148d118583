package lint

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/trailers"
)

var root = filepath.Join("..", "..")

func document(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// roff is the text of a man page, as a reader sees its words.
func roff(text string) string {
	return strings.NewReplacer(`\-`, "-", `\&`, "", `\fB`, "", `\fI`, "", `\fR`, "", `\e`, `\`).Replace(text)
}

var (
	fence = regexp.MustCompile("(?ms)^```([a-z]*)\n(.*?)^```$")
	link  = regexp.MustCompile(`\]\(([^)#:]+)\)`)
)

// TestDocs_linksLeadSomewhere holds for files of this project; what is outside
// needs a network.
func TestDocs_linksLeadSomewhere(t *testing.T) {
	for _, name := range markdown(t) {
		for _, m := range link.FindAllStringSubmatch(document(t, name), -1) {
			if _, err := os.Stat(filepath.Join(root, filepath.Dir(name), m[1])); err != nil {
				t.Errorf("%s links to %s: %v", name, m[1], err)
			}
		}
	}
}

func markdown(t *testing.T) []string {
	t.Helper()
	names := []string{"README.md", "CONTRIBUTING.md", "CHANGELOG.md"}
	found, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil || len(found) == 0 {
		t.Fatalf("docs/*.md: %d found, %v", len(found), err)
	}
	for _, f := range found {
		names = append(names, "docs/"+filepath.Base(f))
	}
	return names
}

// TestDocs_planExamplesAreValid: a block is a whole plan, some keys of one, or
// some steps.
func TestDocs_planExamplesAreValid(t *testing.T) {
	const step = "steps: [{id: x, title: x, touches: [x], check: x}]\n"
	valid := 0
	for _, name := range []string{"docs/plan.md", "README.md"} {
		for _, m := range fence.FindAllStringSubmatch(document(t, name), -1) {
			text := m[2]
			switch {
			case m[1] != "yaml":
				continue
			case strings.HasPrefix(text, "- id:"):
				text = "title: x\nsteps:\n" + text
			case strings.HasPrefix(text, "steps:"):
				text = "title: x\n" + text
			case !strings.Contains(text, "steps:"):
				text += step
			}
			if _, err := plan.Parse(name, []byte(text)); err != nil {
				t.Errorf("%v in\n%s", err, text)
			}
			valid++
		}
	}
	if valid < 5 {
		t.Errorf("found %d examples", valid)
	}
}

func TestDocs_everyPlanKey(t *testing.T) {
	var schema struct {
		Properties map[string]any `json:"properties"`
		Defs       map[string]struct {
			Properties map[string]any `json:"properties"`
		} `json:"$defs"`
	}
	if err := json.Unmarshal(plan.Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	text, page := document(t, "docs/plan.md"), roff(document(t, "man/git-agent-plan.5"))
	for _, properties := range []map[string]any{schema.Properties, schema.Defs["step"].Properties} {
		for key := range properties {
			if key != "steps" && !strings.Contains(text, "**`"+key+"`**") {
				t.Errorf("docs/plan.md does not explain %q", key)
			}
			if !strings.Contains(page, "\n.B "+key+"\n") {
				t.Errorf("git-agent-plan.5 does not explain %q", key)
			}
		}
	}
	for key := range schema.Defs["check"].Properties {
		if !strings.Contains(text, "`"+key+"`") || !strings.Contains(page, key) {
			t.Errorf("the key %q of a check is not explained", key)
		}
	}
}

func TestDocs_everyTrailer(t *testing.T) {
	var source strings.Builder
	for _, f := range sources(t, root) {
		if !f.isTest() && withinAny(f.name, []string{"pkg/plan", "pkg/trailers"}) {
			source.WriteString(document(t, f.name))
		}
	}
	keys := regexp.MustCompile(`= "(Agent-[A-Za-z-]+)"`).FindAllStringSubmatch(source.String(), -1)
	if len(keys) < 17 {
		t.Fatalf("found %d keys in pkg/trailers and pkg/plan", len(keys))
	}
	text, page := document(t, "docs/trailers.md"), roff(document(t, "man/git-agent-trailers.5"))
	for _, k := range keys {
		if !strings.Contains(text, "`"+k[1]+"`") || !regexp.MustCompile(k[1]+`[^\w-]`).MatchString(page) {
			t.Errorf("%s is not explained", k[1])
		}
	}
	example := fence.FindStringSubmatch(text)
	if r := trailers.Read(example[2]); r.Kind != trailers.Certificate {
		t.Errorf("the example of docs/trailers.md reads as %v: %v", r.Kind, r.Faults)
	}
}

// codes are the frozen words that errors have, in the source.
var codes = regexp.MustCompile(`(?:fail|failf|refuse)\("([A-Z_]+)", Exit|Code: "([A-Z_]+)", Exit|Err[A-Za-z]+, "([A-Z_]+)", run\.Exit`)

func TestDocs_everyErrorCode(t *testing.T) {
	text := document(t, "docs/exit-codes.md")
	found := 0
	for _, f := range sources(t, root) {
		if f.isTest() {
			continue
		}
		for _, m := range codes.FindAllStringSubmatch(document(t, f.name), -1) {
			found++
			if code := m[1] + m[2] + m[3]; !strings.Contains(text, "`"+code+"`") {
				t.Errorf("%s: docs/exit-codes.md does not list %s", f.name, code)
			}
		}
	}
	if found < 40 {
		t.Errorf("found %d codes: the pattern is out of date", found)
	}
}

// TestDocs_sectionsResolve: "the design, section N" names a heading.
func TestDocs_sectionsResolve(t *testing.T) {
	design := document(t, "docs/design.md")
	section := regexp.MustCompile(`the design,(?:\s|//)+sections? ([0-9]+)(?: and ([0-9]+))?`)
	found := 0
	for _, f := range sources(t, root) {
		for _, m := range section.FindAllStringSubmatch(document(t, f.name), -1) {
			for _, n := range m[1:] {
				found++
				if n != "" && !strings.Contains(design, "\n## "+n+". ") {
					t.Errorf("%s: docs/design.md has no section %s", f.name, n)
				}
			}
		}
	}
	if found < 20 {
		t.Errorf("found %d references", found)
	}
}

// TestDocs_architectureNamesWhatIsThere: files exist, and functions named behind
// a file are in it.
func TestDocs_architectureNamesWhatIsThere(t *testing.T) {
	text := document(t, "docs/architecture.md")
	named := regexp.MustCompile("`([a-z/_-]+\\.go)`(?: \\(((?:`[A-Za-z]+`(?:, )?)+)\\))?")
	found := named.FindAllStringSubmatch(text, -1)
	if len(found) < 20 {
		t.Fatalf("found %d files", len(found))
	}
	for _, m := range found {
		path := wherever(m[1])
		if path == "" {
			t.Errorf("there is no %s", m[1])
			continue
		}
		have := functions(t, path)
		for name := range strings.SplitSeq(strings.ReplaceAll(m[2], "`", ""), ", ") {
			if name != "" && !slices.Contains(have, name) {
				t.Errorf("%s has no %s", path, name)
			}
		}
	}
}

// wherever finds a file by its path, or by its name in the folders that the
// page speaks of.
func wherever(name string) string {
	for _, folder := range []string{"", "pkg/run", "internal/cli", "pkg/reconcile"} {
		path := filepath.Join(root, folder, filepath.FromSlash(name))
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	return ""
}

func functions(t *testing.T, path string) []string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, d := range parsed.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			names = append(names, f.Name.Name)
		}
	}
	return names
}

// TestDocs_everyPackage: the map is whole.
func TestDocs_everyPackage(t *testing.T) {
	text := document(t, "docs/architecture.md")
	for _, f := range sources(t, root) {
		if folder := filepath.ToSlash(filepath.Dir(f.name)); !f.isTest() && folder != "." && !strings.Contains(text, "`"+folder+"`") {
			t.Errorf("docs/architecture.md does not name %s", folder)
		}
	}
}
