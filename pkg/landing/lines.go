package landing

import (
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/trailers"
)

// Claim is what one message of the target says about one step.
type Claim struct {
	Run, Step string
	Tree      string // the tree that was certified, "" where it is not said
	// Checks are the commands that passed, a line each; "" where a line of them
	// does not read, as after a forge that wraps lines.
	Checks string
}

// Claims reads the lines of a message that name steps of runs, and those that
// say which were undone. They are lines
// and not trailers: a forge that squashes puts its own paragraph below, and
// `git merge --squash` indents what it quotes (both measured), so that git
// reads no trailer there. A step counts with the run named above it and a
// check below, as every certificate has them; a mention in prose has not. A
// step that the same message takes back does not count.
func Claims(message string) (made, undone []Claim) {
	if !strings.Contains(strings.ToLower(message), strings.ToLower(trailers.KeyRun)) {
		return nil, nil
	}
	r := claimReader{}
	for line := range strings.Lines(message) {
		r.line(strings.Trim(line, " \t\r\n"))
	}
	r.end()
	return slices.DeleteFunc(r.found, func(c Claim) bool { return slices.Contains(r.undone, Claim{Run: c.Run, Step: c.Step}) }), r.undone
}

type claimReader struct {
	run     string
	open    Claim
	checked bool
	wrapped bool // a check's line does not read
	found   []Claim
	undone  []Claim
}

func (r *claimReader) line(line string) {
	key, value, ok := strings.Cut(line, ": ")
	if !ok {
		return
	}
	is := func(k string) bool { return strings.EqualFold(key, k) }
	switch value = strings.Trim(value, " \t"); {
	case is(trailers.KeyRun):
		r.end()
		r.run = value
	case is(trailers.KeyStep):
		r.end()
		r.open = Claim{Run: r.run, Step: value}
	case is(trailers.KeyCheck):
		r.check(value)
	case is(trailers.KeyTree):
		r.open.Tree = value
	case is(trailers.KeyUndo):
		r.undone = append(r.undone, Claim{Run: r.run, Step: value})
	}
}

func (r *claimReader) check(value string) {
	r.checked = true
	c, err := trailers.ParseCheck(value)
	r.wrapped = r.wrapped || err != nil
	r.open.Checks += c.Command + "\n"
}

// end files the step that was open.
func (r *claimReader) end() {
	valid := trailers.ValidID(r.open.Run) == nil && trailers.ValidID(r.open.Step) == nil
	if r.wrapped {
		r.open.Checks = ""
	}
	if valid && r.checked {
		r.found = append(r.found, r.open)
	}
	r.open, r.checked, r.wrapped = Claim{}, false, false
}
