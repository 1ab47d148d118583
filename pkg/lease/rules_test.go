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

// scenario is one exploration of the protocol itself.
type scenario struct {
	name string
	left budget
	long bool
}

// handed is the budget of the model check that the protocol was designed with.
var handed = budget{claims: 3, crashes: 1, errors: 2, cancels: 1}

func scenarios() []scenario {
	all := []scenario{{"jobs only", handed, false}, {"with a sign of life", handed, false},
		{"with a person's push and a step without a job", handed, true}, {"with a cancel overridden", handed, false}}
	all[1].left.beats = 1
	all[2].left.persons, all[2].left.passes = 1, 1
	all[3].left.overrides, all[3].left.claims = 1, 2
	return all
}
