package plan

import (
	"bytes"
	_ "embed" // schema.json
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

//go:embed schema.json
var schemaJSON []byte

// schemaURL is the schema's own name and where editors fetch it.
const schemaURL = "https://raw.githubusercontent.com/git-agent/git-agent/main/pkg/plan/schema.json"

// Schema is the published JSON Schema of a plan (draft 2020-12). [Parse] holds
// plans to it and to what a schema cannot say.
func Schema() []byte { return bytes.Clone(schemaJSON) }

// published is the schema, decoded and compiled the first time a plan is read.
var published = sync.OnceValues(func() (*compiledSchema, error) {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(schemaJSON))
	if err != nil {
		return nil, fmt.Errorf("read the plan schema: %w", err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(noLoader{})
	if err := compiler.AddResource(schemaURL, document); err != nil {
		return nil, fmt.Errorf("read the plan schema: %w", err)
	}
	compiled, err := compiler.Compile(schemaURL)
	if err != nil {
		return nil, fmt.Errorf("compile the plan schema: %w", err)
	}
	return &compiledSchema{compiled}, nil
})

type compiledSchema struct{ *jsonschema.Schema }

// noLoader keeps the compiler from ever opening a file or a connection.
type noLoader struct{}

func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("the plan schema refers to %s", url)
}

// checkSchema reports what the schema refuses in a document.
func (t *tree) checkSchema(s *compiledSchema) {
	var invalid *jsonschema.ValidationError
	if err := s.Validate(t.root.plain); errors.As(err, &invalid) {
		t.explain(s, invalid)
	} else if err != nil {
		t.report(t.root, "does not fit the schema: %v", err)
	}
}

// explain reports the leaves of a validation error: the branches only say that
// something below them is wrong.
func (t *tree) explain(s *compiledSchema, e *jsonschema.ValidationError) {
	for _, cause := range e.Causes {
		t.explain(s, cause)
	}
	if len(e.Causes) == 0 {
		t.explainLeaf(s, t.root.find(e.InstanceLocation), e)
	}
}

// keys lists the keys that the schema allows in a mapping: those of the plan,
// of a step or of a check. It is nil where any name may stand.
func (s *compiledSchema) keys(v *value) []string {
	var object *jsonschema.Schema
	switch {
	case v.parent == nil:
		object = s.Schema
	case v.isStep():
		object = s.step()
	case v.parent.name == "check":
		object = s.step().Properties["check"].Items2020.Ref
	default:
		return nil
	}
	return slices.Sorted(maps.Keys(object.Properties))
}

func (s *compiledSchema) step() *jsonschema.Schema { return s.Properties["steps"].Items2020.Ref }
