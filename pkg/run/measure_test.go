package run

import (
	"math"
	"testing"
	"time"

	"github.com/git-agent/git-agent/pkg/check"
)

// Values of Wilson's interval as statistics packages give them (R,
// binom::binom.confint, method "wilson").
func TestRate(t *testing.T) {
	for _, c := range []struct {
		passes, runs     int
		share, low, high float64
	}{
		{0, 0, 0, 0, 1}, {1, 1, 1, 0.2065, 1}, {0, 1, 0, 0, 0.7935}, {10, 10, 1, 0.7225, 1}, {19, 20, 0.95, 0.7639, 0.9911},
		{5, 10, 0.5, 0.2366, 0.7634}, {0, 100, 0, 0, 0.037}, {999, 1000, 0.999, 0.9944, 0.9998},
	} {
		share, low, high := rate(c.passes, c.runs)
		for _, pair := range [][2]float64{{share, c.share}, {low, c.low}, {high, c.high}} {
			if math.Abs(pair[0]-pair[1]) > 0.0002 {
				t.Errorf("%d of %d: %.4f [%.4f, %.4f], want %.4f [%.4f, %.4f]", c.passes, c.runs, share, low, high, c.share, c.low, c.high)
				break
			}
		}
	}
}

func TestCheckTally_add(t *testing.T) {
	pass := func(ms int) check.Result {
		return check.Result{Outcome: check.Outcome{Kind: check.Exit}, Duration: time.Duration(ms) * time.Millisecond}
	}
	fail := check.Result{Outcome: check.Outcome{Kind: check.Timeout}, Duration: 2 * time.Second, Merged: check.Tail{Bytes: []byte("why")}}
	var tally CheckTally
	tally.add(pass(100))
	tally.add(pass(300))
	if tally.Flaky || tally.Outcome != "exit=0" || tally.Rate != 1 {
		t.Errorf("two passes: %+v", tally)
	}
	tally.add(fail)
	tally.add(pass(200))
	if !tally.Flaky || tally.Outcome != "timeout" || tally.Tail != "why" || tally.Passes != 3 || tally.Runs != 4 {
		t.Errorf("a failure among passes: %+v", tally)
	}
	if tally.Fastest != 0.1 || tally.Median != 0.3 || tally.Slowest != 2 {
		t.Errorf("seconds %v, %v, %v", tally.Fastest, tally.Median, tally.Slowest)
	}
}
