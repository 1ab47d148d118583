// Package lease is the protocol by which several machines share one run (the
// design, section 11): what the ref refs/agent-lease/<run> says, how it moves,
// and how a push whose end was not seen is decided. It is pure: values in,
// values out. The remote's compare-and-swap is the fence; clocks only serve
// liveness; nothing here reads one, runs anything, or asks git.
//
//	mine := lease.Claim(now, lease.Holder{…}, nonce)   // push with the old value as lease
//	if lease.Settle(sent, before, after) == lease.Won { … }
package lease

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/git-agent/git-agent/pkg/trailers"
)

// Prefix is above every lease ref.
const Prefix = "refs/agent-lease/"

// Ref is the full name of a run's lease.
func Ref(run string) string { return Prefix + run }

// State is what a lease says about its holder.
type State string

// The states. Cancelled: somebody asked the holder to stop; it acts on it, and
// nothing is recorded after it was accepted.
const (
	Held      State = "held"
	Released  State = "released"
	Cancelled State = "cancelled"
)

// Holder is who works on a run, where, and on what.
type Holder struct {
	Owner string // identity of the process, as one line of JSON; proves death on its own machine
	Host  string // for people
	Step  string // "" where no job runs
	Tip   string // where the step's attempt started: its boundary in any clone
}

// Lease is one value of the ref: a parentless commit. The zero Lease, with no
// ID, is an absent ref.
type Lease struct {
	Holder
	ID      string // the commit
	Run     string
	Epoch   int // grows with every change of holder
	Counter int // grows while the holder lives
	State   State
	Nonce   string // 128 bits: two claims never push the same object
	By      string // who cancelled, for people
}

const (
	keyEpoch   = "Agent-Epoch"
	keyCounter = "Agent-Counter"
	keyState   = "Agent-State"
	keyOwner   = "Agent-Owner"
	keyHost    = "Agent-Host"
	keyTip     = "Agent-Tip"
	keyNonce   = "Agent-Nonce"
	keyBy      = "Agent-Cancelled-By"
)

// Message is the commit message that holds a lease.
func (l Lease) Message() (string, error) {
	m := trailers.Message{Subject: fmt.Sprintf("lease of %s: %s, epoch %d", l.Run, l.State, l.Epoch)}
	for _, t := range []trailers.Trailer{
		{Key: trailers.KeyRun, Value: l.Run}, {Key: trailers.KeyStep, Value: l.Step},
		{Key: keyState, Value: string(l.State)}, {Key: keyEpoch, Value: strconv.Itoa(l.Epoch)},
		{Key: keyCounter, Value: strconv.Itoa(l.Counter)}, {Key: keyHost, Value: l.Host},
		{Key: keyOwner, Value: l.Owner}, {Key: keyTip, Value: l.Tip}, {Key: keyNonce, Value: l.Nonce},
		{Key: keyBy, Value: l.By},
	} {
		if t.Value != "" {
			m.Trailers = append(m.Trailers, t)
		}
	}
	return trailers.Format(m)
}

// Parse reads a lease back. A commit that is none is an error: whoever holds
// the run then is unknown, which is never "nobody".
func Parse(id, message string) (Lease, error) {
	m := trailers.Parse(message)
	l := Lease{ID: id, Run: one(m, trailers.KeyRun), State: State(one(m, keyState)), Nonce: one(m, keyNonce), By: one(m, keyBy),
		Holder: Holder{Owner: one(m, keyOwner), Host: one(m, keyHost), Step: one(m, trailers.KeyStep), Tip: one(m, keyTip)}}
	var errEpoch, errCounter error
	l.Epoch, errEpoch = strconv.Atoi(one(m, keyEpoch))
	l.Counter, errCounter = strconv.Atoi(one(m, keyCounter))
	switch l.State {
	case Held, Released, Cancelled:
	default:
		return Lease{}, fmt.Errorf("lease %s: its state is %q", id, l.State)
	}
	if err := errors.Join(errEpoch, errCounter); err != nil {
		return Lease{}, fmt.Errorf("lease %s: %w", id, err)
	}
	if l.Run == "" || l.Nonce == "" || l.Epoch < 1 || l.Counter < 0 {
		return Lease{}, fmt.Errorf("lease %s: it names no run, epoch or nonce", id)
	}
	return l, nil
}

func one(m trailers.Message, key string) string {
	values := m.Values(key)
	if len(values) != 1 {
		return ""
	}
	return values[0]
}
