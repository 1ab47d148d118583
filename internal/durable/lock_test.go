//go:build !windows

package durable

import (
	"errors"
	"os"
	"testing"
	"time"
)

// A run stopped abruptly leaves its lock file behind; the next one goes on
// and learns who left it. A live holder is refused by name, with its age.
func TestCase017_LockOfAnAbruptlyStoppedRun(t *testing.T) {
	d := openTemp(t)
	holder := start(t, d, "hold")

	_, err := d.Lock("run/lock", nil)
	var busy *BusyError
	if !errors.As(err, &busy) {
		t.Fatalf("lock beside a live holder: %v", err)
	}
	if string(busy.Holder) != `{"step":"s1"}` || busy.Path != d.Path("run/lock") {
		t.Errorf("refused by %s at %q", busy.Holder, busy.Path)
	}
	if age := time.Since(busy.Since); age < -time.Minute || age > time.Minute {
		t.Errorf("held since %v", busy.Since)
	}

	holder.kill()
	l, err := d.Lock("run/lock", "s2")
	if err != nil {
		t.Fatalf("after the holder was killed: %v", err)
	}
	mustHave(t, d, "run/lock", "\"s2\"\n")
	if string(l.abandoned) != `{"step":"s1"}` {
		t.Errorf("abandoned = %s", l.abandoned)
	}
	if err := l.Unlock(); err != nil {
		t.Fatal(err)
	}
}

func TestDir_Lock_childDoesNotInherit(t *testing.T) {
	d := openTemp(t)
	holder := start(t, d, "hold-with-child")
	holder.kill() // its child goes on until stdin ends
	l, err := d.Lock("run/lock", nil)
	if err != nil {
		t.Fatalf("the child kept the lock: %v", err)
	}
	if err := l.Unlock(); err != nil {
		t.Fatal(err)
	}
}

func TestDir_Lock_excludesWithinOneProcess(t *testing.T) {
	d := openTemp(t)
	l, err := d.Lock("lock", "a much longer text of the first holder")
	if err != nil {
		t.Fatal(err)
	}
	var busy *BusyError
	if _, err := d.Lock("lock", nil); !errors.As(err, &busy) {
		t.Fatalf("second lock: %v", err)
	}
	if err := l.Unlock(); err != nil {
		t.Fatal(err)
	}
	if l.Unlock() == nil {
		t.Error("second Unlock went through")
	}
	l, err = d.Lock("lock", "short")
	if err != nil {
		t.Fatal(err)
	}
	if l.abandoned != nil {
		t.Errorf("abandoned after a clean Unlock: %s", l.abandoned)
	}
	mustHave(t, d, "lock", "\"short\"\n")
	if err := l.Unlock(); err != nil {
		t.Fatal(err)
	}
	mustHave(t, d, "lock", "")
}

// The file is deleted and made again by somebody who locks the new one, just
// when we have opened the old one: our lock on the deleted file must not count.
func TestDir_Lock_replacedFileIsNotBelieved(t *testing.T) {
	d := openTemp(t)
	slow := *d
	var first *Lock
	slow.at = func(p point) {
		if p != pointOpened || first != nil {
			return
		}
		err := os.Remove(d.Path("lock"))
		if err != nil {
			t.Fatal(err)
		}
		if first, err = d.Lock("lock", "first"); err != nil {
			t.Fatal(err)
		}
	}
	var busy *BusyError
	if _, err := slow.Lock("lock", "slow"); !errors.As(err, &busy) || string(busy.Holder) != `"first"` {
		t.Fatalf("two holders: %v", err)
	}
	if err := first.Unlock(); err != nil {
		t.Fatal(err)
	}
}

func TestDir_Lock_replacedAgainAndAgain(t *testing.T) {
	d := openTemp(t)
	d.at = func(point) {
		if err := os.Remove(d.Path("lock")); err != nil {
			t.Fatal(err)
		}
	}
	var busy *BusyError
	if _, err := d.Lock("lock", nil); err == nil || errors.As(err, &busy) {
		t.Errorf("lock on a deleted file: %v", err)
	}
}

func TestDir_Lock_unreadableHolder(t *testing.T) {
	d := openTemp(t)
	mustWrite(t, d, "lock", "{\"torn")
	l, err := d.Lock("lock", nil)
	if err != nil || l.abandoned != nil {
		t.Fatalf("%+v, %v", l, err)
	}
	defer l.Unlock()
	if _, err := d.Lock("lock", make(chan int)); err == nil {
		t.Error("a holder that is no JSON went through")
	}
}
