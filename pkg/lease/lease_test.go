package lease_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-agent/git-agent/pkg/lease"
)

func held() lease.Lease {
	return lease.Lease{ID: "1a2b", Run: "auth", Epoch: 7, Counter: 3, State: lease.Held, Nonce: "00ff",
		Holder: lease.Holder{Owner: `{"pid":12,"boot":"x y"}`, Host: "build-3", Step: "s05", Tip: strings.Repeat("a", 40)}}
}

func TestRef_isAboveNoBranch(t *testing.T) {
	if got := lease.Ref("auth"); got != "refs/agent-lease/auth" {
		t.Error(got)
	}
}

func TestLease_Message_text(t *testing.T) {
	want := `lease of auth: held, epoch 7

Agent-Run: auth
Agent-Step: s05
Agent-State: held
Agent-Epoch: 7
Agent-Counter: 3
Agent-Host: build-3
Agent-Owner: {"pid":12,"boot":"x y"}
Agent-Tip: ` + strings.Repeat("a", 40) + `
Agent-Nonce: 00ff
`
	if got, err := held().Message(); err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
}

// TestLease_Message_readsBack: what can be written is read back as it is, and
// what cannot be is refused, not bent.
func TestLease_Message_readsBack(t *testing.T) {
	odd := rapid.SampledFrom([]string{"", "x", " x", "a: b", "a\nAgent-State: released", "---", "\x1b[2J", "é", "\xff", "#", "x ", "Agent-Nonce: 1"})
	text := rapid.OneOf(odd, rapid.String(), rapid.StringMatching(`[ -~]{1,40}`))
	rapid.Check(t, func(t *rapid.T) {
		l := lease.Lease{ID: "id", Run: text.Draw(t, "run"), Nonce: text.Draw(t, "nonce"),
			Epoch: rapid.IntRange(1, 1<<40).Draw(t, "epoch"), Counter: rapid.IntRange(0, 1<<40).Draw(t, "counter"),
			State: rapid.SampledFrom([]lease.State{lease.Held, lease.Released, lease.Cancelled}).Draw(t, "state"),
			By:    text.Draw(t, "by"),
			Holder: lease.Holder{Owner: text.Draw(t, "owner"), Host: text.Draw(t, "host"),
				Step: text.Draw(t, "step"), Tip: text.Draw(t, "tip")}}
		message, err := l.Message()
		if err != nil || l.Run == "" || l.Nonce == "" {
			return
		}
		if got, err := lease.Parse("id", message); err != nil || got != l {
			t.Fatalf("%+v became %+v, %v by\n%s", l, got, err, message)
		}
	})
}

// TestParse_hostileMessages: a commit that is no lease, or says two things, is
// an error and never nobody's lease.
func TestParse_hostileMessages(t *testing.T) {
	good, err := held().Message()
	if err != nil {
		t.Fatal(err)
	}
	swap := func(old, with string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("%q is not in the message", old)
		}
		return strings.Replace(good, old, with, 1)
	}
	for name, message := range map[string]string{
		"empty":             "",
		"a person's commit": "fix the build\n",
		"in the body":       good + "\nThat was it.\n",
		"no state":          swap("Agent-State: held\n", ""),
		"two states":        swap("Agent-State: held\n", "Agent-State: held\nAgent-State: released\n"),
		"two, other case":   swap("Agent-State: held\n", "Agent-State: held\nagent-state: released\n"),
		"a new state":       swap("held\n", "gone\n"),
		"state in capitals": swap("Agent-State: held", "Agent-State: Held"),
		"no run":            swap("Agent-Run: auth\n", ""),
		"two runs":          swap("Agent-Run: auth\n", "Agent-Run: auth\nAgent-Run: other\n"),
		"no nonce":          swap("Agent-Nonce: 00ff\n", ""),
		"no epoch":          swap("Agent-Epoch: 7\n", ""),
		"epoch 0":           swap("Epoch: 7", "Epoch: 0"),
		"negative epoch":    swap("Epoch: 7", "Epoch: -7"),
		"epoch in words":    swap("Epoch: 7", "Epoch: seven"),
		"epoch too big":     swap("Epoch: 7", "Epoch: 99999999999999999999"),
		"no counter":        swap("Agent-Counter: 3\n", ""),
		"negative counter":  swap("Counter: 3", "Counter: -1"),
	} {
		if l, err := lease.Parse("1a2b", message); err == nil || l != (lease.Lease{}) || !strings.Contains(err.Error(), "1a2b") {
			t.Errorf("%s: %+v, %v", name, l, err)
		}
	}
}

// TestParse_neverPanics joins lines that a lease is made of in any order.
func TestParse_neverPanics(t *testing.T) {
	lines := []string{"", "T", "Agent-Run: r", "agent-run:r", "Agent-State: held", "Agent-State:", "Agent-Epoch: 1", "Agent-Epoch: 1e9",
		"Agent-Epoch: \xff", "Agent-Counter: 0", "Agent-Counter: +1", " folded", "Agent-Nonce: n", "Agent-Owner: {", "---", "\r", "# x", "\x00"}
	rapid.Check(t, func(t *rapid.T) {
		picked := rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(lines), rapid.String()), 0, 14).Draw(t, "lines")
		l, err := lease.Parse("id", strings.Join(picked, "\n"))
		if err == nil && (l.ID != "id" || l.Run == "" || l.Nonce == "" || l.Epoch < 1 || l.Counter < 0 || l.State == "") {
			t.Fatalf("accepted: %+v", l)
		}
	})
}
