package plan

import (
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// rule is one schema of schema.json, in the keywords that it uses (JSON Schema
// draft 2020-12). A library that knows all of them takes longer to start than
// the rest of the program; a test compares the two.
type rule struct {
	Ref               string               `json:"$ref"`
	Type              anyOf                `json:"type"`
	Enum              []any                `json:"enum"`
	Not               *rule                `json:"not"`
	Properties        map[string]*rule     `json:"properties"`
	PatternProperties map[expression]*rule `json:"patternProperties"`
	Closed            *bool                `json:"additionalProperties"` // false: no other key may stand
	Required          []string             `json:"required"`
	Items             *rule                `json:"items"`
	MinItems          *int                 `json:"minItems"`
	MaxItems          *int                 `json:"maxItems"`
	MinLength         *int                 `json:"minLength"`
	MaxLength         *int                 `json:"maxLength"`
	Minimum           *int64               `json:"minimum"`
	Maximum           *int64               `json:"maximum"`
	Pattern           *expression          `json:"pattern"`
	Defs              map[string]*rule     `json:"$defs"`

	// What people and editors read.
	Dialect     string `json:"$schema"`
	ID          string `json:"$id"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Default     any    `json:"default"`
}

// anyOf is a JSON Schema type or a list of them, in the order of typeOrder.
type anyOf []string

// typeOrder is the order in which types are told.
var typeOrder = []string{"null", "boolean", "number", "integer", "string", "array", "object"}

func (a *anyOf) UnmarshalJSON(data []byte) error {
	for _, name := range typeOrder {
		if strings.Contains(string(data), `"`+name+`"`) {
			*a = append(*a, name)
		}
	}
	return nil
}

type expression struct{ *regexp.Regexp }

func (e *expression) UnmarshalText(text []byte) (err error) {
	e.Regexp, err = regexp.Compile(string(text))
	return err
}

// violation is one rule that a value breaks: the keyword, and what it wants.
type violation struct {
	at      *value
	keyword string
	want    any      // a number, a pattern, the values or types allowed
	keys    []string // that are missing, or too many
}

// broken lists what a value, and all below it, breaks of a rule. root resolves
// references.
func (r *rule) broken(root *rule, v *value) (out []violation) {
	add := func(keyword string, want any, keys ...string) {
		out = append(out, violation{v, keyword, want, keys})
	}
	if len(r.Type) > 0 && !r.Type.has(v.plain) {
		add("type", r.Type)
		return out
	}
	if r.Enum != nil && !slices.ContainsFunc(r.Enum, func(one any) bool { return reflect.DeepEqual(one, v.plain) }) {
		add("enum", r.Enum)
		return out
	}
	if r.Ref != "" {
		out = append(out, root.Defs[strings.TrimPrefix(r.Ref, "#/$defs/")].broken(root, v)...)
	}
	switch plain := v.plain.(type) {
	case map[string]any:
		out = append(out, r.brokenKeys(root, v, plain)...)
	case []any:
		out = append(out, r.brokenItems(root, v, len(plain))...)
	case string:
		r.text(plain, add)
	case int64:
		r.number(float64(plain), add)
	case float64:
		r.number(plain, add)
	}
	if r.Not != nil && len(r.Not.broken(root, v)) == 0 {
		add("not", nil)
	}
	return out
}

func (r *rule) brokenKeys(root *rule, v *value, plain map[string]any) (out []violation) {
	var missing, extra []string
	for _, key := range r.Required {
		if _, ok := plain[key]; !ok {
			missing = append(missing, key)
		}
	}
	if missing != nil {
		out = append(out, violation{v, "required", nil, missing})
	}
	for key, field := range v.fields {
		known := false
		if below := r.Properties[key]; below != nil {
			known, out = true, append(out, below.broken(root, field)...)
		}
		for name, below := range r.PatternProperties {
			if name.MatchString(key) {
				known, out = true, append(out, below.broken(root, field)...)
			}
		}
		if !known && r.Closed != nil && !*r.Closed {
			extra = append(extra, key)
		}
	}
	if extra != nil {
		out = append(out, violation{v, "additionalProperties", nil, extra})
	}
	return out
}

func (r *rule) brokenItems(root *rule, v *value, n int) (out []violation) {
	if r.MinItems != nil && n < *r.MinItems {
		out = append(out, violation{v, "minItems", *r.MinItems, nil})
	}
	if r.MaxItems != nil && n > *r.MaxItems {
		out = append(out, violation{v, "maxItems", *r.MaxItems, nil})
	}
	if r.Items != nil {
		for _, item := range v.items {
			out = append(out, r.Items.broken(root, item)...)
		}
	}
	return out
}

func (r *rule) text(s string, add func(string, any, ...string)) {
	n := utf8.RuneCountInString(s)
	if r.MinLength != nil && n < *r.MinLength {
		add("minLength", *r.MinLength)
	}
	if r.MaxLength != nil && n > *r.MaxLength {
		add("maxLength", *r.MaxLength)
	}
	if r.Pattern != nil && !r.Pattern.MatchString(s) {
		add("pattern", r.Pattern.String())
	}
}

func (r *rule) number(f float64, add func(string, any, ...string)) {
	if r.Minimum != nil && f < float64(*r.Minimum) {
		add("minimum", *r.Minimum)
	}
	if r.Maximum != nil && f > float64(*r.Maximum) {
		add("maximum", *r.Maximum)
	}
}

// typeOf is the JSON Schema type of a value as a tree holds it.
func typeOf(plain any) string {
	switch plain.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case int64, float64:
		return "number"
	case string:
		return "string"
	case []any:
		return "array"
	}
	return "object"
}

func (a anyOf) has(plain any) bool {
	if slices.Contains(a, typeOf(plain)) {
		return true
	}
	f, fraction := plain.(float64)
	_, whole := plain.(int64)
	return slices.Contains(a, "integer") && (whole || fraction && f == math.Trunc(f))
}
