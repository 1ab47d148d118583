package bench

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
)

// The exponents that are allowed: what grows is at most linear (the rest is
// noise), what must not grow does not.
const (
	linear = 1.15
	flat   = 0.03
)

// axis is something that commands could grow with: verbs are measured in the
// worlds at both ends, against floor.
type axis struct {
	what     string
	from, to int
	most     float64 // the exponent that is allowed
	verbs    []string
	at       func(t *testing.T, n int) *world
	floor    func(*world) act
}

var judging = []string{"resume {run}", "status {run}", "log {run}", "verify agent-run/{run}"}

// axes are those of the design, and a small one that tries each of them.
func axes() []axis {
	return []axis{
		runsBy("steps", fullOr(125, 10), fullOr(1000, 20), linear, func(n int) size { return size{steps: n, rounds: 1, files: fullOr(4000, few())} }),
		runsBy("files", fullOr(12_500, few()), many(), linear, func(n int) size { return size{steps: fullOr(100, 10), rounds: 1, files: n} }),
		runsBy("certificates of the same steps", long().steps, long().steps*long().rounds, linear, func(n int) size {
			return size{steps: long().steps, rounds: n / long().steps, files: long().files}
		}),
		runsBy("commits below the base", 10, fullOr(10_000, 20), flat, func(n int) size {
			return size{steps: fullOr(100, 10), rounds: 1, files: few(), below: n}
		}),
		{"bytes of the log", fullOr(4<<20, 4<<10), fullOr(64<<20, 64<<10), linear, []string{"logs --run {run}"}, logged, (*world).cat},
	}
}

func runsBy(what string, from, to int, most float64, of func(n int) size) axis {
	return axis{what, from, to, most, judging, func(t *testing.T, n int) *world { return worldOf(t, of(n)) }, (*world).walk}
}

// growth says how the time of the commands that everybody waits for grows: the
// exponent of a power between two sizes. How many processes of git they start
// must not grow at all.
func growth(t *testing.T) *table {
	b := tableOf("| what | grows with | from | to | exponent | target | of the floor | processes of git |")
	for _, a := range axes() {
		for _, verb := range a.verbs[:fullOr(len(a.verbs), 1)] {
			b.row(t, a.name(verb), func(t *testing.T) string { return a.row(t, verb) })
		}
	}
	return b
}

func (a axis) row(t *testing.T, verb string) string {
	small, before := a.end(t, a.from, verb)
	big, after := a.end(t, a.to, verb)
	n := math.Log(float64(a.to) / float64(a.from))
	what := a.name(verb)
	judge(t, what, exponent(small.ours, big.ours, n), a.most)
	if full && before != after {
		t.Errorf("%s: %d processes of git, then %d", what, before, after)
	}
	return fmt.Sprintf("| `%s` | %s | %d | %d | %.2f | ≤ %.2f | %.2f | %d, %d |", verbOf(verb), a.what, a.from, a.to,
		exponent(small.ours, big.ours, n), a.most, exponent(small.floor, big.floor, n), before, after)
}

func (a axis) name(verb string) string { return "`" + verbOf(verb) + "` by " + a.what }

func (a axis) end(t *testing.T, n int, verb string) (m measured, processes int) {
	w := a.at(t, n)
	return versus(t, turns(5), a.floor(w), w.act("git-agent "+verb)), w.children(verb)
}

// exponent is of processor time, which says the same on a busy machine.
func exponent(small, big cost, n float64) float64 {
	return math.Log(big.cpu.Seconds()/max(small.cpu.Seconds(), 0.0001)) / n
}

// logged is a run whose only job wrote n bytes.
func logged(t *testing.T, n int) *world {
	w := worldOf(t, size{steps: 1, rounds: 1, files: few()})
	w.run = fmt.Sprintf("logged-%d", n)
	if len(w.logs()) == 0 {
		w.start(stepPlan(1))
		w.agent(w.jobStep(0, writes(n))...)
	}
	return w
}

// writes is a job that writes so many bytes.
func writes(n int) string { return fmt.Sprintf("yes 0123456789abcde | head -c %d", n) }

// logs are the logs of the run's jobs.
func (w *world) logs() []string {
	found, err := filepath.Glob(filepath.Join(w.Dir, ".git", "agent", w.run, "logs", "*", "job.log"))
	if err != nil {
		w.T.Fatal(err)
	}
	return found
}

func (w *world) cat() act { return w.act("cat " + strings.Join(w.logs(), " ")) }

func verbOf(line string) string {
	verb, _, _ := strings.Cut(line, " ")
	return verb
}
