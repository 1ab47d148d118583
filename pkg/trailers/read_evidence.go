package trailers

import (
	"fmt"
	"strings"
)

func (c *collector) fault(format string, args ...any) {
	c.faults = append(c.faults, fmt.Sprintf(format, args...))
}

// one is the value of a field that may stand once; its second result is false
// where it is absent. Of several, the first is returned and the fault kept.
func (c *collector) one(f field) (string, bool) {
	n := c.count[f]
	if n == 0 {
		return "", false
	}
	if n > 1 {
		c.fault("%d %s trailers where one may stand", n, f)
	}
	return c.block[c.first[f]].Value, true
}

// need is one, with a fault where the field is absent.
func (c *collector) need(f field) (string, bool) {
	value, ok := c.one(f)
	if !ok {
		c.fault("%s is missing", f)
	}
	return value, ok
}

// check keeps the fault of a value. Where the value also mentions another
// key, the cause is most likely a tool that joined lines; it is named first.
func (c *collector) check(f field, value string, err error) {
	if err == nil {
		return
	}
	if joined := mentions(value); joined != "" {
		c.fault("%s and %s are joined in one line: %q", f, joined, value)
		return
	}
	c.fault("%s: %v", f, err)
}

// mentions is the first known key that stands inside a value like a trailer.
func mentions(value string) string {
	for word := range strings.FieldsSeq(value) {
		if key, ok := strings.CutSuffix(word, ":"); ok && known(key) {
			return key
		}
	}
	return ""
}

func (c *collector) id(f field, required bool) string {
	return c.valid(f, required, ValidID)
}

// valid is a value that may stand once and has to satisfy a rule.
func (c *collector) valid(f field, required bool, rule func(string) error) string {
	value, ok := c.wanted(f, required)
	if ok {
		c.check(f, value, rule(value))
	}
	return value
}

func (c *collector) wanted(f field, required bool) (string, bool) {
	if required {
		return c.need(f)
	}
	return c.one(f)
}

// number is a whole number of at least least, or 0 where absent.
func (c *collector) number(f field, required bool, least int) int {
	value, ok := c.wanted(f, required)
	if !ok {
		return 0
	}
	n, ok := parseNumber(value)
	if !ok || n < least {
		c.check(f, value, fmt.Errorf("%q is no whole number of at least %d", value, least))
	}
	return n
}

func (c *collector) checks() []Check {
	if !c.has(fieldCheck) {
		c.fault("%s is missing", fieldCheck)
		return nil
	}
	var checks []Check
	for _, t := range c.block {
		if !sameKey(t.Key, KeyCheck) {
			continue
		}
		check, err := ParseCheck(t.Value)
		c.check(fieldCheck, t.Value, err)
		if err == nil {
			checks = append(checks, check)
		}
	}
	return checks
}

func (c *collector) strays() []string {
	var paths []string
	for _, value := range c.lines(fieldStray) {
		path, err := unquotePath(value)
		c.check(fieldStray, value, err)
		if err == nil {
			paths = append(paths, path)
		}
	}
	return paths
}

// lines are the values of a key of free text: not empty, one line that shows
// as what it is.
func (c *collector) lines(f field) []string {
	found := c.values(f)
	for _, value := range found {
		if value == "" {
			c.fault("%s is empty", f)
		}
		if outerBlank(value) {
			c.fault("%s begins or ends with a blank: %q", f, value)
		}
		if strings.ContainsFunc(value, deceptive) {
			c.fault("%s holds a control character: %q", f, value)
		}
		if strings.ToValidUTF8(value, "") != value {
			c.fault("%s is not UTF-8: %q", f, value)
		}
	}
	return found
}

// readEvidence reads a block as a certificate or failure record, whatever
// kind it is, with every fault.
func readEvidence(block []Trailer) (Evidence, []string) {
	c := collect(block)
	e := c.evidence()
	return e, c.faults
}

func (c *collector) evidence() Evidence {
	e := Evidence{
		Run:         c.id(fieldRun, true),
		Step:        c.id(fieldStep, true),
		Checks:      c.checks(),
		PlanVersion: c.number(fieldPlanVersion, true, 1),
		Tree:        c.valid(fieldTree, false, validOID),
		Attempt:     c.number(fieldAttempt, false, 1),
		Strays:      c.strays(),
		Dirty:       c.number(fieldDirty, false, 0),
		Notes:       c.lines(fieldNote),
		Fingerprint: c.valid(fieldFingerprint, false, validFingerprint),
		Refutes:     c.valid(fieldRefutes, false, validOID),
		Other:       c.others(),
	}
	if e.Refutes != "" && len(c.faults) == 0 && e.Passed() {
		c.fault("%s without a check that failed", fieldRefutes)
	}
	return e
}
