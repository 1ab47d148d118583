package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// explain reports one violation of the schema in words that say what is
// allowed.
func (t *tree) explain(schema *rule, b violation) {
	v := b.at
	switch b.keyword {
	case "additionalProperties":
		for _, key := range b.keys {
			t.explainUnknown(schema, v, key)
		}
	case "required":
		for _, key := range b.keys {
			t.explainMissing(schema, v, key)
		}
	case "type":
		t.report(v, "%s", wrongType(v, b.want.(anyOf)))
	case "enum":
		t.report(v, "%s must be %s, not %s", v.label(), orList(texts(b.want.([]any))), quoted(v.plain))
	case "minItems":
		t.report(v, "%s is an empty list%s", v.label(), missingHints[v.label()])
	case "maxItems":
		t.report(v, "%s lists %d; at most %d are allowed", v.label(), len(v.items), b.want)
	case "minLength":
		t.report(v, "%s is empty", v.label())
	case "maxLength":
		t.report(v, "%s has %d characters; at most %d are allowed", v.label(), utf8.RuneCountInString(v.plain.(string)), b.want)
	case "minimum":
		t.report(v, "%s must be at least %d", v.label(), b.want)
	case "maximum":
		t.report(v, "%s must be at most %d", v.label(), b.want)
	case "pattern":
		t.report(v, "%s %q must match %s", v.label(), v.plain, b.want)
	default:
		t.report(v, "%s does not fit the schema (%s)", v.label(), b.keyword)
	}
}

// explainMissing reports a key that must be there, unless a misspelt one is:
// then the fault is told there. A check with an unknown key and no run is most
// often a command with a colon.
func (t *tree) explainMissing(schema *rule, v *value, key string) {
	allowed := schema.keys(v)
	for present := range v.fields {
		if !slices.Contains(allowed, present) && (key == "run" || suggest(present, allowed) == key) {
			return
		}
	}
	t.add(v.position(), "%s has no %s%s", v.owner(), key, missingHints[key])
}

// missingHints says what to write for a key that must be there.
var missingHints = map[string]string{
	"touches": "; list the paths that the step may change, [] declares that it changes nothing",
	"check":   "; list at least one command that decides whether the step worked",
	"id":      "; write a short name of lower-case letters, digits, dot, underscore, hyphen",
	"steps":   "; list at least one step",
}

func (t *tree) explainUnknown(schema *rule, v *value, key string) {
	allowed := schema.keys(v)
	hint := didYouMean(key, allowed)
	switch {
	case hint != "":
	case strings.Contains(key, " "):
		hint = `; a text that holds ": " must be quoted`
	case allowed != nil:
		hint = "; allowed are " + strings.Join(allowed, ", ")
	}
	t.reportKey(v.fields[key], "%s has an unknown key %q%s", v.owner(), key, hint)
}

// wrongType says what was found and what to write instead. The commonest cause
// by far is a value that YAML reads as a number, a boolean, nothing or a list.
func wrongType(v *value, allowed anyOf) string {
	want := make([]string, len(allowed))
	for i, name := range allowed {
		want[i] = typeNames[name]
	}
	found := typeNames[typeOf(v.plain)]
	if typeOf(v.plain) == "string" {
		found = "the text " + strconv.Quote(v.source())
	}
	return fmt.Sprintf("%s must be %s, not %s%s", v.label(), orList(want), found, typeHint(v, allowed, typeOf(v.plain)))
}

func typeHint(v *value, allowed anyOf, got string) string {
	switch {
	case v.parent == nil:
		return "; it begins with a title, as in `title: Extract auth`"
	case got == "null":
		return missingHints[v.label()]
	case v.name == "timeout":
		return "; write a number with its unit, such as 90s or 2m"
	case allowed[0] == "array" && got == "string":
		return "; write [" + strconv.Quote(v.source()) + "]"
	case slices.Contains(allowed, "string"):
		return quoteHint(v, got)
	}
	return ""
}

// quoteHint is for a text that YAML took for something else.
func quoteHint(v *value, got string) string {
	switch {
	case got == "number" || got == "boolean":
		return "; write it in quotes: " + strconv.Quote(v.source())
	case got == "array":
		return "; a text that begins with [ must be quoted"
	case got == "object" && v.label() == "check":
		return "; write it as an entry of a list, behind a hyphen"
	case got == "object":
		return `; a text that begins with { or holds ": " must be quoted`
	}
	return ""
}

// typeNames says JSON's types the way a person who writes YAML does.
var typeNames = map[string]string{
	"string": "text", "number": "a number", "integer": "a whole number", "boolean": "true or false",
	"null": "nothing", "array": "a list", "object": "a mapping",
}

func texts(values []any) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = fmt.Sprint(v)
	}
	return out
}

// quoted shows a value on one line; what has parts only by its kind.
func quoted(value any) string {
	switch v := value.(type) {
	case string:
		return strconv.Quote(v)
	case nil:
		return "nothing"
	case []any:
		return "a list"
	case map[string]any:
		return "a mapping"
	default:
		return fmt.Sprint(v)
	}
}
