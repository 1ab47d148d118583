package trailers_test

import (
	"strings"
	"testing"

	"github.com/git-agent/git-agent/internal/git/gittest"
	"github.com/git-agent/git-agent/pkg/trailers"
)

func line(key, value string) trailers.Trailer { return trailers.Trailer{Key: key, Value: value} }

func TestFormat_oneBlock(t *testing.T) {
	long := strings.Repeat("a long value ", 1000) + "end"
	got, err := trailers.Format(trailers.Message{
		Subject:  " s05: title ",
		Body:     "\n  first\n\nfix: it\n\n",
		Trailers: []trailers.Trailer{line("Agent-Run", "r"), line("Agent-Note", long)},
	})
	want := "s05: title\n\n  first\n\nfix: it\n\nAgent-Run: r\nAgent-Note: " + long + "\n"
	if err != nil || got != want {
		t.Errorf("got %q, %v\nwant %q", got, err, want)
	}
	if got, err := trailers.Format(trailers.Message{Subject: "T"}); err != nil || got != "T\n" {
		t.Errorf("got %q, %v", got, err)
	}
}

// Every fault is named, one a line, in one refusal.
func TestFormat_refusesAllAtOnce(t *testing.T) {
	_, err := trailers.Format(trailers.Message{
		Subject: "two\nlines",
		Body:    "bell \a\n---\ndiff --git a/x b/x\n--- a/x\nIndex: x\n" + scissorsLine + "\n; " + scissorsLine[2:] + "\n\xff",
		Trailers: []trailers.Trailer{
			line("no key", "v"), line("-Key", "v"), line("", "v"), line("1", "v"), line("Empty", ""),
			line("Blank", " v"), line("Tab", "a\tb"), line("Line", "a\nb"), line("Bytes", "\xfe"),
		},
	})
	if err == nil {
		t.Fatal("accepted")
	}
	for _, want := range []string{
		"the subject holds the control character U+000A",
		"the body is not UTF-8", "the body holds the control character U+0007",
		`line 5, "---": git or git am would cut`, `line 6, "diff --git a/x b/x"`, `line 7, "--- a/x"`, `line 8, "Index: x"`,
		`line 9, "# ---`, `line 10, "; ---`,
		`"no key" is no trailer key`, `"-Key" is no trailer key`, `"" is no trailer key`, `"1" is no trailer key`,
		`the value of "Empty" is empty`, `the value of "Blank" begins or ends with a blank`,
		`the value of "Tab" holds the control character U+0009`, `the value of "Line" holds the control character U+000A`,
		`the value of "Bytes" is not UTF-8`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("missing: %s", want)
		}
	}
	if t.Failed() {
		t.Log(err)
	}
}

const scissorsLine = "# ------------------------ >8 ------------------------"

func TestFormat_refusesOtherBlock(t *testing.T) {
	for _, m := range []trailers.Message{
		{Subject: "T", Body: "fix: it"},
		{Subject: "T", Body: "free\nSigned-off-by: A"},
		{Subject: "  ", Trailers: []trailers.Trailer{line("A", "b")}},
	} {
		if text, err := trailers.Format(m); err == nil {
			t.Errorf("%+v: wrote %q", m, text)
		}
	}
}

func TestEscape_makesBodyFit(t *testing.T) {
	body := "a\r\n---\n--- a/x\ndiff -u a b\nIndex: x\n" + scissorsLine + "\n\x1b[31m\x7f\u0085\ttab\xff"
	want := "a\n ---\n --- a/x\n diff -u a b\n Index: x\n " + scissorsLine + "\n\\x1b[31m\\x7f\\x85\ttab\ufffd"
	got := trailers.Escape(body)
	if got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if _, err := trailers.Format(trailers.Message{Subject: "T", Body: got}); err != nil {
		t.Error(err)
	}
	if plain := "plain\n\n# heading\n  ---\n----\ttab"; trailers.Escape(plain) != plain {
		t.Errorf("changed to %q", trailers.Escape(plain))
	}
}

// A `---` in a value hides nothing, with and without --no-divider, and keys
// match without case.
func TestCase096_Format_dashesInValues(t *testing.T) {
	e := evidence()
	e.Checks[0].Command = "--- a/x && echo --- "
	e.Notes = []string{"---", "diff --git a b"}
	text := format(t, "s05: --- in the title", e)
	r := gittest.New(t)
	want := asGit(trailers.Parse(text).Trailers)
	for _, args := range [][]string{{}, {"--no-divider"}} {
		if got := r.GitIn(text, append([]string{"interpret-trailers", "--parse"}, args...)...); got+"\n" != want {
			t.Errorf("%q: git reads %q, want %q", args, got, want)
		}
	}
	lower := strings.ReplaceAll(text, "Agent-Step:", "agent-step:")
	if got := trailers.Read(lower); got.Kind != trailers.Certificate || got.Evidence.Step != "s05" {
		t.Errorf("lower case: %+v", got)
	}
	if got := trailers.Parse(lower).Values("AGENT-STEP"); len(got) != 1 || got[0] != "s05" {
		t.Errorf("values %q", got)
	}
}

// `#` in subject, body and check survives the configuration that deletes it.
func TestCase097_Format_hashLines(t *testing.T) {
	e := evidence()
	e.Checks[0].Command = "# not a comment"
	block, err := e.Trailers()
	if err != nil {
		t.Fatal(err)
	}
	text, err := trailers.Format(trailers.Message{Subject: "#12 fix", Body: "# heading\n\n#", Trailers: block})
	if err != nil {
		t.Fatal(err)
	}
	r := gittest.NewWithFiles(t, map[string]string{"a": "a\n"})
	for _, setting := range []string{"core.commentChar=auto", "core.commentChar=A"} {
		config := []string{"-c", "commit.cleanup=strip", "-c", setting}
		id := r.GitIn(text, append(config, "commit-tree", "HEAD^{tree}", "-F", "-")...)
		if stored := r.Git("cat-file", "commit", id); !strings.HasSuffix(stored+"\n", "\n\n"+text) {
			t.Errorf("%s: stored %q, want %q", setting, stored, text)
		}
	}
	if got := trailers.Read(text); got.Kind != trailers.Certificate || got.Evidence.Checks[0].Command != "# not a comment" {
		t.Errorf("read %+v", got)
	}
}
