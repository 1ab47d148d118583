package ui

import "testing"

func TestDisplayWidth(t *testing.T) {
	for s, want := range map[string]int{
		"": 0, "abc": 3, "größe": 5, "漢字": 4, "ｆｕｌｌ": 8, "ｶﾅ": 2,
		"e\u0301": 1, "👍": 2, "한글": 4, "✓✗○…": 4, "á": 1, "a\u200db": 2,
	} {
		if got := displayWidth(s); got != want {
			t.Errorf("displayWidth(%q) = %d, want %d", s, got, want)
		}
	}
}

func TestTruncate(t *testing.T) {
	for _, c := range []struct {
		s        string
		limit    int
		ellipsis string
		want     string
	}{
		{"abc", 3, "…", "abc"},
		{"abcd", 3, "…", "ab…"},
		{"abcd", 3, "...", "..."},
		{"abcd", 2, "...", ".."},
		{"abcd", 0, "…", ""},
		{"漢字漢字", 4, "…", "漢…"},
		{"漢字", 4, "…", "漢字"},
		{"e\u0301e\u0301e\u0301", 2, "…", "e\u0301…"},
	} {
		if got := truncate(c.s, c.limit, c.ellipsis); got != c.want {
			t.Errorf("truncate(%q, %d) = %q, want %q", c.s, c.limit, got, c.want)
		}
	}
}
