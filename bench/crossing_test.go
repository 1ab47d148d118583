package bench

import (
	"fmt"
	"testing"
)

// crossing is a line about what goes over the network. more is how many
// conversations with the remote it may have beyond the floor's; -1: not judged.
type crossing struct {
	what, floor string
	more        int64
	measure     func(t *testing.T) (floor, ours traffic, note string)
}

var crossings = []crossing{
	{"`resume` in a fresh clone of depth 1", "the clone itself", -1, freshClone},
	{"`step` without a job", "`git push`", 1, oneStep},
}

// crossed is the table of what goes over the network. It is counted, not timed:
// once is enough.
func crossed(t *testing.T) *table {
	b := tableOf("| what | floor | conversations | of the floor | requests | of the floor | bytes | of the floor | ratio of bytes | |")
	for _, c := range crossings {
		b.row(t, c.what, func(t *testing.T) string {
			floor, ours, note := c.measure(t)
			if full && c.more >= 0 && ours.talks > floor.talks+c.more {
				t.Errorf("%d conversations with the remote, at most %d", ours.talks, floor.talks+c.more)
			}
			return fmt.Sprintf("| %s | %s | %d | %d | %d | %d | %d | %d | %.2f | %s |", c.what, c.floor, ours.talks, floor.talks,
				ours.requests, floor.requests, ours.octets, floor.octets, float64(ours.octets)/float64(floor.octets), note)
		})
	}
	return b
}

// freshClone is a machine that was lost: what it takes to be where the other
// one was, beside having the target's files.
func freshClone(t *testing.T) (floor, ours traffic, note string) {
	w := worldOf(t, large())
	s := w.serve()
	fresh := *w
	floor = s.during(func() { fresh.Repo = w.Clone(s.url, "--depth", "1") })
	ours = s.during(func() { fresh.agent("resume", w.run, "--trust") })
	if got, want := fresh.Git("rev-parse", "HEAD"), w.Git("rev-parse", w.branch()); got != want {
		t.Errorf("resumed at %s, the run is at %s", got, want)
	}
	return floor, ours, fmt.Sprintf("%d steps, %d files", w.size.steps, w.size.files)
}

// oneStep leaves the first step out: it begins the run.
func oneStep(t *testing.T) (floor, ours traffic, note string) {
	w := worldOf(t, size{steps: 1, rounds: 1, files: few()})
	s := w.serve()
	hand := w.pair("crossing", s.url)
	for turn := range 2 {
		floor = s.during(func() { take(t, w.byHand(hand), turn) })
		ours = s.during(func() { take(t, w.certifying(), turn) })
	}
	return floor, ours, fmt.Sprintf("%d files", w.size.files)
}
