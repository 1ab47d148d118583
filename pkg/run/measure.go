package run

import (
	"math"
	"slices"
	"time"

	"github.com/git-agent/git-agent/pkg/check"
)

// CheckTally is what the runs of one check came to: fields are only added.
type CheckTally struct {
	Command string  `json:"command"`
	Runs    int     `json:"runs"`
	Passes  int     `json:"passes"`
	Rate    float64 `json:"rate"`
	// Low and High bound the rate with 95 % confidence (Wilson's interval).
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Flaky bool    `json:"flaky"` // it passed and failed, on one tree
	// Seconds of a run: the fastest, the one in the middle, the slowest.
	Fastest float64 `json:"fastest"`
	Median  float64 `json:"median"`
	Slowest float64 `json:"slowest"`
	// Outcome is that of the last run that did not pass, else of the last.
	Outcome string `json:"outcome"`
	// Tail is the end of what that run printed, where it did not pass.
	Tail string `json:"tail,omitempty"`

	took []time.Duration
}

// add counts one run.
func (t *CheckTally) add(r check.Result) {
	t.Runs++
	t.took = append(t.took, r.Duration)
	if r.Outcome.Passed() {
		t.Passes++
	} else {
		t.Tail = lastPart(string(r.Merged.Bytes), 2<<10)
	}
	if !r.Outcome.Passed() || t.Passes == t.Runs {
		t.Outcome = r.Outcome.String()
	}
	t.Rate, t.Low, t.High = rate(t.Passes, t.Runs)
	t.Flaky = t.Passes > 0 && t.Passes < t.Runs
	sorted := slices.Sorted(slices.Values(t.took))
	t.Fastest, t.Median, t.Slowest = rounded(sorted[0]), rounded(sorted[len(sorted)/2]), rounded(sorted[len(sorted)-1])
}

func rounded(d time.Duration) float64 { return math.Round(d.Seconds()*1000) / 1000 }

// rate is the share of passes and its Wilson score interval at 95 %, which is
// honest for few runs and for shares near 0 and 1 (E. B. Wilson, 1927).
func rate(passes, runs int) (share, low, high float64) {
	if runs == 0 {
		return 0, 0, 1
	}
	const z = 1.959964 // the normal distribution's 97.5th percentile
	n := float64(runs)
	share = float64(passes) / n
	scale := 1 + z*z/n
	middle := (share + z*z/(2*n)) / scale
	half := z * math.Sqrt(share*(1-share)/n+z*z/(4*n*n)) / scale
	low, high = middle-half, middle+half
	switch passes {
	case 0:
		low = 0
	case runs:
		high = 1
	}
	return to4(share), to4(low), to4(high)
}

func to4(x float64) float64 { return math.Round(x*10000) / 10000 }
