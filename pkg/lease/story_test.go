package lease_test

import "testing"

// story plays moves of the model by name, with "one" and "two" for the workers.
func story(t *testing.T, left budget, moves ...string) (*model, world) {
	t.Helper()
	m, w := newModel(t, rules{}, steps), world{left: left}
	for _, told := range moves {
		k, name := 0, told[len("one "):]
		if told[:len("two ")] == "two " {
			k = 1
		}
		possible := false
		for _, mv := range workerMoves {
			possible = possible || mv.name == name && mv.do(m, &w, k)
		}
		if !possible || m.broken != 0 {
			t.Fatalf("%s: possible is %v, broken %s", told, possible, m.broken)
		}
	}
	return m, w
}

var takenOver = []string{
	"one claims", "one its push is delivered", "one reads back", "one runs job and checks to the end",
	"two claims", "two its push is delivered", "two reads back",
	"one pushes the certificate", "one reads back",
}

// TestCase119: a holder that was taken over publishes nothing, and knows it.
func TestCase119_takenOverHolderPublishesNothing(t *testing.T) {
	_, w := story(t, handed, takenOver...)
	if w.branch != 0 || w.workers[0] != (worker{}) || w.workers[1].phase != working {
		t.Errorf("%+v", w)
	}
}

// TestCase120: the take-over is a new epoch, and the new holder goes on.
func TestCase120_takeoverWritesAnEpoch(t *testing.T) {
	m, w := story(t, handed, append(takenOver, "two runs job and checks to the end", "two pushes the certificate", "two its push is delivered")...)
	if count, sound := m.recorded(w.branch); count != 1 || !sound || m.leases[w.lease].Epoch != 2 {
		t.Errorf("%d steps, %v, lease %+v", count, sound, m.leases[w.lease])
	}
}

// TestProtocol_ownLateSignOfLifeFencesNobody: the certificate is refused over
// it, and goes out again over the newer value of the same claim.
func TestProtocol_ownLateSignOfLifeFencesNobody(t *testing.T) {
	left := handed
	left.beats = 1
	m, w := story(t, left, "one claims", "one its push is delivered", "one reads back", "one pushes a sign of life",
		"one gives up, its push stays under way", "one reads back", "one runs job and checks to the end", "one pushes the certificate")
	late(m, &w, 0)
	for _, do := range []func(*model, *world, int) bool{deliver, readBack, push, deliver} {
		if !do(m, &w, 0) {
			t.Fatalf("stuck: %+v", w)
		}
	}
	if count, sound := m.recorded(w.branch); count != 1 || !sound || m.broken != 0 {
		t.Errorf("%d steps, %v, broken %s", count, sound, m.broken)
	}
}
