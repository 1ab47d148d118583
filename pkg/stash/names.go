package stash

import (
	"fmt"
	"strconv"
	"strings"
)

// Root is above every ref of ours that preserves work (the design, section 3).
const Root = "refs/agent-stash/"

// Folders beside the steps'; no step may have these ids.
const (
	Strays = "strays" // changes outside every step's touches
	Lost   = "lost"   // commits that lost a race

	pending = "pending"
)

// StepPrefix is the folder of the refs of one step, or of [Strays] or [Lost].
func StepPrefix(run, step string) string { return Root + run + "/" + step + "/" }

// StepRef preserves partial work of a step, or what the folders beside hold, n
// counted from 1.
func StepRef(run, step string, n int) string { return StepPrefix(run, step) + strconv.Itoa(n) }

// PendingRef exists while a rollback of the step is under way: whoever finds
// it finishes that first.
func PendingRef(run, step string) string { return StepPrefix(run, step) + pending }

// parseRef reads a name that the functions above made; n is 0 for pending.
func parseRef(name string) (run, step string, n int, ok bool) {
	parts := strings.Split(strings.TrimPrefix(name, Root), "/")
	if !strings.HasPrefix(name, Root) || len(parts) != 3 {
		return "", "", 0, false
	}
	if parts[2] == pending {
		return parts[0], parts[1], 0, true
	}
	n, err := strconv.Atoi(parts[2])
	return parts[0], parts[1], n, err == nil && n > 0 && strconv.Itoa(n) == parts[2]
}

// RunOf is the run that a ref of ours preserves something of.
func RunOf(ref string) (run string, err error) {
	run, _, _, ok := parseRef(ref)
	if !ok {
		return "", fmt.Errorf("%q is not one of our refs (%s<run>/<step>/<n>)", ref, Root)
	}
	return run, nil
}

// NumberOf is the number of a ref that preserves partial work of a step; ok is
// false for any other name, a rollback under way included.
func NumberOf(name, run, step string) (n int, ok bool) {
	r, st, n, ok := parseRef(name)
	return n, ok && n > 0 && r == run && st == step
}

// why is the reflog text of a move of one of our refs.
func why(verb, ref string) string {
	run, step, _, _ := parseRef(ref)
	return "git-agent: " + verb + " " + run + "/" + step
}
