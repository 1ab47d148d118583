package job

import (
	"context"
	"errors"
	"testing"
	"time"
)

var errNotOurs = errors.New("not this runner's any more")

func always() error { return nil }

// Busy for everybody but the attempt's own runner, which waits its turn.
func TestFence_onlyTheRunnerWaits(t *testing.T) {
	p, _ := newPlace(t)
	a := newAttempt(t, p, 1)
	other, err := a.TryFence(Holder{}, always)
	must(t, err)
	var busy *BusyError
	if _, err := a.TryFence(Holder{}, always); !errors.As(err, &busy) {
		t.Fatalf("second: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	asked := 0
	l, err := a.Fence(ctx, Holder{}, func() error {
		if asked++; asked == 3 {
			return other.Unlock()
		}
		return nil
	})
	must(t, err)
	if asked < 4 {
		t.Errorf("asked %d times: before each try, and under the fence", asked)
	}
	must(t, l.Unlock())
}

// While a runner waits for a busy fence the attempt gets another owner, or is
// replaced: it stops, and never holds the fence.
func TestFence_busyAgainstOwnerChange(t *testing.T) {
	p, _ := newPlace(t)
	a := newAttempt(t, p, 1)
	other, err := a.TryFence(Holder{}, always)
	must(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	asked := 0
	_, err = a.Fence(ctx, Holder{}, func() error {
		if asked++; asked == 3 {
			return errNotOurs
		}
		return nil
	})
	if !errors.Is(err, errNotOurs) {
		t.Fatal(err)
	}
	must(t, other.Unlock())
	free(t, a)
}

// What was true before the fence was had is asked again under it.
func TestFence_validatedUnderTheFence(t *testing.T) {
	p, _ := newPlace(t)
	a := newAttempt(t, p, 1)
	if _, err := a.TryFence(Holder{}, func() error { return errNotOurs }); !errors.Is(err, errNotOurs) {
		t.Fatal(err)
	}
	free(t, a)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	held, err := a.TryFence(Holder{}, always)
	must(t, err)
	if _, err := a.Fence(ctx, Holder{}, always); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
	must(t, held.Unlock())
}

func free(t *testing.T, a *Attempt) {
	t.Helper()
	l, err := a.TryFence(Holder{}, always)
	must(t, err)
	must(t, l.Unlock())
}

// Each attempt has its own fence and its own files: an old clean-up reaches
// nothing of a newer one.
func TestAttempt_Clean_oldAgainstNewer(t *testing.T) {
	p, _ := newPlace(t)
	old, newer := newAttempt(t, p, 1), newAttempt(t, p, 2)
	drained(t, old, begin(t, old, "__bytes", "0s"))
	begin(t, newer, "__bytes", "300us")
	held, err := newer.TryFence(Holder{}, always)
	must(t, err)
	must(t, old.Clean())
	free(t, old)
	drained(t, newer, nil)
	wantWhole(t, logsOf(t, newer), LogName)
	wantWhole(t, logsOf(t, old), LogName)
	must(t, held.Unlock())
}

// A clean-up of a log that is not complete keeps everything.
func TestAttempt_Clean_notBeforeTheCompletion(t *testing.T) {
	p, _ := newPlace(t)
	a := newAttempt(t, p, 1)
	<-begin(t, a, "__bytes", "0s").Ended()
	must(t, a.Clean())
	drained(t, a, nil)
	wantWhole(t, logsOf(t, a), LogName)
}
