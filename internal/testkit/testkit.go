// Package testkit holds what the tests of several packages ask in the same way:
// what a JSON document says, and whether a page still is what was seen. It is
// for tests only, and knows nothing of this program.
package testkit

import (
	"strconv"
	"strings"
	"testing"
)

// Dig follows a path into a decoded JSON document; a list is entered by index,
// by "#" for its length, or by the id of an element. nil where nothing is there.
func Dig(doc any, path []string) any {
	for _, key := range path {
		switch at := doc.(type) {
		case map[string]any:
			doc = at[key]
		case []any:
			doc = element(at, key)
		default:
			return nil
		}
	}
	return doc
}

func element(list []any, key string) any {
	if key == "#" {
		return len(list)
	}
	for i, e := range list {
		if m, ok := e.(map[string]any); ok && m["id"] == key || strconv.Itoa(i) == key {
			return e
		}
	}
	return nil
}

// SameLines fails the test at each line in which a page differs from what was
// seen now; the tests that call it write the page with -update.
func SameLines(t testing.TB, page, was, now string) {
	t.Helper()
	have, seen := strings.Split(was, "\n"), strings.Split(now, "\n")
	for i := range max(len(have), len(seen)) {
		if a, b := at(have, i), at(seen, i); a != b {
			t.Errorf("%s:%d differs (run with -update to write it anew):\n- %s\n+ %s", page, i+1, a, b)
		}
	}
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(nothing)"
}
