package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"
)

// TestRules_knowEveryKeyword: a keyword that is not evaluated would be a
// promise of the published schema that nobody keeps.
func TestRules_knowEveryKeyword(t *testing.T) {
	strict := json.NewDecoder(bytes.NewReader(schemaJSON))
	strict.DisallowUnknownFields()
	var root rule
	if err := strict.Decode(&root); err != nil {
		t.Fatal(err)
	}
	root.each(func(r *rule) {
		if r.Ref != "" && root.Defs[strings.TrimPrefix(r.Ref, "#/$defs/")] == nil {
			t.Errorf("$ref %q leads nowhere", r.Ref)
		}
	})
}

func (r *rule) each(see func(*rule)) {
	if r == nil {
		return
	}
	see(r)
	for _, m := range []map[string]*rule{r.Properties, r.Defs} {
		for _, below := range m {
			below.each(see)
		}
	}
	for _, below := range r.PatternProperties {
		below.each(see)
	}
	r.Items.each(see)
	r.Not.each(see)
}

// TestRules_agreeWithALibrary: the same faults at the same places as a
// validator that knows all of JSON Schema finds.
func TestRules_agreeWithALibrary(t *testing.T) {
	library, ours := compiled(t), &rule{}
	if err := json.Unmarshal(schemaJSON, ours); err != nil {
		t.Fatal(err)
	}
	keywords := []string{"type", "enum", "required", "additionalProperties", "minItems", "minLength", "minimum", "maximum", "pattern", "not"}
	found := map[string]bool{}
	missing := func(keyword string) bool { return !found[keyword] }
	// A round with -short is a fifth of one without, and can miss a rare keyword.
	for round := 0; round < 20 || round < 400 && slices.ContainsFunc(keywords, missing); round++ {
		rapid.Check(t, agree(library, ours, found))
	}
	for _, keyword := range keywords {
		if missing(keyword) {
			t.Errorf("no document broke %s: this test tries nothing of it", keyword)
		}
	}
}

func agree(library *jsonschema.Schema, ours *rule, found map[string]bool) func(*rapid.T) {
	return func(t *rapid.T) {
		document := documents.Draw(t, "document").(map[string]any)
		text, err := yaml.Marshal(document)
		if err != nil {
			t.Fatal(err)
		}
		node, problem := parseDocument("plan.yaml", string(text))
		if problem != nil {
			t.Skip(problem.Error())
		}
		tree := newTree("plan.yaml", string(text), node)
		var got []string
		for _, b := range ours.broken(ours, tree.root) {
			got, found[b.keyword] = append(got, b.at.pointer()+" "+b.keyword), true
		}
		want := leaves(library.Validate(tree.root.plain))
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("%s\nours    %q\nlibrary %q", text, got, want)
		}
	}
}

func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(schemaJSON))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(schemaURL, document); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile(schemaURL)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func (v *value) pointer() string {
	if v.parent == nil {
		return ""
	}
	return v.parent.pointer() + "/" + v.name
}

// leaves are the places and keywords of a library's error.
func leaves(err error) (all []string) {
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return nil
	}
	var walk func(e *jsonschema.ValidationError)
	walk = func(e *jsonschema.ValidationError) {
		for _, cause := range e.Causes {
			walk(cause)
		}
		if len(e.Causes) == 0 {
			path := ""
			for _, key := range e.InstanceLocation {
				path += "/" + key
			}
			keyword := "not" // has no path
			if words := e.ErrorKind.KeywordPath(); len(words) > 0 {
				keyword = words[0]
			}
			all = append(all, path+" "+keyword)
		}
	}
	walk(invalid)
	slices.Sort(all)
	return all
}

// documents are plans that are mostly right, and wrong in every way.
var documents = rapid.Custom(func(t *rapid.T) any {
	keys := []string{"title", "base", "stray", "setup", "pass_env", "steps", "steps", "steps", "odd"}
	return mapping(t, append(slices.Clone(keys), "title", "steps"), func(key string) any {
		if key == "steps" {
			return list(t, 3, step)
		}
		return anything.Draw(t, key)
	})
})

func step(t *rapid.T) any {
	keys := []string{"id", "title", "touches", "check", "id", "title", "touches", "check", "reads", "confirm", "retry", "isolate", "brief", "odd"}
	return mapping(t, keys, func(key string) any {
		if key == "check" && rapid.Bool().Draw(t, "list") {
			return list(t, 2, func(t *rapid.T) any {
				return mapping(t, []string{"run", "run", "timeout", "env", "dir", "odd"}, func(k string) any { return anything.Draw(t, k) })
			})
		}
		return anything.Draw(t, key)
	})
}

func mapping(t *rapid.T, keys []string, of func(string) any) map[string]any {
	m := map[string]any{}
	for _, key := range rapid.SliceOfN(rapid.SampledFrom(keys), 0, 9).Draw(t, "keys") {
		m[key] = of(key)
	}
	return m
}

func list(t *rapid.T, most int, of func(*rapid.T) any) []any {
	out := []any{}
	for range rapid.IntRange(0, most).Draw(t, "n") {
		out = append(out, of(t))
	}
	return out
}

// anything is a value of each type, at the edges of what is allowed.
var anything = rapid.SampledFrom([]any{"x", "", "s01", "strays", "a/b", "/a", "90s", "lost", "A_b", "refuse", strings.Repeat("ä", 500), strings.Repeat("ä", 501),
	1, 0, -1, 100, 101, 1.0, 1.5, true, nil, []any{}, []any{"x"}, []any{""}, []any{1}, map[string]any{"CI": "1"}, map[string]any{"a b": "1"}, map[string]any{"run": "x"}})
