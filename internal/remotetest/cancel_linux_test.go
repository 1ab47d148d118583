package remotetest

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestCancel_orFinish: a cancel from another machine and the end of the work
// race. Either the cancel is accepted, and the remote gets no certificate; or
// it is too late, and says so. Whatever happened, the run goes on after a
// person's order, and each step is certified once.
func TestCancel_orFinish(t *testing.T) {
	for transport, rounds := range map[string]int{"file": 6, "http": 4} {
		if full {
			rounds = 40
		}
		t.Run(transport, func(t *testing.T) {
			w := newWorld(t, rounds).over(transport)
			worker, person := w.started("worker"), w.joined("person")
			worker.git("config", "agent.leaseTTL", "1s")
			told := map[string]int{}
			for i := range rounds {
				r := &cancelRound{world: w, step: stepID(i), worker: worker, person: person}
				told[r.play(time.Duration(i)*40*time.Millisecond)]++
			}
			t.Logf("%s: %v", transport, told)
			done := w.certificates()
			slices.Reverse(done)
			for i := range rounds {
				w.want("certificate "+stepID(i), done[i], stepID(i))
			}
			w.want("certificates", len(done), rounds)
		})
	}
}

type cancelRound struct {
	*world
	step           string
	worker, person *clone
}

// play has the person cancel some time after the worker began.
func (r *cancelRound) play(after time.Duration) (told string) {
	r.t.Helper()
	before := r.remote("rev-parse", "refs/heads/agent-run/r-1")
	var work, cancel end
	var over sync.WaitGroup
	job := fmt.Sprintf(`echo x >> "$COUNT/job-%[1]s"; sleep 0.4; echo done > a/%[1]s.txt`, r.step)
	over.Go(func() { work.code, work.out = r.worker.run("step", r.step, "--", "sh", "-c", job) })
	over.Go(func() {
		for r.counted("job-"+r.step) == 0 { // the job has begun, so the lease is held
			time.Sleep(5 * time.Millisecond)
		}
		time.Sleep(after)
		cancel.code, cancel.out = r.person.run("cancel", r.step, "--run", "r-1", "--json")
	})
	over.Wait()
	pushed := r.remote("rev-parse", "refs/heads/agent-run/r-1") != before
	switch {
	case cancel.code == 0 && work.code == 3 && !pushed:
		told = "cancelled"
		if strings.Contains(work.out, "certified here, and not pushed") {
			told = "cancelled, certified on its machine"
		}
	case cancel.code == 1 && work.code == 0 && pushed:
		told = "too late"
	default:
		r.t.Fatalf("%s: the cancel ended with %d, the work with %d, pushed: %v\n%s\n%s", r.step, cancel.code, work.code, pushed, cancel.out, work.out)
	}
	if cancel.code == 0 {
		r.worker.must(3, r.worker.does(r.step)...)
		r.person.must(0, "resume", "r-1", "--takeover")
		r.worker.must(0, "resume")
		if r.certified() == 0 {
			r.worker.must(0, r.worker.does(r.step)...)
		}
	}
	r.person.must(0, "resume", "r-1")
	r.want("certificates of "+r.step, r.certified(), 1)
	return told
}

func (r *cancelRound) certified() (n int) {
	for _, step := range r.certificates() {
		if step == r.step {
			n++
		}
	}
	return n
}

// TestCancel_atTheNextSignOfLife: a holder on another machine meets with the
// cancel in the lease; its job is ended and what it made is kept.
func TestCancel_atTheNextSignOfLife(t *testing.T) {
	w := newWorld(t, 1).over("http")
	worker, person := w.started("worker"), w.clone("person")
	worker.git("config", "agent.leaseTTL", "1s")
	cmd, out := worker.command("step", "s01", "--", "sh", "-c", `echo half > a/s01.txt; echo x > "$COUNT/job-s01"; exec sleep 20`)
	w.check(cmd.Start())
	for w.counted("job-s01") == 0 {
		time.Sleep(10 * time.Millisecond)
	}
	began := time.Now()
	person.must(0, "cancel", "r-1")
	_ = cmd.Wait()
	w.want("the worker ends with", status(cmd), 3)
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("it took %s", took)
	}
	w.want("certificates", len(w.certificates()), 0)
	if kept := worker.kept("a/s01.txt", "half"); len(kept) != 1 {
		t.Errorf("it is kept at %q\n%s", kept, out)
	}
	if text := w.lease(); !strings.Contains(text, "Agent-State: cancelled") || !strings.Contains(text, "Agent-Cancelled-By: ") {
		t.Errorf("the lease says %s", text)
	}
}
