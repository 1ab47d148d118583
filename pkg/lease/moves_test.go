package lease_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/git-agent/git-agent/pkg/lease"
)

func TestMoves_whatTheyKeepAndChange(t *testing.T) {
	now, h := held(), lease.Holder{Owner: "me", Host: "here", Step: "s06", Tip: "c9"}
	same := func(change func(l *lease.Lease)) lease.Lease {
		l := held()
		l.ID = ""
		change(&l)
		return l
	}
	for _, test := range []struct {
		name      string
		got, want lease.Lease
	}{
		{"claim where there is none", lease.Claim(lease.Lease{}, "auth", h, "n"),
			lease.Lease{Holder: h, Run: "auth", Epoch: 1, State: lease.Held, Nonce: "n"}},
		{"claim over another", lease.Claim(now, "auth", h, "n"),
			lease.Lease{Holder: h, Run: "auth", Epoch: 8, State: lease.Held, Nonce: "n"}},
		{"beat", lease.Beat(now), same(func(l *lease.Lease) { l.Counter = 4 })},
		{"next", lease.Next(now, "s06", "c9"), same(func(l *lease.Lease) { l.Counter, l.Step, l.Tip = 4, "s06", "c9" })},
		{"release", lease.Release(now), same(func(l *lease.Lease) { l.Counter, l.State, l.Step, l.Tip = 4, lease.Released, "", "" })},
		{"pass", lease.Pass(now, "auth", h, "n"),
			lease.Lease{Holder: lease.Holder{Owner: "me", Host: "here"}, Run: "auth", Epoch: 8, State: lease.Released, Nonce: "n"}},
		{"cancel where there is none", lease.CancelFree(lease.Lease{}, "auth", "n"), lease.Lease{Run: "auth", Epoch: 1, State: lease.Cancelled, Nonce: "n"}},
		{"cancel of a free run", lease.CancelFree(now, "auth", "n"), lease.Lease{Run: "auth", Epoch: 8, State: lease.Cancelled, Nonce: "n"}},
		{"cancel", lease.Cancel(now, "n"), same(func(l *lease.Lease) { l.Counter, l.State, l.Nonce = 4, lease.Cancelled, "n" })},
	} {
		if test.got != test.want {
			t.Errorf("%s:\n%+v, want\n%+v", test.name, test.got, test.want)
		}
	}
	if now != held() {
		t.Error("a move changed its argument")
	}
}

// TestMoves_onlyGrow: whatever moves a lease, no value comes back, and only a
// sign of life, the next step and the end stay one claim.
func TestMoves_onlyGrow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := lease.Claim(lease.Lease{}, "r", lease.Holder{}, "0")
		for range rapid.IntRange(1, 20).Draw(t, "moves") {
			var next lease.Lease
			ours := true
			switch nonce := rapid.StringMatching(`[0-9a-f]{32}`).Draw(t, "nonce"); rapid.SampledFrom([]string{"claim", "pass", "cancel", "cancel free", "beat", "next", "release"}).Draw(t, "move") {
			case "claim":
				next, ours = lease.Claim(now, "r", lease.Holder{}, nonce), false
			case "pass":
				next, ours = lease.Pass(now, "r", lease.Holder{}, nonce), false
			case "cancel":
				next, ours = lease.Cancel(now, nonce), false
			case "cancel free":
				next, ours = lease.CancelFree(now, "r", nonce), false
			case "beat":
				next = lease.Beat(now)
			case "next":
				next = lease.Next(now, "s", "c")
			case "release":
				next = lease.Release(now)
			}
			if next.Epoch < now.Epoch || next.Epoch == now.Epoch && next.Counter <= now.Counter {
				t.Fatalf("%+v moved back to %+v", now, next)
			}
			if next.ID != "" || lease.SameClaim(now, next) != ours {
				t.Fatalf("%+v and %+v: one claim is %v, want %v", now, next, !ours, ours)
			}
			now = next
		}
	})
}

func TestJudge_table(t *testing.T) {
	const ttl = 2 * time.Minute
	with := func(state lease.State) lease.Lease { l := held(); l.State = state; return l }
	mine, beaten, released := held(), held(), with(lease.Released)
	beaten.Counter++
	early, due := lease.Look{Unchanged: ttl - 1, TTL: ttl}, lease.Look{Unchanged: ttl, TTL: ttl}
	dead, ordered := lease.Look{OwnerDead: true, TTL: ttl}, lease.Look{Override: true, TTL: ttl}
	for _, test := range []struct {
		name      string
		now, mine lease.Lease
		look      lease.Look
		want      lease.Stance
	}{
		{"absent", lease.Lease{}, lease.Lease{}, early, lease.Free},
		{"absent, I had one", lease.Lease{}, mine, early, lease.Free},
		{"released", released, lease.Lease{}, early, lease.Free},
		{"released, of mine", released, mine, early, lease.Free},
		{"mine", held(), mine, early, lease.Mine},
		{"mine, a sign of life later", beaten, mine, early, lease.Mine},
		{"mine, silent", held(), mine, due, lease.Mine},
		{"another's", held(), lease.Lease{}, early, lease.Wait},
		{"another's, silent", held(), lease.Lease{}, due, lease.TakeOver},
		{"another's, dead", held(), lease.Lease{}, dead, lease.TakeOver},
		{"another's, ordered", held(), lease.Lease{}, ordered, lease.TakeOver},
		{"cancelled", with(lease.Cancelled), lease.Lease{}, early, lease.Stopped},
		{"cancelled, silent", with(lease.Cancelled), lease.Lease{}, due, lease.Stopped},
		{"cancelled, dead", with(lease.Cancelled), lease.Lease{}, dead, lease.Stopped},
		{"cancelled, mine", lease.Cancel(withID(mine), "n"), mine, early, lease.Stopped},
		{"cancelled, ordered", with(lease.Cancelled), lease.Lease{}, ordered, lease.TakeOver},
	} {
		if test.now.State == lease.Cancelled {
			test.now.ID = "c4"
		}
		if got := lease.Judge(test.now, test.mine, test.look); got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
	}
}

func withID(l lease.Lease) lease.Lease { l.ID = "c3"; return l }

// TestCase120_SameClaim_takeoverIsAnother: after a take-over the first holder's
// lease is not of the same claim any more, however it is spelled otherwise.
func TestCase120_SameClaim_takeoverIsAnother(t *testing.T) {
	mine := held()
	taken := lease.Claim(mine, mine.Run, mine.Holder, "another nonce")
	copied := lease.Claim(mine, mine.Run, mine.Holder, mine.Nonce)
	if lease.SameClaim(mine, taken) || lease.SameClaim(mine, copied) || lease.SameClaim(lease.Lease{}, lease.Lease{}) {
		t.Error("a claim is taken for another")
	}
	if !lease.SameClaim(mine, lease.Beat(mine)) || !lease.SameClaim(mine, lease.Next(mine, "s", "c")) || !lease.SameClaim(mine, lease.Release(mine)) {
		t.Error("the holder does not know its own lease")
	}
}

func TestSettle_table(t *testing.T) {
	type refs = map[string]string
	sent, before := refs{"branch": "b1", "lease": "l1"}, refs{"branch": "b0", "lease": "l0"}
	for _, test := range []struct {
		name                string
		sent, before, after refs
		want                lease.Verdict
	}{
		{"both arrived", sent, before, refs{"branch": "b1", "lease": "l1"}, lease.Won},
		{"other refs do not count", sent, before, refs{"branch": "b1", "lease": "l1", "x": "y"}, lease.Won},
		{"nothing moved", sent, before, refs{"branch": "b0", "lease": "l0"}, lease.Again},
		{"taken over", sent, before, refs{"branch": "b0", "lease": "l2"}, lease.Fenced},
		{"arrived, then taken over", sent, before, refs{"branch": "b1", "lease": "l2"}, lease.Fenced},
		{"a person's push", sent, before, refs{"branch": "p1", "lease": "l0"}, lease.Fenced},
		{"only the lease arrived", sent, before, refs{"branch": "b0", "lease": "l1"}, lease.Fenced},
		{"only the branch arrived", sent, before, refs{"branch": "b1", "lease": "l0"}, lease.Fenced},
		{"deleted", sent, before, refs{"branch": "b0"}, lease.Fenced},
		{"first claim arrived", refs{"lease": "l1"}, refs{}, refs{"lease": "l1"}, lease.Won},
		{"first claim did not", refs{"lease": "l1"}, refs{}, refs{}, lease.Again},
		{"first claim was second", refs{"lease": "l1"}, refs{}, refs{"lease": "l9"}, lease.Fenced},
	} {
		if got := lease.Settle(test.sent, test.before, test.after); got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
	}
}
