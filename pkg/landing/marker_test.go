package landing

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const sha = "0123456789abcdef0123456789abcdef01234567"

func TestFormatMarker_exactForms(t *testing.T) {
	for want, m := range map[string]Marker{
		"orchestrate: landed " + sha + " on main, run r-1":                          {Verb: Landed, SHA: sha, Branch: "main", Run: "r-1"},
		"orchestrate: landed " + sha + " on release/1.x, run r-1":                   {Verb: Landed, SHA: sha, Branch: "release/1.x", Run: "r-1"},
		"orchestrate: landed " + strings.Repeat("ab", 32) + " on main, run a.b_c-d": {Verb: Landed, SHA: strings.Repeat("ab", 32), Branch: "main", Run: "a.b_c-d"},
		"orchestrate: opened PR #12, run r-1":                                       {Verb: OpenedPR, PR: 12, Run: "r-1"},
	} {
		got, err := FormatMarker(m)
		if err != nil || got != want {
			t.Errorf("%+v: %q, %v, want %q", m, got, err, want)
		}
		if back, ok := ParseMarker(got); !ok || back != m {
			t.Errorf("%q reads as %+v, %v", got, back, ok)
		}
	}
}

func TestFormatMarker_refuses(t *testing.T) {
	for name, m := range map[string]Marker{
		"no verb":      {SHA: sha, Branch: "main", Run: "r-1"},
		"other verb":   {Verb: "verified", Run: "r-1"},
		"short id":     {Verb: Landed, SHA: sha[:10], Branch: "main", Run: "r-1"},
		"upper case":   {Verb: Landed, SHA: strings.ToUpper(sha), Branch: "main", Run: "r-1"},
		"no branch":    {Verb: Landed, SHA: sha, Run: "r-1"},
		"blank in it":  {Verb: Landed, SHA: sha, Branch: "a b", Run: "r-1"},
		"newline":      {Verb: Landed, SHA: sha, Branch: "a\nb", Run: "r-1"},
		"an option":    {Verb: Landed, SHA: sha, Branch: "-x", Run: "r-1"},
		"no run":       {Verb: Landed, SHA: sha, Branch: "main"},
		"run":          {Verb: Landed, SHA: sha, Branch: "main", Run: "R 1"},
		"no number":    {Verb: OpenedPR, Run: "r-1"},
		"minus one":    {Verb: OpenedPR, PR: -1, Run: "r-1"},
		"run of PR":    {Verb: OpenedPR, PR: 1, Run: "../x"},
		"not UTF-8":    {Verb: Landed, SHA: sha, Branch: "a\xff", Run: "r-1"},
		"wildcard ref": {Verb: Landed, SHA: sha, Branch: "a*", Run: "r-1"},
	} {
		if got, err := FormatMarker(m); err == nil {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestParseMarker_tolerates(t *testing.T) {
	want := Marker{Verb: Landed, SHA: sha, Branch: "main", Run: "r-1"}
	line := "orchestrate: landed " + sha + " on main, run r-1"
	for name, text := range map[string]string{
		"alone":                line,
		"newline":              line + "\n",
		"CRLF":                 line + "\r\nmore\r\n",
		"blanks behind":        line + "  \t",
		"HTML comment above":   "<!-- git-agent -->\n" + line + "\n**Landed** in 0123456",
		"prose above":          "It is done.\n\n" + line,
		"after a broken one":   "orchestrate: landed x on main, run r-1\n" + line,
		"after a fenced other": "```\norchestrate: opened PR #1, run r-1\n```\n" + line,
	} {
		if m, ok := ParseMarker(text); !ok || m != want {
			t.Errorf("%s: %+v, %v", name, m, ok)
		}
	}
	if m, ok := ParseMarker("orchestrate: landed " + sha[:7] + " on main, run r-1"); !ok || m.SHA != sha[:7] {
		t.Errorf("an abbreviated id, as others write it: %+v, %v", m, ok)
	}
}

func TestParseMarker_none(t *testing.T) {
	line := "orchestrate: landed " + sha + " on main, run r-1"
	for name, text := range map[string]string{
		"nothing": "", "blank": " \n", "prose": "we landed " + sha + " on main",
		"quoted": "> " + line, "indented": "    " + line, "in a sentence": "see " + line,
		"something behind": line + " yesterday", "full stop": line + ".", "no run": "orchestrate: landed " + sha + " on main",
		"empty run": "orchestrate: landed " + sha + " on main, run ", "bad run": "orchestrate: landed " + sha + " on main, run R",
		"no branch": "orchestrate: landed " + sha + " on , run r-1", "no id": "orchestrate: landed on main, run r-1",
		"id too short": "orchestrate: landed abcdef on main, run r-1", "id not hex": "orchestrate: landed " + strings.Repeat("g", 40) + " on main, run r-1",
		"upper case": "Orchestrate: landed " + sha + " on main, run r-1", "no blank": "orchestrate:landed " + sha + " on main, run r-1",
		"two blanks": "orchestrate:  landed " + sha + " on main, run r-1", "fenced": "```text\n" + line + "\n```", "fenced, open": "~~~\n" + line,
		"other verb": "orchestrate: verified s01, run r-1", "number": "orchestrate: opened PR #x, run r-1", "zero": "orchestrate: opened PR #0, run r-1",
		"leading zero": "orchestrate: opened PR #07, run r-1", "no hash": "orchestrate: opened PR 7, run r-1", "sign": "orchestrate: opened PR #+7, run r-1",
		"html": "<!-- " + line + " -->",
	} {
		if m, ok := ParseMarker(text); ok {
			t.Errorf("%s: %+v", name, m)
		}
	}
}

func TestMarker_roundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := Marker{Verb: Landed, Run: rapid.StringMatching(`[a-z0-9][a-z0-9_-]{0,20}`).Draw(t, "run"),
			SHA: rapid.StringMatching(`[0-9a-f]{40}`).Draw(t, "sha"), Branch: rapid.StringMatching(`[A-Za-z0-9][A-Za-z0-9/,_.-]{0,20}`).Draw(t, "branch")}
		text, err := FormatMarker(m)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := ParseMarker("prose\n" + text + "\r\n"); !ok || got != m {
			t.Fatalf("%q reads as %+v", text, got)
		}
		value, err := m.Value()
		if got, ok := ParseValue(value); err != nil || !ok || got != m {
			t.Fatalf("%q, %v", value, err)
		}
	})
}

func FuzzParseMarker(f *testing.F) {
	f.Add("orchestrate: landed " + sha + " on main, run r-1\n")
	f.Add("orchestrate: opened PR #12, run r-1")
	f.Add("```\norchestrate: , run , run r")
	f.Fuzz(func(t *testing.T, text string) {
		m, ok := ParseMarker(text)
		if !ok || m.Verb == Landed && len(m.SHA) != 40 && len(m.SHA) != 64 {
			return
		}
		line, err := FormatMarker(m)
		if err != nil || !strings.Contains(text, line) {
			t.Fatalf("%q reads as %+v, which is %q, %v", text, m, line, err)
		}
	})
}
