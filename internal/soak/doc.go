// Package soak tries git agent with random histories: plans, edits, jobs that
// are half done, kills, amendments, reverts, merges, rebases, lost private
// folders, fresh clones and races, in any order. After each command an oracle
// that knows git, the files and the plan, and nothing of the product, asks
// whether the invariants of the design hold; at the end a fresh clone has to
// bring the run to its end.
//
// It is tests only. Every `go test` tries a few, CI a hundred, `make soak` ten
// thousand.
package soak
