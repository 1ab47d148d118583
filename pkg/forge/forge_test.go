package forge

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	for _, tt := range []struct {
		name   string
		op     Op
		stdout string
		want   Answer
		says   string // of the error, "" for none
	}{
		{"opened", OpenPR, `{"number":12,"url":"https://f/12"}`, Answer{PRs: []PR{{Number: 12, URL: "https://f/12"}}}, ""},
		{"opened, more fields", OpenPR, ` {"number":12,"more":[1]}` + "\n\n", Answer{PRs: []PR{{Number: 12}}}, ""},
		{"opened, said nothing", OpenPR, "", Answer{}, "names 0 pull requests"},
		{"opened, an error's text", OpenPR, `{"message":"Not Found"}`, Answer{}, "has no number"},
		{"opened twice", OpenPR, `{"number":1}{"number":2}`, Answer{}, "names 2 pull requests"},
		{"opened, number as text", OpenPR, `{"number":"12"}`, Answer{}, "read its answer: json"},
		{"no pull request", ListPRs, "\n", Answer{}, ""},
		{"two pull requests", ListPRs, `{"number":1,"branch":"agent-run/r-1","state":"merged"}` + "\n" + `{"number":2,"closes":true}` + "\n",
			Answer{PRs: []PR{{Number: 1, Branch: "agent-run/r-1", State: Merged}, {Number: 2, Closes: true}}}, ""},
		{"a pull request of no known state", ListPRs, `{"number":1,"state":"locked"}`, Answer{}, `#1 is "locked"`},
		{"a list", ListPRs, `[{"number":1}]`, Answer{}, "read its answer: json"},
		{"closed", ItemState, `{"state":"closed"}`, Answer{State: Closed}, ""},
		{"open", ItemState, `{"state":"open"}`, Answer{State: Open}, ""},
		{"no state", ItemState, `{}`, Answer{}, `the item is ""`},
		{"another's word", ItemState, `{"state":"opened"}`, Answer{}, `the item is "opened"`},
		{"state, said nothing", ItemState, "", Answer{}, `the item is ""`},
		{"no JSON", ItemState, "closed\n", Answer{}, "read its answer: invalid"},
		{"cut", ItemState, `{"state":"closed"`, Answer{}, "read its answer: unexpected EOF"},
		{"commented", Comment, `{"url":"https://f/15#1"}`, Answer{URL: "https://f/15#1"}, ""},
		{"commented, said nothing", Comment, "", Answer{}, ""},
		{"closed, said nothing", CloseIssue, "", Answer{}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Read(tt.op, []byte(tt.stdout))
			if tt.says != "" {
				if err == nil || !strings.Contains(err.Error(), tt.says) {
					t.Errorf("%v, want %q", err, tt.says)
				}
				return
			}
			if err != nil || !reflect.DeepEqual(got, tt.want) {
				t.Errorf("%+v, %v, want %+v", got, err, tt.want)
			}
		})
	}
}

// TestQuestion_twiceTheSame: what is asked on standard input and in the
// environment is the same, field by field.
func TestQuestion_twiceTheSame(t *testing.T) {
	q := Question{Op: OpenPR, Run: "r-1", Remote: "u", Item: "15", Items: []string{"15", "a b"}, Branch: "b", Target: "main", Commit: "c",
		Title: "$(x) \"t\"", Body: "one\ntwo\n", Key: "k", Marker: "m"}
	text, err := q.JSON()
	if err != nil || strings.Count(string(text), "\n") != 1 {
		t.Fatalf("%q, %v", text, err)
	}
	var read map[string]any
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	if read["format"] != 1.0 {
		t.Errorf("format %v", read["format"])
	}
	delete(read, "format")
	read["items"] = "15\na b"
	env := q.Environ()
	for name, value := range read {
		if env["GIT_AGENT_FORGE_"+strings.ToUpper(name)] != value {
			t.Errorf("%s is %q in JSON, %q in the environment", name, value, env["GIT_AGENT_FORGE_"+strings.ToUpper(name)])
		}
	}
	if len(env) != len(read) {
		t.Errorf("%v, want %v", slices.Sorted(maps.Keys(env)), slices.Sorted(maps.Keys(read)))
	}
	if empty := (Question{}).Environ(); len(empty) != len(env) {
		t.Errorf("fields that are empty are missing: %v", empty)
	}
}

func TestBody(t *testing.T) {
	long := strings.Repeat("0123456789ä\n", 6000)
	if got := Body("all\n", "short\n"); got != "all\n" {
		t.Errorf("%q", got)
	}
	if got := Body(long, "short\n"); got != "short\n" {
		t.Errorf("%q", got)
	}
	got := Body(long, long)
	if len(got) > maxBody+4 || !strings.HasSuffix(got, "ä\n…\n") || !strings.HasPrefix(long, strings.TrimSuffix(got, "…\n")) {
		t.Errorf("%d bytes, ends with %q", len(got), got[len(got)-20:])
	}
}
