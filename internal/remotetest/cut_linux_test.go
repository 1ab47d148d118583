package remotetest

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

// cutCase is one place where the answer to the push of a certificate ends.
type cutCase struct {
	transport string
	after     int
	job       bool   // the step has a job: the push is the second one, after the claim
	then      string // reset: the network is there again at once; down: after the command; elsewhere: another machine goes on meanwhile
}

func (c cutCase) String() string {
	words := []string{c.transport, fmt.Sprint("byte ", c.after), c.then}
	if c.job {
		words = append(words, "job")
	}
	return strings.Join(words, ", ")
}

// triggers begin the answer that is cut: on git:// the server's side of the
// whole connection, over http the answer to the request that pushes.
var triggers = map[string]string{"git": "git-receive-pack /work.git", "http": "POST /work.git/git-receive-pack"}

// TestPush_answerCutAtEveryByte: whatever arrives of the answer to the push of
// a certificate, the command ends with 0 or 5 and the next resume makes it
// whole: the certificate is on the remote, once, and nothing ran twice.
func TestPush_answerCutAtEveryByte(t *testing.T) {
	for _, transport := range []string{"git", "http"} {
		t.Run(transport, func(t *testing.T) {
			start := newWorld(t, 2)
			start.started("a").must(0, "trust", "r-1") // in whatever copy of the clone
			cases := cutCases(transport, answerLength(t, start, transport, false), answerLength(t, start, transport, true))
			var applied, kept atomic.Int32
			t.Cleanup(func() {
				t.Logf("%s: cut at %d points: whole again at %d; the push had been applied at %d", transport, len(cases), kept.Load(), applied.Load())
			})
			for _, c := range cases {
				t.Run(c.String(), func(t *testing.T) {
					t.Parallel()
					if c.run(t, start) {
						applied.Add(1)
					}
					if !t.Failed() {
						kept.Add(1)
					}
				})
			}
		})
	}
}

// cutCases is every byte of the answer, in turn with and without a job and with
// each way on; short is a few, most of them where the server has already moved
// the refs.
func cutCases(transport string, byHand, withJob int) []cutCase {
	ways := []string{"reset", "down", "elsewhere"}
	var all []cutCase
	for after := range max(byHand, withJob) {
		job := after%2 == 1 || after >= byHand
		all = append(all, cutCase{transport, after, job && after < withJob, ways[after%len(ways)]})
	}
	if full {
		return all
	}
	const some = 8
	last := len(all) - 1
	var short []cutCase
	for i := range some { // denser towards the end
		short = append(short, all[last-last*i*i/(some*some)])
	}
	return slices.Compact(short)
}

// behind is the world of a case, whose machine has the proxy in between.
func behind(t *testing.T, start *world, transport string) (*clone, *proxy) {
	t.Helper()
	w := start.copy(t).over(transport)
	direct := w.url
	rest, _ := strings.CutPrefix(direct, transport+"://")
	host, _, _ := strings.Cut(rest, "/")
	p := newProxy(t, host)
	w.url = strings.Replace(direct, host, p.addr, 1)
	a := w.at("a").moved()
	w.url = direct
	return a, p
}

func nth(job bool) int {
	if job {
		return 2
	}
	return 1
}

// answerLength is how many bytes the whole answer has.
func answerLength(t *testing.T, start *world, transport string, job bool) int {
	t.Helper()
	a, p := behind(t, start, transport)
	p.arm(cut{trigger: triggers[transport], nth: nth(job), after: 1 << 30})
	a.must(0, a.way(job)...)
	length, _ := p.was()
	if length == 0 {
		t.Fatal("the answer was not seen")
	}
	return length
}

// way is the command that does the first step, and what it certifies.
func (c *clone) way(job bool) []string {
	if job {
		return c.does("s01")
	}
	c.write(c.name+"/a/s01.txt", "done by "+c.name+"\n")
	return []string{"step", "s01"}
}

// run answers whether the push had been applied when its answer was cut.
func (c cutCase) run(t *testing.T, start *world) (applied bool) {
	t.Helper()
	a, p := behind(t, start, c.transport)
	how := reset
	if c.then != "reset" {
		how = down
	}
	p.arm(cut{trigger: triggers[c.transport], nth: nth(c.job), after: c.after, manner: how})
	code, out := a.run(a.way(c.job)...)
	if _, done := p.was(); !done {
		t.Fatalf("the answer was not cut:\n%s", out)
	}
	applied = len(a.certificates()) == 1
	want := map[bool]int{true: 0, false: 5}[c.then == "reset"]
	a.want("exit", code, want)
	if want == 5 {
		a.says(out, "certified here, not pushed")
	}
	certified := a.git("rev-parse", "HEAD")
	if c.then == "elsewhere" {
		c.elsewhere(a, applied)
	}
	p.up()
	c.comeBack(a, applied, certified)
	if t.Failed() {
		t.Logf("%s", out)
	}
	return applied
}

// elsewhere: another machine goes on; it has nothing but the remote.
func (c cutCase) elsewhere(a *clone, applied bool) {
	a.t.Helper()
	b := a.clone("b")
	b.must(0, "resume", "r-1", "--trust")
	if !applied {
		b.must(0, b.does("s01")...)
	}
	b.must(0, b.does("s02")...)
}

// comeBack: the machine whose answer was cut resumes.
func (c cutCase) comeBack(a *clone, applied bool, certified string) {
	a.t.Helper()
	again := c.then == "elsewhere" && !applied
	if again {
		a.must(4, "resume")
		a.want("kept", a.kept("a/s01.txt", "done by a"), []string{"refs/agent-stash/r-1/lost/1"})
		a.want("what is kept", a.git("rev-parse", "refs/agent-stash/r-1/lost/1"), certified)
	}
	a.must(0, "resume")
	a.level()
	steps, runs := []string{"s01"}, 1
	if c.then == "elsewhere" {
		steps = []string{"s02", "s01"}
	}
	if again {
		runs = 2
	}
	a.want("certificates", a.certificates(), steps)
	a.want("checks", a.counted("check-s01"), runs)
	if !again {
		a.want("the certificate", a.remote("rev-list", "--reverse", a.git("rev-parse", "refs/remotes/origin/main")+".."+"refs/heads/agent-run/r-1")[:len(certified)], certified)
		a.want("kept", a.git("for-each-ref", "refs/agent-stash"), "")
	}
	a.says(a.lease(), "Agent-State: released")
	a.want("locks of the remote", a.locks(), []string{})
}
