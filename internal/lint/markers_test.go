package lint

import (
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/pkg/landing"
)

var (
	template = regexp.MustCompile(`(?m)^orchestrate: .*$`)
	sample   = strings.NewReplacer("<sha>", strings.Repeat("0123456789", 4), "<branch>", "main", "<run>", "r-1", "#<n>", "#7", "<pr>", "7")
)

// TestDocs_markerTemplatesAreMarkers: every template of a marker in a document,
// filled in, is what the parser reads and the formatter writes; both verbs are
// documented where markers are.
func TestDocs_markerTemplatesAreMarkers(t *testing.T) {
	names := markdown(t)
	for _, pattern := range []string{"man/*.[1-9]", "internal/manual/prose/*.md", "contrib/*/*.md", "contrib/*/*.sh"} {
		found, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			if rel, err := filepath.Rel(root, f); err == nil && filepath.Ext(f) != "" {
				names = append(names, filepath.ToSlash(rel))
			}
		}
	}
	verbs := map[string]map[landing.Verb]bool{}
	for _, name := range names {
		for _, line := range template.FindAllString(roff(document(t, name)), -1) {
			if !strings.Contains(line, "<") {
				continue
			}
			filled := sample.Replace(line)
			m, ok := landing.ParseMarker(filled)
			if !ok {
				t.Errorf("%s: the parser takes %q for no marker", name, filled)
				continue
			}
			if back, err := landing.FormatMarker(m); err != nil || back != filled {
				t.Errorf("%s: %q is written as %q, %v", name, filled, back, err)
			}
			if verbs[name] == nil {
				verbs[name] = map[landing.Verb]bool{}
			}
			verbs[name][m.Verb] = true
		}
	}
	for _, name := range []string{"docs/landing.md", "docs/recovery.md", "man/gitagent-recovery.7"} {
		if len(verbs[name]) != 2 {
			t.Errorf("%s documents %s forms of a marker, want both", name, strconv.Itoa(len(verbs[name])))
		}
	}
}

// TestDocs_recoverySaysTheProtocol: the statements that keep a person from a
// silent run of everything again are there, in the page and in the manual.
func TestDocs_recoverySaysTheProtocol(t *testing.T) {
	for _, name := range []string{"docs/recovery.md", "man/gitagent-recovery.7"} {
		text := strings.Join(strings.Fields(roff(document(t, name))), " ")
		for _, want := range []string{"valid in that session only", "already-landed", "landed-marker-stale", "already-open", "never rebuilt", "git agent resume", "git agent preflight --item", "unknown"} {
			if !regexp.MustCompile(want).MatchString(text) {
				t.Errorf("%s does not say %q", name, want)
			}
		}
	}
}
