package ui

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
)

type report struct {
	Format int    `json:"format"`
	Run    string `json:"run"`
	Title  string `json:"title"`
}

func (r report) Text(s Streams) error {
	_, err := io.WriteString(s.Out, "run "+Escape(r.Run)+"\n")
	return err
}

func TestPrinter_Print(t *testing.T) {
	r := report{1, "r1", "a<b & c\u009b\u202e\U000e0041\x1b\xff👍"}
	for f, want := range map[Format]string{
		Text: "run r1\n",
		JSON: `{"format":1,"run":"r1","title":"a<b & c\u009b\u202e\udb40\udc41\u001b\ufffd👍"}` + "\n",
	} {
		var out strings.Builder
		if err := NewPrinter(Streams{Out: &out}, f).Print(r); err != nil {
			t.Fatal(err)
		}
		if out.String() != want {
			t.Errorf("format %d: %q, want %q", f, out.String(), want)
		}
	}
}

func FuzzWriteJSON(f *testing.F) {
	f.Add("\u009b\u202e\U000e0041\x1b")
	f.Fuzz(func(t *testing.T, s string) {
		var out strings.Builder
		if err := WriteJSON(&out, s); err != nil {
			t.Fatal(err)
		}
		var got string
		if err := json.Unmarshal([]byte(out.String()), &got); err != nil || got != string([]rune(s)) {
			t.Errorf("%q came back as %q, %v", s, got, err)
		}
		if line := strings.TrimSuffix(out.String(), "\n"); Escape(line) != line {
			t.Errorf("unsafe: %q", line)
		}
	})
}
