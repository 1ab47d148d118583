// Package landing knows what a landing is (the design, section 10): the
// canonical form of a marker, what a commit of the target says about the steps
// of a run, which commits take which back, when two changes are the same, and
// the verdict that a preflight gives.
//
// It is pure: values in, values out. It never asks git, never reads a clock
// and never writes to a forge; whoever gathers the facts hands them over, and
// says which of them could not be had. A fact that could not be had is a
// doubt, and a doubt is never "not landed".
//
//	marker, ok := landing.ParseMarker(comment)
//	verdict := landing.Decide(facts) // verdict.Token == landing.Dispatch
package landing
