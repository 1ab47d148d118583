package journal

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// aftermath is what comes between a writer's death and the next one.
type aftermath struct {
	power      bool
	log, index survival
}

func aftermaths() []aftermath {
	all := []aftermath{{}}
	for log := range survivals {
		for index := range survivals {
			all = append(all, aftermath{true, log, index})
		}
	}
	return all
}

// shown is what a reader sees now, "" before there is anything.
func shown(d *disk) string {
	r, err := OpenReader(d, "a")
	if err != nil {
		return ""
	}
	var b bytes.Buffer
	if _, err := r.Copy(&b, View{}); err != nil {
		d.t.Errorf("reader beside a dead writer: %v", err)
	}
	return b.String()
}

// count is the number of changing calls of one undisturbed drain.
func count(t *testing.T, d *disk) int {
	t.Helper()
	d.restart(nil)
	_, err := drain(small().request(d), small(), 4)
	must(t, err)
	return d.ops
}

// TestWriter_everyCall_everyFault: each changing call is once the last one,
// half done, short, refused for want of space, or a sync that fails, and then
// the power goes in nine ways or not at all. What comes next has every byte
// once, shows all that a reader was shown, and keeps what was acted on.
func TestWriter_everyCall_everyFault(t *testing.T) {
	calls := count(t, newDisk(t))
	for op := 1; op <= calls+1; op++ { // the last: all calls done
		for kind := range faultKinds {
			for _, after := range aftermaths() {
				d := newDisk(t)
				d.restart(&fault{op, kind})
				told, err := drain(small().request(d), small(), 4)
				if !d.hit && op <= calls {
					continue // this call is not of the kind
				}
				if (err == nil) != (op > calls) {
					t.Fatalf("call %d, fault %d: %v", op, kind, err)
				}
				checkNext(t, d, told, after, kind == syncFails && op <= calls, fmt.Sprintf("call %d of %d, fault %d, then %+v", op, calls, kind, after))
			}
		}
	}
	if calls < 25 {
		t.Fatalf("only %d calls: the sequence is not the one meant", calls)
	}
}

func checkNext(t *testing.T, d *disk, told progress, after aftermath, lied bool, where string) {
	t.Helper()
	before := shown(d)
	if after.power {
		d.powerCut(after.log, after.index)
	}
	d.restart(nil)
	w, err := Open(small().request(d))
	if lied && after.power && codeOf(err) != "" {
		return // what a failed sync lost is refused by its code
	}
	if err != nil {
		t.Fatalf("%s: open again: %v", where, err)
	}
	st := w.State()
	if told.accepted && !st.Accepted || told.finished && st.Completion == nil {
		t.Fatalf("%s: acted on %+v, and the index has %+v", where, told, st)
	}
	must(t, w.Close())
	if _, err := drain(small().request(d), small(), 4); err != nil {
		t.Fatalf("%s: go on: %v", where, err)
	}
	if now := shown(d); !lied && !strings.HasPrefix(now, before) {
		t.Fatalf("%s: a reader was shown %q, then %q", where, before, now)
	}
	mustHaveAll(t, d, small())
}

// TestOpen_killedAgainAndAgain: every call of the recovery is killed too.
func TestOpen_killedAgainAndAgain(t *testing.T) {
	calls := count(t, newDisk(t))
	for op := 1; op <= calls; op++ {
		for _, kind := range []faultKind{killBefore, killAfterOneByte, killAfterHalf, killBeforeLastByte} {
			for again := 1; ; again++ {
				d := newDisk(t)
				d.restart(&fault{op, kind})
				if _, err := drain(small().request(d), small(), 4); err == nil {
					break
				}
				before := shown(d)
				d.restart(&fault{again, killAfterHalf})
				w, err := Open(small().request(d))
				if err == nil && !d.hit {
					must(t, w.Close())
					break
				}
				if !strings.HasPrefix(shown(d), before) {
					t.Fatalf("call %d, fault %d, recovery call %d: shown %q, then %q", op, kind, again, before, shown(d))
				}
				for _, after := range []aftermath{{}, {power: true}, {true, keepAll, loseAll}, {true, keepHalf, keepHalf}} {
					c := d.clone()
					checkNext(t, c, progress{}, after, false, fmt.Sprintf("call %d, fault %d, recovery call %d, then %+v", op, kind, again, after))
				}
			}
		}
	}
}

func (d *disk) clone() *disk {
	c := newDisk(d.t)
	for name, f := range d.files {
		cp := *f
		cp.cached, cp.durable = bytes.Clone(f.cached), bytes.Clone(f.durable)
		c.files[name] = &cp
	}
	return c
}

// TestWriter_broken_staysBroken: nothing more is written by a writer that
// failed, and a failed sync is not tried again.
func TestWriter_broken_staysBroken(t *testing.T) {
	for _, tt := range []struct {
		kind faultKind
		op   string
	}{{diskFull, OpWrite}, {shortWrite, OpWrite}, {syncFails, OpSync}} {
		d := newDisk(t)
		n := small()
		w := mustOpen(t, n.request(d))
		d.restart(&fault{4, tt.kind}) // write, sync, write, sync
		if tt.kind != syncFails {
			d.fault.op = 3
		}
		must(t, w.Append(Stdout, 0, n.stdout))
		first := w.Flush()
		var broken *BrokenError
		if !errors.As(first, &broken) || broken.Op != tt.op || broken.File != "a"+logSuffix {
			t.Fatalf("fault %d: %v", tt.kind, first)
		}
		calls := d.ops
		for i, err := range []error{w.Append(Stderr, 0, n.stderr), w.Flush(), w.Accepted(), w.Finish(End{Kind: Exited}, n.lengths())} {
			if !errors.Is(err, first) {
				t.Errorf("fault %d: call %d answers %v", tt.kind, i, err)
			}
		}
		if d.ops != calls {
			t.Errorf("fault %d: %d more calls after it broke", tt.kind, d.ops-calls)
		}
	}
}

// TestWriter_broken_whatIsActedOn: an acceptance or a completion that is not
// durable was not recorded, and the writer is over.
func TestWriter_broken_whatIsActedOn(t *testing.T) {
	for _, f := range []fault{{1, diskFull}, {1, shortWrite}, {2, syncFails}} {
		for name, act := range map[string]func(*Writer) error{
			"accepted":   (*Writer).Accepted,
			"completion": func(w *Writer) error { return w.Finish(End{Kind: Cancelled}, Offsets{}) },
		} {
			d := newDisk(t)
			w := mustOpen(t, small().request(d))
			d.restart(&f)
			first := act(w)
			var broken *BrokenError
			if !errors.As(first, &broken) || broken.File != "a"+indexSuffix {
				t.Fatalf("%s, fault %+v: %v", name, f, first)
			}
			calls := d.ops
			if again := act(w); !errors.Is(again, first) || d.ops != calls {
				t.Errorf("%s, fault %+v: again %v", name, f, again)
			}
		}
	}
}
