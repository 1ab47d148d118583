package plan

import (
	"bytes"
	_ "embed" // schema.json
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
)

//go:embed schema.json
var schemaJSON []byte

// schemaURL is the schema's own name and where editors fetch it.
const schemaURL = "https://raw.githubusercontent.com/git-agent/git-agent/main/pkg/plan/schema.json"

// Schema is the published JSON Schema of a plan (draft 2020-12). [Parse] holds
// plans to it and to what a schema cannot say.
func Schema() []byte { return bytes.Clone(schemaJSON) }

// published is the schema, decoded the first time a plan is read.
var published = sync.OnceValues(func() (*rule, error) {
	var root rule
	if err := json.Unmarshal(schemaJSON, &root); err != nil {
		return nil, fmt.Errorf("read the plan schema: %w", err)
	}
	return &root, nil
})

// checkSchema reports what the schema refuses in a document.
func (t *tree) checkSchema(schema *rule) {
	for _, broken := range schema.broken(schema, t.root) {
		t.explain(schema, broken)
	}
}

// keys lists the keys that the schema allows in a mapping: those of the plan,
// of a step or of a check. It is nil where any name may stand.
func (r *rule) keys(v *value) []string {
	var object *rule
	switch {
	case v.parent == nil:
		object = r
	case v.isStep():
		object = r.Defs["step"]
	case v.parent.name == "check":
		object = r.Defs["check"]
	default:
		return nil
	}
	return slices.Sorted(maps.Keys(object.Properties))
}
