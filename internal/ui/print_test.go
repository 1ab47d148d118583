package ui

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestWriteJSON_unsafe(t *testing.T) {
	var out strings.Builder
	v := struct {
		Run   string `json:"run"`
		Title string `json:"title"`
	}{"r1", "a<b & c\u009b\u202e\U000e0041\x1b\xff👍"}
	if err := WriteJSON(&out, v); err != nil {
		t.Fatal(err)
	}
	want := `{"run":"r1","title":"a<b & c\u009b\u202e\udb40\udc41\u001b\ufffd👍"}` + "\n"
	if out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

// One unsafe character anywhere is enough, whatever its place.
func TestEscapeJSON_eachPlace(t *testing.T) {
	for raw, want := range map[string]string{"\x7f": `\u007f`, "\u009b": `\u009b`, "é": "é"} {
		for n := range 20 {
			before, after := strings.Repeat("a", n), strings.Repeat("z", 19-n)
			if got := string(escapeJSON([]byte(before + raw + after))); got != before+want+after {
				t.Errorf("%q behind %d: %q", raw, n, got)
			}
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
