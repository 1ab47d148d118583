package trailers

// field is one of the keys that [Read] understands.
type field int

// The fields, in the order in which they are written.
const (
	fieldRun field = iota
	fieldStep
	fieldCheck
	fieldPlanVersion
	fieldTree
	fieldAttempt
	fieldStray
	fieldDirty
	fieldNote
	fieldFingerprint
	fieldRefutes
	fieldUndo
	fieldLanded
	fieldOpened
	fieldBase
	fields // how many there are, and what any other key is
)

var knownKeys = [fields]string{
	KeyRun, KeyStep, KeyCheck, KeyPlanVersion, KeyTree, KeyAttempt, KeyStray,
	KeyDirty, KeyNote, KeyFingerprint, KeyRefutes, KeyUndo, KeyLanded,
	KeyOpened, KeyBase,
}

// String is the key, as it is written.
func (f field) String() string { return knownKeys[f] }

// fieldOf is the field that a key names. Nearly all are spelled as we write
// them, and equality is the cheaper question.
func fieldOf(key string) field {
	for i, k := range knownKeys[:] {
		if k == key {
			return field(i)
		}
	}
	for i, k := range knownKeys[:] {
		if sameKey(k, key) {
			return field(i)
		}
	}
	return fields
}

// known reports whether key is one that [Read] understands.
func known(key string) bool { return fieldOf(key) < fields }

// collector reads values out of a block and keeps every fault it meets.
type collector struct {
	block  []Trailer
	count  [fields + 1]int // of each field in the block; the last: of other keys
	first  [fields + 1]int // where the first of them stands
	faults []string
}

// collect looks at every key of a block, once.
func collect(block []Trailer) collector {
	c := collector{block: block}
	for i, t := range block {
		f := fieldOf(t.Key)
		if c.count[f]++; c.count[f] == 1 {
			c.first[f] = i
		}
	}
	return c
}

// has reports whether the block has any of the fields.
func (c *collector) has(any ...field) bool {
	for _, f := range any {
		if c.count[f] > 0 {
			return true
		}
	}
	return false
}

// values are those of a field, in order.
func (c *collector) values(f field) []string {
	if c.count[f] == 0 {
		return nil
	}
	return values(c.block, f.String())
}

// others are the trailers whose keys are none of ours.
func (c *collector) others() []Trailer {
	if c.count[fields] == 0 {
		return nil
	}
	var rest []Trailer
	for _, t := range c.block {
		if !known(t.Key) {
			rest = append(rest, t)
		}
	}
	return rest
}
