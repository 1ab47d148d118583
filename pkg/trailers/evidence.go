package trailers

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Evidence is what a certificate, or a failure record, claims. Numbers are 0
// and texts empty where the trailer is absent.
type Evidence struct {
	Run, Step string
	// Checks are in plan order; never empty in sound evidence.
	Checks      []Check
	PlanVersion int
	// Tree is the object id of the tree the checks ran against. It may be
	// absent when read, which costs the guard.
	Tree    string
	Attempt int
	// Strays are repository-relative paths, raw bytes as git stores them.
	Strays      []string
	Dirty       int
	Notes       []string
	Fingerprint string
	// Refutes is the certificate that a failure record contradicts.
	Refutes string
	// Other is every other trailer of the block, in order: unknown Agent-*
	// keys and foreign ones such as Signed-off-by.
	Other []Trailer
}

// Passed reports that there are checks and all of them ended with exit 0.
func (e Evidence) Passed() bool {
	failed := func(c Check) bool { return !c.Outcome.Passed() }
	return len(e.Checks) > 0 && !slices.ContainsFunc(e.Checks, failed)
}

// Trailers returns the block in the order of the design, section 4: run, step,
// checks, plan version, tree, attempt, strays, dirty, notes, fingerprint,
// refuted certificate, others. It refuses, all faults at once, what [Read]
// would not read back as e.
//
// Paths that hold control characters, are not UTF-8, have outer blanks or
// begin with a quote are written as git quotes paths.
func (e Evidence) Trailers() ([]Trailer, error) {
	w := &writer{}
	w.text(KeyRun, e.Run)
	w.evidence(e)
	w.block = append(w.block, e.Other...)
	for _, t := range e.Other {
		if known(t.Key) {
			w.fault("%q stands among the other trailers", t.Key)
		}
	}
	_, faults := readEvidence(w.block)
	for _, f := range faults {
		w.fault("%s", f)
	}
	w.faults = append(w.faults, blockFaults(e.Other)...)
	if len(w.faults) > 0 {
		return nil, errors.Join(w.faults...)
	}
	return w.block, nil
}

// SquashTrailers returns the one block of a landed squash: the run once, then one
// group for each of the evidences, begun by its Agent-Step, then the others'
// trailers without repetition. [Read] answers [Squash] for it where there are
// two groups or more. All must be of one run and without faults.
func SquashTrailers(groups []Evidence) ([]Trailer, error) {
	if len(groups) == 0 {
		return nil, errors.New("nothing to squash")
	}
	w := &writer{}
	w.text(KeyRun, groups[0].Run)
	var others []Trailer
	for i, e := range groups {
		if _, err := e.Trailers(); err != nil {
			w.fault("group %d, step %q: %s", i+1, e.Step, oneLine(err))
		}
		if e.Run != groups[0].Run {
			w.fault("group %d, step %q: run %q is not %q", i+1, e.Step, e.Run, groups[0].Run)
		}
		w.evidence(e)
		for _, t := range e.Other {
			if !slices.Contains(others, t) {
				others = append(others, t)
			}
		}
	}
	if len(w.faults) > 0 {
		return nil, errors.Join(w.faults...)
	}
	return append(w.block, others...), nil
}

// oneLine is the text of joined errors on one line.
func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }

// writer collects a block and what is wrong with it.
type writer struct {
	block  []Trailer
	faults []error
}

func (w *writer) fault(format string, args ...any) {
	w.faults = append(w.faults, fmt.Errorf(format, args...))
}

func (w *writer) text(key, value string) {
	if value != "" {
		w.block = append(w.block, Trailer{key, value})
	}
}

func (w *writer) number(key string, n int) {
	if n != 0 {
		w.block = append(w.block, Trailer{key, strconv.Itoa(n)})
	}
}

// evidence writes everything but the run and the other trailers.
func (w *writer) evidence(e Evidence) {
	w.text(KeyStep, e.Step)
	for _, c := range e.Checks {
		value, err := FormatCheck(c)
		if err != nil {
			w.fault("check %q: %s", c.Command, oneLine(err))
			continue
		}
		w.text(KeyCheck, value)
	}
	w.number(KeyPlanVersion, e.PlanVersion)
	w.text(KeyTree, e.Tree)
	w.number(KeyAttempt, e.Attempt)
	for _, path := range e.Strays {
		if path == "" {
			w.fault("a stray path is empty")
			continue
		}
		w.text(KeyStray, quotePath(path))
	}
	w.number(KeyDirty, e.Dirty)
	for _, note := range e.Notes {
		w.note(note)
	}
	w.text(KeyFingerprint, e.Fingerprint)
	w.text(KeyRefutes, e.Refutes)
}

func (w *writer) note(note string) {
	if note == "" {
		w.fault("a note is empty")
		return
	}
	w.text(KeyNote, note)
}
