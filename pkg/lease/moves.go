package lease

import "time"

// Claim is the lease of a new holder over what the ref holds now (the zero
// Lease where it is absent).
func Claim(now Lease, run string, h Holder, nonce string) Lease {
	return Lease{Holder: h, Run: run, Epoch: now.Epoch + 1, State: Held, Nonce: nonce}
}

// Beat is a sign of life of the holder.
func Beat(mine Lease) Lease {
	mine.ID, mine.Counter = "", mine.Counter+1
	return mine
}

// Next is what a certificate's push moves the lease to where its holder goes
// on: the step that it does now, and the certificate as the tip it starts
// from. Naming the certificate makes it an object that no sign of life can
// have brought before: git leaves a ref that already has the value sent out of
// the push, and the branch would land without its fence.
func Next(mine Lease, step, tip string) Lease {
	mine.Step, mine.Tip = step, tip
	return Beat(mine)
}

// Release is the holder's last word: the run is free.
func Release(mine Lease) Lease {
	mine.ID, mine.Counter, mine.State, mine.Step, mine.Tip = "", mine.Counter+1, Released, "", ""
	return mine
}

// Pass is what a push without a job moves the lease to: it claims nothing, but
// whoever held an older value is fenced by it.
func Pass(now Lease, run string, h Holder, nonce string) Lease {
	h.Step, h.Tip = "", ""
	l := Claim(now, run, h, nonce)
	l.State = Released
	return l
}

// Cancel asks the holder to stop.
func Cancel(now Lease, nonce string) Lease {
	now.ID, now.Counter, now.State, now.Nonce = "", now.Counter+1, Cancelled, nonce
	return now
}

// CancelFree cancels a run that nobody works on, the zero Lease included: whoever
// wants to begin finds it.
func CancelFree(now Lease, run, nonce string) Lease {
	l := Claim(now, run, Holder{}, nonce)
	l.State = Cancelled
	return l
}

// Stance is what a command that wants to write may do about a lease.
type Stance int

// The stances.
const (
	Free     Stance = iota // absent or released: claim
	Mine                   // this process holds it
	Wait                   // somebody else holds it: watch it for one time to live
	TakeOver               // its holder is dead, silent for too long, or overridden
	Stopped                // cancelled: only a person's order (--takeover) goes on
)

// Look is what is known about a lease besides its value.
type Look struct {
	OwnerDead bool          // provably, on this machine
	Unchanged time.Duration // how long its value stood still, on our monotonic clock
	TTL       time.Duration
	Override  bool // --takeover
}

// Judge says what may be done about the lease that the ref holds. Silence and
// death free a held lease, not a cancelled one: nothing is recorded after an
// accepted cancel, and its holder is expected to fall silent.
func Judge(now Lease, mine Lease, look Look) Stance {
	switch {
	case now.ID == "" || now.State == Released:
		return Free
	case now.State == Cancelled && !look.Override:
		return Stopped
	case SameClaim(now, mine):
		return Mine
	case look.Override || look.OwnerDead || look.Unchanged >= look.TTL:
		return TakeOver
	}
	return Wait
}

// SameClaim reports whether two values are of one claim: the same epoch and
// nonce, whatever the counter.
func SameClaim(a, b Lease) bool {
	return a.Nonce != "" && a.Nonce == b.Nonce && a.Epoch == b.Epoch
}

// Verdict is what became of a push whose end was not seen.
type Verdict int

// The verdicts.
const (
	Won    Verdict = iota // every ref is as it was sent
	Again                 // every ref is as it was before: send the same objects again
	Fenced                // somebody else moved one of them
)

// Settle decides a push from what the remote holds after it, by ref: sent is
// what was to be, before what was known, after what was read back. A client
// may exit non-zero for a push that was applied, so only the refs decide.
func Settle(sent, before, after map[string]string) Verdict {
	won, untouched := true, true
	for ref, want := range sent {
		won = won && after[ref] == want
		untouched = untouched && after[ref] == before[ref]
	}
	switch {
	case won:
		return Won
	case untouched:
		return Again
	}
	return Fenced
}
