package lease_test

// rules are what a mutant does otherwise than the protocol. The zero value is
// the protocol.
type rules struct {
	branchOnly     bool // the certificate moves no lease
	errorIsNo      bool // a push without a clean end did not happen
	force          bool // a lease is a matter of clocks, pushes are forced
	sameClaims     bool // claims without a nonce
	unchangedLease bool // the certificate goes with the lease as it is
	plainBeat      bool // the certificate's lease is spelled like a sign of life
	silenceRevives bool // a cancelled lease is taken over like a held one
	neverTaken     bool // a lease is held for ever
	believed       bool // a job that says it is done needs no checks
}

// mutants must all be seen, each by the invariants it is known to break: what
// finds nothing here could find nothing in the protocol either.
var mutants = []struct {
	name, what string
	rules      rules
	breaks     breach
}{
	{"B", "compare-and-swap of the branch only", rules{branchOnly: true}, i3 | i4},
	{"C", "an error is read as \"not applied\"", rules{errorIsNo: true}, i1},
	{"D", "B and C", rules{branchOnly: true, errorIsNo: true}, i1 | i3 | i4},
	{"E", "a lease by the clock, forced pushes", rules{force: true}, i3 | i4 | i5},
	{"F", "identical claims, no nonce", rules{sameClaims: true}, i3},
	{"G", "an unchanged lease as the fence", rules{unchangedLease: true}, i3 | i4},
	{"H", "a certificate's lease spelled like a sign of life", rules{plainBeat: true}, i3 | i4},
	{"J", "silence revives a cancelled lease", rules{silenceRevives: true}, i4},
	{"K", "no take-over", rules{neverTaken: true}, i6},
	{"L", "a job is believed, no checks", rules{believed: true}, i2},
}

// effort is when an exploration is worth its time.
type effort int

const (
	always effort = iota
	unlessShort
	forTheDocument
)

// scenario is one exploration of the protocol itself.
type scenario struct {
	name   string
	effort effort
	left   budget
}

// handed is the budget of the model check that the protocol was designed with.
var handed = budget{claims: 3, crashes: 1, errors: 2, cancels: 1}

// scenarios are what is explored: each adds one kind of event to the budget
// that was handed, since all of them at once take long.
func scenarios() []scenario {
	with := func(change func(b *budget)) budget {
		b := handed
		change(&b)
		return b
	}
	return []scenario{
		{"jobs only", always, handed},
		{"a sign of life", always, with(func(b *budget) { b.beats = 1 })},
		{"a cancel overridden", always, with(func(b *budget) { b.claims, b.overrides = 2, 1 })},
		{"a person's push", unlessShort, with(func(b *budget) { b.persons = 1 })},
		{"a step without a job", unlessShort, with(func(b *budget) { b.passes = 1 })},
		{"both of these", forTheDocument, with(func(b *budget) { b.persons, b.passes = 1, 1 })},
	}
}
