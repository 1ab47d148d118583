package remotetest

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

// racers do the same step at once, each in a clone of its own.
const racers = 8

// TestRace_oneWinner: of machines that do the same step at the same moment, as
// a job or by hand, exactly one has its certificate on the remote; nothing is
// there in part; the others are told, and what they made is kept.
func TestRace_oneWinner(t *testing.T) {
	for transport, rounds := range map[string]int{"file": 3, "http": 1} {
		if full {
			rounds = 25
		}
		t.Run(transport, func(t *testing.T) {
			w := newWorld(t, rounds).over(transport)
			w.started("r1").git("config", "agent.leaseTTL", "5s")
			all := []*clone{w.at("r1")}
			for i := 2; i <= racers; i++ {
				c := w.joined(fmt.Sprint("r", i))
				c.git("config", "agent.leaseTTL", "5s")
				all = append(all, c)
			}
			told := map[int]int{}
			for i := range rounds {
				r := &round{world: w, step: stepID(i), all: all, byHand: i%2 == 0}
				r.race()
				r.judge(i + 1)
				r.follow()
				for _, e := range r.ends {
					told[e.code]++
				}
			}
			t.Logf("%s: %d racers × %d rounds, exit codes %v", transport, racers, rounds, told)
		})
	}
}

type end struct {
	code int
	out  string
}

type round struct {
	*world
	step   string
	byHand bool
	all    []*clone
	ends   []end
	before string // the remote's branch
}

// race lets all of them begin at once.
func (r *round) race() {
	r.before = r.remote("rev-parse", "refs/heads/agent-run/r-1")
	r.ends = make([]end, len(r.all))
	var ready, over sync.WaitGroup
	ready.Add(1)
	for i, c := range r.all {
		args := c.does(r.step)
		if r.byHand {
			r.write(c.name+"/a/"+r.step+".txt", "done by "+c.name+"\n")
			args = []string{"step", r.step}
		}
		over.Go(func() {
			ready.Wait()
			code, out := c.run(args...)
			r.ends[i] = end{code, out}
		})
	}
	ready.Done()
	over.Wait()
}

// judge: one winner, and the remote is exactly what the winner made.
func (r *round) judge(certified int) {
	r.t.Helper()
	var winners []*clone
	for i, e := range r.ends {
		switch {
		case e.code == 0:
			winners = append(winners, r.all[i])
		case e.code != 4 && e.code != 6:
			r.t.Errorf("%s, %s: exit %d\n%s", r.step, r.all[i].name, e.code, e.out)
		case !toldWhy(e.out):
			r.t.Errorf("%s, %s: exit %d does not say why\n%s", r.step, r.all[i].name, e.code, e.out)
		}
	}
	if len(winners) != 1 {
		r.t.Fatalf("%s: %d winners: %v", r.step, len(winners), r.ends)
	}
	winner := winners[0]
	tip := r.remote("rev-parse", "refs/heads/agent-run/r-1")
	r.want(r.step+": the winner's branch", winner.git("rev-parse", "HEAD"), tip)
	r.want(r.step+": one commit more", r.remote("rev-list", r.before+".."+tip), tip)
	r.want(r.step+": content", r.remote("show", tip+":a/"+r.step+".txt"), "done by "+winner.name)
	r.want(r.step+": certificates", len(r.certificates()), certified)
	r.want(r.step+": newest", r.certificates()[0], r.step)
	if over := r.takenOver(); !r.byHand && r.counted("job-"+r.step) > 1+over {
		r.t.Errorf("%s: %d jobs ran, %d leases were taken over", r.step, r.counted("job-"+r.step), over)
	}
	r.says(r.lease(), "Agent-State: released")
	r.want(r.step+": plan versions and records", r.remote("rev-list", "--count", "refs/agent/r-1"), 1)
	r.want(r.step+": locks of the remote", r.locks(), []string{})
}

// takenOver is how often somebody was too slow for the time to live.
func (r *round) takenOver() (n int) {
	for _, e := range r.ends {
		n += strings.Count(e.out, "taking the run over")
	}
	return n
}

func toldWhy(out string) bool {
	return slices.ContainsFunc([]string{"the run moved on elsewhere", "the run is held by", "the run was taken over by"},
		func(words string) bool { return strings.Contains(out, words) })
}

// follow: everybody comes along; what a loser made is at a ref of its clone.
func (r *round) follow() {
	r.t.Helper()
	var over sync.WaitGroup
	for i, c := range r.all {
		over.Go(func() {
			code, out := c.run("resume")
			if code == 4 { // once, where a certificate lost
				code, out = c.run("resume")
			}
			if code != 0 {
				r.t.Errorf("%s: %s: resume: exit %d\n%s", r.step, c.name, code, out)
			}
			c.level()
			made := r.byHand || strings.Contains(r.ends[i].out, "the job ended")
			if made && r.ends[i].code != 0 && len(c.kept("a/"+r.step+".txt", "done by "+c.name)) == 0 {
				r.t.Errorf("%s: what %s made is kept nowhere; its step said:\n%s\nits resume said:\n%s", r.step, c.name, r.ends[i].out, out)
			}
		})
	}
	over.Wait()
}
