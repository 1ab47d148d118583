package job

import (
	"encoding/json"
	"slices"
	"testing"
)

// Whatever bytes a path or an argument has, it comes back from JSON as it was.
func TestText_comesBack(t *testing.T) {
	want := Facts{Dir: "/w/caf\xe9", Argv: Texts{"sh", "caf\xe9", "ünïcode", "\ufffd", "\xff\xfe", "a\n\"b\"", "", "\x00\xe9"}}
	data, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got Facts
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if got.Dir != want.Dir || !slices.Equal(got.Argv, want.Argv) {
		t.Errorf("%q %q came back as %q %q", want.Dir, want.Argv, got.Dir, got.Argv)
	}
}

// What an earlier version wrote is read, and what is text is written as it was then.
func TestText_asBefore(t *testing.T) {
	const before = `{"argv":["sh","ünïcode"],"dir":"/w"}`
	var f struct {
		Argv Texts `json:"argv,omitempty"`
		Dir  Text  `json:"dir,omitempty"`
		None Texts `json:"none,omitempty"`
	}
	if err := json.Unmarshal([]byte(before), &f); err != nil {
		t.Fatal(err)
	}
	if now, err := json.Marshal(f); err != nil || string(now) != before {
		t.Errorf("%s is written as %s, %v", before, now, err)
	}
}
