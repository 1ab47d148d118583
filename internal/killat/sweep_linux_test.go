package killat

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// sweepVar says how much TestSweep does: "full" tries every point, a duration
// (100s) as many as it lasts for, spread evenly; "ci" every kill of the
// first scene, and every state on disk in a fresh clone too; the name of a point ("land, EIO,
// 136") that one, without its number all that there are. Unset, it tries one of
// each scene.
const sweepVar = "GIT_AGENT_SWEEP"

// partVar names a share of the points, as "2/5": the second of five machines,
// or evenings.
const partVar = "GIT_AGENT_SWEEP_PART"

// harm is what is done at a point, and who goes on.
type harm struct {
	name  string
	args  []string
	fresh bool // a brand-new clone goes on, then the old one
	whole bool // done to a call of git agent's own, the command has to end as if nothing had happened
}

// kills of everything differ only by what others see of the command, on the
// disk and by signals: between two such calls all of them leave the same.
var kills = []harm{
	{name: "kill all", args: []string{"-act", "tree", "-files", "-only", durable}},
	{name: "kill git agent, fresh clone", args: []string{"-act", "root", "-only", felt}, fresh: true},
	{name: "kill the caller", args: []string{"-act", "self", "-only", felt}},
	{name: "kill all, fresh clone", args: []string{"-act", "tree", "-files", "-only", durable}, fresh: true},
	{name: "kill git agent", args: []string{"-act", "root", "-only", felt}},
	{name: "kill the caller, fresh clone", args: []string{"-act", "self", "-only", felt}, fresh: true},
}

var harms = append(slices.Clone(kills), []harm{
	{name: "torn write", args: []string{"-act", "short", "-only", "write,pwrite64"}},
	{name: "ENOSPC", args: []string{"-act", "fail", "-errno", "28", "-only", "write,pwrite64"}},
	{name: "EIO", args: []string{"-act", "fail", "-errno", "5", "-only", moves + "," + syncs}},
	{name: "EDQUOT", args: []string{"-act", "fail", "-errno", "122", "-only", creates}},
	{name: "EINTR", args: []string{"-act", "fail", "-errno", "4", "-only", "write,pwrite64," + syncs}, whole: true},
}...)

// spot is one run: a harm at one point of a scene.
type spot struct {
	scene scene
	harm  harm
	from  *world
	n     int
}

func (s spot) String() string { return fmt.Sprintf("%s, %s, %d", s.scene.name, s.harm.name, s.n) }

// TestSweep does every harm at every point of every scene, goes on, and looks
// whether a step or work was lost, done twice, or needs a person.
func TestSweep(t *testing.T) {
	how, start := os.Getenv(sweepVar), newWorld(t)
	done := openTrials(t, start.bin)
	if how == "ci" {
		sweep(t, done, plan(t, start, scenes[:1], []harm{kills[0], kills[2], kills[3], kills[4]}, "full"), "full")
		return
	}
	if rows := named(t, start, how); rows != nil {
		sweep(t, &trials{}, rows, "full")
		return
	}
	sweep(t, done, plan(t, start, scenes, harms, how), how).remember(t, how)
}

// named is the point that has this name, as a failure gives it, or the whole row
// of a scene and a harm; nil where it is none.
func named(t *testing.T, start *world, name string) [][]spot {
	for _, s := range scenes {
		for _, h := range harms {
			rest, is := strings.CutPrefix(name, s.name+", "+h.name)
			if !is {
				continue
			}
			row := plan(t, start, []scene{s}, []harm{h}, "full")[0]
			if n, err := strconv.Atoi(strings.TrimPrefix(rest, ", ")); err == nil {
				row = slices.DeleteFunc(row, func(s spot) bool { return s.n != n })
			} else if rest != "" {
				continue
			}
			return [][]spot{row}
		}
	}
	return nil
}

// sweep tries the points of all rows that were not tried before, one of each in turn.
func sweep(t *testing.T, done *trials, rows [][]spot, how string) *tally {
	spots, counted := make(chan spot), &tally{}
	for _, row := range rows {
		counted.expect(row)
	}
	shares := counted.known(share(t, rows, os.Getenv(partVar)), done)
	go func() {
		defer close(spots)
		deal(shares, spots, how, time.Now())
	}()
	workers := flag.Lookup("test.parallel").Value.(flag.Getter).Get().(int)
	t.Run("points", func(t *testing.T) {
		for i := range workers {
			t.Run(fmt.Sprint("worker ", i), func(t *testing.T) {
				t.Parallel()
				for s := range spots {
					recovered := t.Run(s.String(), func(t *testing.T) { s.from.copy(t).survives(s) })
					if counted.count(s, recovered); recovered {
						done.add(s)
					}
				}
			})
		}
	})
	t.Logf("%v", counted)
	return counted
}

// plan is every point, a row for each scene and harm. Where only one of each
// scene is wanted, each has another harm.
func plan(t *testing.T, start *world, scenes []scene, harms []harm, how string) (rows [][]spot) {
	for j, s := range scenes {
		from, counts := start.prepared(t, s), map[string]int{}
		for i := range harms {
			h := harms[(i+j)%len(harms)]
			points, counted := counts[h.counts()]
			if !counted {
				points = from.points(t, s, h)
				counts[h.counts()] = points
			}
			if points == 0 {
				t.Fatalf("%s, %s: there is no point to act at", s.name, h.name)
			}
			var row []spot
			for _, n := range order(points) {
				row = append(row, spot{s, h, from, n})
			}
			rows = append(rows, row)
			if how == "" {
				break
			}
		}
	}
	return rows
}

// share is every so-manieth point of each row, all of them where part is "".
func share(t *testing.T, rows [][]spot, part string) [][]spot {
	t.Helper()
	which, of := 1, 1
	if n, err := fmt.Sscanf(part, "%d/%d", &which, &of); part != "" && (n != 2 || err != nil || which < 1 || of < which) {
		t.Fatalf("%s=%s: want one of 1/5 to 5/5, or another such share", partVar, part)
	}
	var shares [][]spot
	for _, row := range rows {
		var mine []spot
		for i := which - 1; i < len(row); i += of {
			mine = append(mine, row[i])
		}
		shares = append(shares, mine)
	}
	return shares
}

// counts names the calls that are points for the harm: many harms have the same.
func (h harm) counts() string {
	act, only := h.flag("-act"), h.flag("-only")
	if act == string(Short) {
		act = string(Fail)
	}
	return act + " " + only
}

// flag is the value of one of the arguments, "" where it is not given.
func (h harm) flag(name string) string {
	if i := slices.Index(h.args, name); i >= 0 {
		return h.args[i+1]
	}
	return ""
}

// points counts the calls of the scene at which the harm can be done.
func (w *world) points(t *testing.T, s scene, h harm) int {
	t.Helper()
	c := w.copy(t)
	c.what = "counting the points of " + s.name
	c.begins(s)
	return c.run(s, append(slices.Clone(h.args), "-n", "0")).Points
}

// deal hands out one point of each row after the other, until none is left or
// the time is over.
func deal(rows [][]spot, to chan<- spot, how string, begun time.Time) {
	limit, _ := time.ParseDuration(how) // none where it is "full"
	for round, more := 0, true; more; round++ {
		more = false
		for _, row := range rows {
			if round >= len(row) || limit > 0 && time.Since(begun) > limit || how == "" && round > 0 {
				continue
			}
			more = true
			to <- row[round]
		}
	}
}

// order is every number from 1 to n, and those that come first are spread
// evenly: each is a golden section of n away from the last.
func order(n int) []int {
	step := max(1, int(float64(n)*0.618))
	for ; gcd(step, n) != 1; step-- {
	}
	numbers := make([]int, n)
	for i := range numbers {
		numbers[i] = 1 + (n/3+i*step)%n
	}
	return numbers
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
