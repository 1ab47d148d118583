package lease_test

import (
	"fmt"
	"testing"

	"github.com/git-agent/git-agent/pkg/lease"
)

// The model of the explorer (the design, section 11): two workers, one remote
// with two refs. What a worker may do, what it pushes and what became of a push
// is decided by this package's own functions; the model adds the remote, the
// network and the order of events. Clocks do not exist: a lease may be taken
// over at any time.

type (
	commitNo uint8
	leaseNo  uint16
	claimNo  uint8
)

// overridden marks the number of a claim that a person ordered over a cancel.
const overridden claimNo = 0x80

// commit is one on the run's branch. Step 0 is a person's.
type commit struct {
	parent  commitNo
	step    uint8
	by      claimNo
	checked bool // its checks ran to the end, on its tree
}

// budget is what is left of everything that could go on for ever.
type budget struct {
	claims, passes, beats, crashes, errors, cancels, persons, overrides uint8
}

// flight is a push on its way to the remote: the commands that git sent after
// it saw the remote's refs. No new value: the ref is not in the push.
type flight struct {
	leaseOld, leaseNew   leaseNo
	branchOld, branchNew commitNo
	by, under            claimNo // for the invariants: who pushes, over whose claim
}

type phase uint8

const (
	idle    phase = iota // no command runs; cert is what an earlier one left unpushed
	working              // the job and its checks run
	ready                // certified here
	waiting              // a push is under way
	unsure               // its end was not seen, or not clean
)

type action uint8

const (
	claiming action = iota + 1
	beating
	certifying
	releasing
)

type worker struct {
	phase        phase
	doing        action // what the push is for
	pass         bool   // without a job: it claims nothing
	step         uint8
	by, under    claimNo
	tip, cert    commitNo // what the branch was, and what it is to be
	before, sent leaseNo  // what the lease was, and what it is to be
	flight       flight
}

// world is one state. It is comparable: equal worlds are one state.
type world struct {
	branch  commitNo
	lease   leaseNo
	owner   claimNo // for the invariants: whose push made the lease what it is
	stopped bool    // for the invariants: a cancel was accepted, and not overridden
	begun   claimNo // claims and passes so far
	workers [2]worker
	late    [3]flight // pushes whose client gave up or died
	left    budget
}

// model holds the objects that worlds name by number, and the variant.
type model struct {
	t       testing.TB
	rules   rules
	steps   uint8
	leases  []lease.Lease
	leaseOf map[lease.Lease]leaseNo
	commits []commit
	made    map[commit]commitNo
	broken  breach // by the transition under way
}

func newModel(t testing.TB, r rules, steps uint8) *model {
	return &model{t: t, rules: r, steps: steps, leases: make([]lease.Lease, 1), leaseOf: map[lease.Lease]leaseNo{},
		commits: make([]commit, 1), made: map[commit]commitNo{}}
}

// object is the lease as the commit it would be: what is spelled alike is one
// object, as it is in git for commits of the same second.
func (m *model) object(l lease.Lease) leaseNo {
	l.ID = ""
	if no, ok := m.leaseOf[l]; ok {
		return no
	}
	no := leaseNo(len(m.leases))
	m.leaseOf[l] = no
	l.ID = fmt.Sprintf("L%d", no)
	text, err := l.Message()
	if err != nil {
		m.t.Fatalf("a lease that cannot be written: %+v: %v", l, err)
	}
	if back, err := lease.Parse(l.ID, text); err != nil || back != l {
		m.t.Fatalf("%+v is read back as %+v, %v", l, back, err)
	}
	m.leases = append(m.leases, l)
	return no
}

func (m *model) certify(c commit) commitNo {
	if no, ok := m.made[c]; ok {
		return no
	}
	if len(m.commits) > 255 {
		m.t.Fatal("more commits than the model has numbers for")
	}
	no := commitNo(len(m.commits))
	m.made[c] = no
	m.commits = append(m.commits, c)
	return no
}

// below reports whether a is b or below it.
func (m *model) below(a, b commitNo) bool {
	for b != a && b != 0 {
		b = m.commits[b].parent
	}
	return a == b
}

// recorded is how many steps the branch records, and whether in plan order and
// each once.
func (m *model) recorded(tip commitNo) (count uint8, sound bool) {
	if tip == 0 {
		return 0, true
	}
	count, sound = m.recorded(m.commits[tip].parent)
	if step := m.commits[tip].step; step != 0 {
		sound = sound && step == count+1
		count = max(count, step)
	}
	return count, sound
}

func (m *model) complete(w *world) bool {
	count, _ := m.recorded(w.branch)
	return count == m.steps
}
