package jsonc

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
)

var entry = Members{{"command", "x & y"}}

func TestAdd_keepsEveryByte(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"command\": \"x & y\"\n      }\n    ]\n  }\n}\n"},
		{"empty object", "{}", "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"command\": \"x & y\"\n      }\n    ]\n  }\n}"},
		{"tabs and a comment behind the last", "{\n\t\"a\": 1 // one\n}\n",
			"{\n\t\"a\": 1, // one\n\t\"hooks\": {\n\t\t\"Stop\": [\n\t\t\t{\n\t\t\t\t\"command\": \"x & y\"\n\t\t\t}\n\t\t]\n\t}\n}\n"},
		{"trailing comma", "{\n  \"a\": 1, /* b */\n}\n", "{\n  \"a\": 1, /* b */\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"command\": \"x & y\"\n      }\n    ]\n  },\n}\n"},
		{"one line", `{"a": [1, 2]}`, `{"a": [1, 2], "hooks": {"Stop":[{"command":"x & y"}]}}`},
		{"one line and a comment", "{\"a\": 1 // x\n}", "{\"a\": 1, // x\n \"hooks\": {\"Stop\":[{\"command\":\"x & y\"}]}\n}"},
		{"there are others", "{\n  \"hooks\": {\n    \"Stop\": [\n      {\"command\": \"z\"}\n    ]\n  }\n}\n",
			"{\n  \"hooks\": {\n    \"Stop\": [\n      {\"command\": \"z\"},\n      {\n        \"command\": \"x & y\"\n      }\n    ]\n  }\n}\n"},
		{"windows", "{\r\n  \"a\": 1\r\n}\r\n", "{\r\n  \"a\": 1,\r\n  \"hooks\": {\r\n    \"Stop\": [\r\n      {\r\n        \"command\": \"x & y\"\r\n      }\r\n    ]\r\n  }\r\n}\r\n"},
		{"a comment only", "// mine", "// mine\n{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"command\": \"x & y\"\n      }\n    ]\n  }\n}\n"},
	} {
		changes, err := Add([]byte(c.text), []string{"hooks", "Stop"}, entry)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got := string(Apply([]byte(c.text), changes))
		if got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
		if back := string(takeOut([]byte(got), changes)); back != c.text {
			t.Errorf("%s: taken out again it is\n%q\nwant\n%q", c.name, back, c.text)
		}
	}
}

// takeOut is the inverse of changes that only insert.
func takeOut(text []byte, changes []Change) []byte {
	var back []Change
	moved := 0
	for _, c := range changes {
		back = append(back, Change{At: c.At + moved, Cut: len(c.Text)})
		moved += len(c.Text)
	}
	return Apply(text, back)
}

func TestAdd_refuses(t *testing.T) {
	for _, c := range []struct{ text, says string }{
		{`{"hooks": []}`, "hooks is no object"},
		{`{"hooks": {"Stop": {}}}`, "hooks.Stop is no list"},
		{`[1]`, "is no object"},
		{`{"a": 1 "b": 2}`, "1:9: a comma is missing"},
		{"{\"a\":\n  nope}", "2:3: this is no JSON"},
		{`{"a": 1`, "too soon"},
		{`{"a": 1} x`, "behind the document"},
		{`{"a": "x`, "no JSON"},
		{`/* `, "does not end"},
	} {
		if _, err := Add([]byte(c.text), []string{"hooks", "Stop"}, entry); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v, want %q", c.text, err, c.says)
		}
	}
	if _, err := Add([]byte(`{"mcp":{"x":1}}`), []string{"mcp"}, Named{"x", 2}); err == nil {
		t.Error("a member that is there is added again")
	}
}

func TestRemove_leavesTheRest(t *testing.T) {
	for _, c := range []struct {
		text string
		i    int
		want string
	}{
		{"[1, 2, 3]", 0, "[ 2, 3]"},
		{"[1, 2, 3]", 1, "[1, 3]"},
		{"[1, 2, 3]", 2, "[1, 2]"},
		{"[\n  1, // one\n  2 // two\n]", 0, "[ // one\n  2 // two\n]"},
		{"[\n  1, // one\n  2 // two\n]", 1, "[\n  1 // one // two\n]"},
		{"[\n  1\n]", 0, "[]"},
		{"[1,]", 0, "[]"},
	} {
		v, err := Parse([]byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		if got := string(Apply([]byte(c.text), Remove([]byte(c.text), v, c.i))); got != c.want {
			t.Errorf("%q without %d: %q, want %q", c.text, c.i, got, c.want)
		}
	}
}

// FuzzAdd: what is added can be read, is in the right place, and nothing else
// moved.
func FuzzAdd(f *testing.F) {
	for _, s := range []string{"", "{}", `{"a":1}`, "{\n\"a\":[1,2,],// x\n}", `{"hooks":{"Stop":[{}]}}`, "{\"hooks\":{/* x */}}", "\ufeff{}", "{\"hooks\": {\"Stop\": [ // none\n]}}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		before, err := Parse([]byte(text))
		changes, errAdd := Add([]byte(text), []string{"hooks", "Stop"}, entry)
		if err != nil || errAdd != nil {
			return
		}
		after := Apply([]byte(text), changes)
		v, err := Parse(after)
		if err != nil {
			t.Fatalf("%q becomes %q: %v", text, after, err)
		}
		var want, got map[string]any
		if before != nil {
			if before.Decode([]byte(text), &want) != nil {
				return
			}
		}
		if err := v.Decode(after, &got); err != nil {
			t.Fatalf("%q: %v", after, err)
		}
		list := v.Get("hooks").Get("Stop")
		var last map[string]string
		if n := len(list.Items); n == 0 || list.Items[n-1].Value.Decode(after, &last) != nil || last["command"] != "x & y" {
			t.Fatalf("%q: it is not the last element", after)
		}
		if string(takeOut(after, changes)) != text {
			t.Fatalf("%q: taken out again it is %q", text, takeOut(after, changes))
		}
		delete(want, "hooks")
		delete(got, "hooks")
		if !reflect.DeepEqual(want, got) && len(want)+len(got) > 0 {
			t.Fatalf("%v became %v", want, got)
		}
	})
}

func TestValue_Decode_asJSONReadsIt(t *testing.T) {
	text := []byte("{ /* a */ \"a\": [1, {\"b\": \"//\"},], // c\n \"a\\u0062\": null, }")
	v, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	var got, want any
	if err := v.Decode(text, &got); err != nil {
		t.Fatal(err)
	}
	_ = json.Unmarshal([]byte(`{"a":[1,{"b":"//"}],"ab":null}`), &want)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if !slices.Equal([]string{v.Items[0].Key, v.Items[1].Key}, []string{"a", "ab"}) {
		t.Error("the keys are not read")
	}
}

// Decode reads the value as plain JSON reads it.
func (v *Value) Decode(text []byte, into any) error { return json.Unmarshal(v.plain(text), into) }

// plain is the value without comments and trailing commas.
func (v *Value) plain(text []byte) []byte {
	if v.Kind == Other {
		return text[v.Start:v.End]
	}
	opening, closing := byte('{'), byte('}')
	if v.Kind == Array {
		opening, closing = '[', ']'
	}
	out := []byte{opening}
	for i, item := range v.Items {
		if i > 0 {
			out = append(out, ',')
		}
		if v.Kind == Object {
			key, _ := json.Marshal(item.Key)
			out = append(append(out, key...), ':')
		}
		out = append(out, item.Value.plain(text)...)
	}
	return append(out, closing)
}
