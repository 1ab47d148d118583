package trailers

import (
	"fmt"
	"strings"
)

// collector reads values out of a block and keeps every fault it meets.
type collector struct {
	block  []Trailer
	faults []string
}

func (c *collector) fault(format string, args ...any) {
	c.faults = append(c.faults, fmt.Sprintf(format, args...))
}

// one is the value of a key that may stand once; its second result is false
// where it is absent. Of several, the first is returned and the fault kept.
func (c *collector) one(key string) (string, bool) {
	first, n := "", 0
	for _, t := range c.block {
		if !sameKey(t.Key, key) {
			continue
		}
		if n++; n == 1 {
			first = t.Value
		}
	}
	if n > 1 {
		c.fault("%d %s trailers where one may stand", n, key)
	}
	return first, n > 0
}

// need is one, with a fault where the key is absent.
func (c *collector) need(key string) (string, bool) {
	value, ok := c.one(key)
	if !ok {
		c.fault("%s is missing", key)
	}
	return value, ok
}

// check keeps the fault of a value. Where the value also mentions another
// key, the cause is most likely a tool that joined lines; it is named first.
func (c *collector) check(key, value string, err error) {
	if err == nil {
		return
	}
	if joined := mentions(value); joined != "" {
		c.fault("%s and %s are joined in one line: %q", key, joined, value)
		return
	}
	c.fault("%s: %v", key, err)
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

func (c *collector) id(key string, required bool) string {
	return c.valid(key, required, ValidID)
}

// valid is a value that may stand once and has to satisfy a rule.
func (c *collector) valid(key string, required bool, rule func(string) error) string {
	get := c.one
	if required {
		get = c.need
	}
	value, ok := get(key)
	if ok {
		c.check(key, value, rule(value))
	}
	return value
}

// number is a whole number of at least least, or 0 where absent.
func (c *collector) number(key string, required bool, least int) int {
	n := 0
	c.valid(key, required, func(value string) error {
		var ok bool
		if n, ok = parseNumber(value); !ok || n < least {
			return fmt.Errorf("%q is no whole number of at least %d", value, least)
		}
		return nil
	})
	return n
}

func (c *collector) checks() []Check {
	var checks []Check
	written := values(c.block, KeyCheck)
	if len(written) == 0 {
		c.fault("%s is missing", KeyCheck)
	}
	for _, value := range written {
		check, err := ParseCheck(value)
		c.check(KeyCheck, value, err)
		if err == nil {
			checks = append(checks, check)
		}
	}
	return checks
}

func (c *collector) strays() []string {
	var paths []string
	for _, value := range c.lines(KeyStray) {
		path, err := unquotePath(value)
		c.check(KeyStray, value, err)
		if err == nil {
			paths = append(paths, path)
		}
	}
	return paths
}

// lines are the values of a key of free text: not empty, one line that shows
// as what it is.
func (c *collector) lines(key string) []string {
	found := values(c.block, key)
	for _, value := range found {
		if value == "" {
			c.fault("%s is empty", key)
		}
		if outerBlank(value) {
			c.fault("%s begins or ends with a blank: %q", key, value)
		}
		if strings.ContainsFunc(value, deceptive) {
			c.fault("%s holds a control character: %q", key, value)
		}
		if strings.ToValidUTF8(value, "") != value {
			c.fault("%s is not UTF-8: %q", key, value)
		}
	}
	return found
}

// readEvidence reads a block as a certificate or failure record, whatever
// kind it is, with every fault.
func readEvidence(block []Trailer) (Evidence, []string) {
	c := &collector{block: block}
	e := Evidence{
		Run:         c.id(KeyRun, true),
		Step:        c.id(KeyStep, true),
		Checks:      c.checks(),
		PlanVersion: c.number(KeyPlanVersion, true, 1),
		Tree:        c.valid(KeyTree, false, validOID),
		Attempt:     c.number(KeyAttempt, false, 1),
		Strays:      c.strays(),
		Dirty:       c.number(KeyDirty, false, 0),
		Notes:       c.lines(KeyNote),
		Fingerprint: c.valid(KeyFingerprint, false, validFingerprint),
		Refutes:     c.valid(KeyRefutes, false, validOID),
		Other:       others(block),
	}
	if e.Refutes != "" && len(c.faults) == 0 && e.Passed() {
		c.fault("%s without a check that failed", KeyRefutes)
	}
	return e, c.faults
}

func others(block []Trailer) []Trailer {
	var rest []Trailer
	for _, t := range block {
		if !known(t.Key) {
			rest = append(rest, t)
		}
	}
	return rest
}
