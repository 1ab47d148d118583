package plan

import (
	"math"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// readScalar types a scalar by its tag, as YAML 1.2 resolves it: `yes` is text,
// 05 and 1e3 are numbers, a date is text.
func (t *tree) readScalar(v *value, n *yaml.Node) any {
	switch tag := n.ShortTag(); tag {
	case "!!str", "!!timestamp", "!!merge":
		return n.Value
	case "!!null":
		return nil
	case "!!bool":
		if value, err := strconv.ParseBool(strings.ToLower(n.Value)); err == nil && len(n.Value) > 1 {
			return value
		}
		return n.Value // tagged by hand; the schema refuses the text
	case "!!int":
		if i, err := strconv.ParseInt(strings.ReplaceAll(n.Value, "_", ""), 0, 64); err == nil {
			return i
		}
		return int64(math.MaxInt64)
	case "!!float":
		if f, err := strconv.ParseFloat(strings.ReplaceAll(n.Value, "_", ""), 64); err == nil && !math.IsInf(f, 0) && !math.IsNaN(f) {
			return f
		}
		return 0.5 // .inf and .nan: a number, and nowhere an allowed one
	default:
		t.report(v, "the tag %s is not known; a text that begins with ! must be quoted", tag)
		return n.Value
	}
}

// dropsMark recognises `! command`: for YAML the exclamation mark is a tag
// without a name, and the text that is left says the opposite. The library
// leaves no trace of it but the node's position.
func (t *tree) dropsMark(n *yaml.Node) bool {
	if n.Line < 1 || n.Line > len(t.lines) {
		return false
	}
	line := t.lines[n.Line-1]
	if !strings.Contains(line, "!") {
		return false
	}
	rest := []rune(line)
	source := string(rest[min(max(n.Column-1, 0), len(rest)):])
	if strings.HasPrefix(source, "&") { // an anchor may stand before the tag
		_, source, _ = strings.Cut(source, " ")
		source = strings.TrimLeft(source, " ")
	}
	return source == "!" || strings.HasPrefix(source, "! ") || strings.HasPrefix(source, "!\t") || strings.HasPrefix(source, "!\r")
}
