package plan_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
)

// compiledAlone compiles the schema as an editor does, as a document of its own.
func compiledAlone(t *testing.T) *jsonschema.Schema {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(plan.Schema()))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("plan.json", document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("plan.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func TestSchema_acceptsWhatParseAccepts(t *testing.T) {
	schema := compiledAlone(t)
	for name, text := range map[string]string{"full": full, "template": string(plan.Template("x", ""))} {
		var value any
		if err := yaml.Unmarshal([]byte(text), &value); err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestSchema_hasOneKeyForEveryField keeps schema and types together.
func TestSchema_hasOneKeyForEveryField(t *testing.T) {
	schema := compiledAlone(t)
	step := schema.Properties["steps"].Items2020.Ref
	check := step.Properties["check"].Items2020.Ref
	for _, pair := range []struct {
		schema *jsonschema.Schema
		value  any
	}{{schema, plan.Plan{}}, {step, plan.Step{}}, {check, plan.Check{}}} {
		var fields []string
		typ := reflect.TypeOf(pair.value)
		for i := range typ.NumField() {
			name := strings.NewReplacer("PassEnv", "pass_env", "KeepPartial", "keep_partial").Replace(typ.Field(i).Name)
			fields = append(fields, strings.ToLower(name))
		}
		slices.Sort(fields)
		if keys := slices.Sorted(maps.Keys(pair.schema.Properties)); !slices.Equal(keys, fields) {
			t.Errorf("%s: keys %q, fields %q", typ.Name(), keys, fields)
		}
		for key, property := range pair.schema.Properties {
			described := property.Description != "" || property.Ref != nil && property.Ref.Description != ""
			if !described {
				t.Errorf("%s: %s has no description", typ.Name(), key)
			}
		}
	}
}

func TestSchema_isACopy(t *testing.T) {
	clear(plan.Schema())
	if !json.Valid(plan.Schema()) {
		t.Error("a caller can change the schema")
	}
}

func TestTemplate_isValidWhateverTheTitle(t *testing.T) {
	for title, want := range map[string]string{
		"Extract auth":             "Extract auth",
		"":                         "Untitled plan",
		" \t\n":                    "Untitled plan",
		`a: "b" # c`:               `a: "b" # c`,
		"{{schema}} {{title}}":     "{{schema}} {{title}}",
		"a\nb\x1b\x00c\xff":        "a b  c",
		"<&> \u2028\u202eä😀\ufeff": "<&>   ä😀",
		strings.Repeat("ä", 600):   strings.Repeat("ä", 500),
	} {
		text := plan.Template(title, "")
		p, err := plan.Parse("plan.yaml", text)
		if err != nil {
			t.Errorf("%q: %v", title, err)
			continue
		}
		if p.Title != want {
			t.Errorf("%q became %q, want %q", title, p.Title, want)
		}
		if !bytes.HasPrefix(text, []byte("# yaml-language-server: $schema=https://")) {
			t.Errorf("%q: no hint for editors", title)
		}
	}
}

// TestTemplate_target: whatever a branch is called, the plan names it as it is.
func TestTemplate_target(t *testing.T) {
	for _, branch := range []string{"", "main", "feature/x", "true", "12", `a"b`, "{{title}}", "a#b", "ä"} {
		p, err := plan.Parse("plan.yaml", plan.Template("x", branch))
		if err != nil {
			t.Errorf("%q: %v", branch, err)
		} else if p.Target != branch {
			t.Errorf("%q became %q", branch, p.Target)
		}
	}
}
