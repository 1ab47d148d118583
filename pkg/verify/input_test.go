package verify

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

var (
	idA   = strings.Repeat("a", 40)
	idB   = strings.Repeat("b", 40)
	zero  = strings.Repeat("0", 40)
	id256 = strings.Repeat("c", 64)
	zer   = strings.Repeat("0", 64)
)

func TestReadPrePush(t *testing.T) {
	tests := map[string]struct {
		in   string
		want []Update
		bad  bool
	}{
		"empty":           {},
		"blank line":      {in: "\n"},
		"new branch":      {in: "refs/heads/x " + idA + " refs/heads/x " + zero + "\n", want: []Update{{"refs/heads/x", "refs/heads/x", "", idA}}},
		"deleted":         {in: "(delete) " + zero + " refs/heads/x " + idB + "\n", want: []Update{{"(delete)", "refs/heads/x", idB, ""}}},
		"label of words":  {in: "HEAD@{1 day ago} " + idA + " refs/heads/x " + idB + "\n", want: []Update{{"HEAD@{1 day ago}", "refs/heads/x", idB, idA}}},
		"label of a tree": {in: "main^{tree} " + idA + " refs/tags/t " + zero + "\n", want: []Update{{"main^{tree}", "refs/tags/t", "", idA}}},
		"no last newline": {in: "x " + idA + " refs/heads/x " + idB, want: []Update{{"x", "refs/heads/x", idB, idA}}},
		"too short":       {in: idA + " refs/heads/x " + idB + "\n", bad: true},
		"no id":           {in: "x y refs/heads/x " + idB + "\n", bad: true},
		"no full ref":     {in: "x " + idA + " x " + idB + "\n", bad: true},
		"id of odd size":  {in: "x " + idA + "a refs/heads/x " + idB + "\n", bad: true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := ReadPrePush(strings.NewReader(tt.in))
			if (err != nil) != tt.bad || !tt.bad && !reflect.DeepEqual(got, tt.want) {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}

// The zero id has 64 digits in a SHA-256 repository.
func TestCase103_zeroIDOfSHA256(t *testing.T) {
	got, err := ReadPrePush(strings.NewReader("(delete) " + zer + " refs/heads/x " + id256 + "\nx " + id256 + " refs/heads/y " + zer + "\n"))
	want := []Update{{"(delete)", "refs/heads/x", id256, ""}, {"x", "refs/heads/y", "", id256}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestReadPreReceive(t *testing.T) {
	got, err := ReadPreReceive(strings.NewReader(zero + " " + idA + " refs/heads/x\n" + idA + " " + zero + " refs/agent/r-1\n"))
	want := []Update{{"", "refs/heads/x", "", idA}, {"", "refs/agent/r-1", idA, ""}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := ReadPreReceive(strings.NewReader("x " + zero + " " + idA + " refs/heads/x\n")); err == nil {
		t.Error("a line of four words was taken")
	}
}

func TestReadPrePush_manyRefs(t *testing.T) {
	var in strings.Builder
	for i := range 1500 {
		fmt.Fprintf(&in, "refs/heads/b%d %s refs/heads/b%d %s\n", i, idA, i, idB)
	}
	got, err := ReadPrePush(strings.NewReader(in.String()))
	if err != nil || len(got) != 1500 {
		t.Errorf("%d, %v", len(got), err)
	}
}

func TestParsePolicy(t *testing.T) {
	for value, want := range map[string]Policy{"": Format, "format": Format, "strict": Strict} {
		if got, err := ParsePolicy(value); got != want || err != nil {
			t.Errorf("%q: %q, %v", value, got, err)
		}
	}
	if _, err := ParsePolicy("off"); err == nil {
		t.Error("an unknown policy is taken for one")
	}
}
