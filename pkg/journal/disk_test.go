package journal

import (
	"errors"
	"io"
	"io/fs"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// disk is a folder in memory that knows what a power cut would leave, and
// fails where it is told to.
type disk struct {
	t     *testing.T
	mu    sync.Mutex
	files map[string]*inode
	ops   int // changing calls so far
	fault *fault
	dead  bool // the writing process was killed: nothing it calls has an effect
	hit   bool
}

type inode struct {
	cached  []byte
	durable []byte
	named   bool // its name survives a power cut
	lying   bool // a sync failed: later ones claim what they do not do
}

// fault strikes one changing call.
type fault struct {
	op   int
	kind faultKind
}

type faultKind int

const (
	killBefore faultKind = iota
	killAfterOneByte
	killAfterHalf
	killBeforeLastByte
	killAfter
	shortWrite // half, and an error: the process lives
	diskFull   // nothing, and ENOSPC
	syncFails  // EIO
	faultKinds
)

var errKilled = errors.New("killed")

func newDisk(t *testing.T) *disk { return &disk{t: t, files: map[string]*inode{}} }

func (d *disk) restart(f *fault) { d.ops, d.fault, d.dead, d.hit = 0, f, false, false }

// strike says how much of a call of n bytes happens, and what it answers.
func (d *disk) strike(n int, isSync bool) (int, error) {
	d.ops++
	if d.dead {
		return 0, errKilled
	}
	if d.fault == nil || d.fault.op != d.ops {
		return n, nil
	}
	part := map[faultKind]int{killAfterOneByte: min(1, n), killAfterHalf: n / 2, killBeforeLastByte: max(0, n-1), killAfter: n, shortWrite: n / 2}[d.fault.kind]
	switch d.fault.kind {
	case shortWrite, diskFull:
		if isSync {
			return n, nil
		}
		d.hit = true
		return part, syscall.ENOSPC
	case syncFails:
		if !isSync {
			return n, nil
		}
		d.hit = true
		return 0, syscall.EIO
	}
	d.hit, d.dead = true, true
	return part, errKilled
}

// survival is how much of a file's unsynced bytes a power cut leaves.
type survival int

const (
	loseAll survival = iota
	keepHalf
	keepAll
	survivals
)

func (d *disk) powerCut(log, index survival) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for name, f := range d.files {
		s := index
		if strings.HasSuffix(name, logSuffix) {
			s = log
		}
		if s == loseAll && !f.named {
			delete(d.files, name)
			continue
		}
		if extra := len(f.cached) - len(f.durable); extra > 0 && !f.lying {
			f.durable = f.cached[:len(f.durable)+extra*int(s)/int(keepAll)]
		}
		f.cached, f.lying = append([]byte(nil), f.durable...), false
	}
}

func (d *disk) put(name string, b []byte) {
	d.files[name] = &inode{cached: append([]byte(nil), b...), durable: append([]byte(nil), b...), named: true}
}

func (d *disk) get(name string) []byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	if f := d.files[name]; f != nil {
		return append([]byte(nil), f.cached...)
	}
	return nil
}

// snapshot is every file's bytes, to see that nothing was changed.
func (d *disk) snapshot() map[string]string {
	all := map[string]string{}
	for name, f := range d.files {
		all[name] = string(f.cached)
	}
	return all
}

func (d *disk) Open(name string) (File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f := d.files[name]
	if f == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &handle{d: d, f: f, name: name}, nil
}

func (d *disk) Append(name string) (File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.files[name] == nil {
		if _, err := d.strike(0, false); err != nil {
			return nil, err
		}
		d.files[name] = &inode{}
	}
	return &handle{d: d, f: d.files[name], name: name, writes: true}, nil
}

func (d *disk) Sync() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, err := d.strike(0, true)
	if err == nil || d.dead && d.fault.kind == killAfter && d.fault.op == d.ops {
		for _, f := range d.files {
			f.named = true
		}
	}
	return err
}

type handle struct {
	d      *disk
	f      *inode
	name   string
	writes bool
}

func (h *handle) Close() error { return nil }

func (h *handle) Size() (int64, error) {
	h.d.mu.Lock()
	defer h.d.mu.Unlock()
	return int64(len(h.f.cached)), nil
}

func (h *handle) ReadAt(p []byte, off int64) (int, error) {
	h.d.mu.Lock()
	defer h.d.mu.Unlock()
	if off >= int64(len(h.f.cached)) {
		return 0, io.EOF
	}
	n := copy(p, h.f.cached[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (h *handle) change(what string) {
	if !h.writes {
		h.d.t.Errorf("%s of %q, which was opened for reading", what, h.name)
	}
}

func (h *handle) Write(p []byte) (int, error) {
	h.d.mu.Lock()
	defer h.d.mu.Unlock()
	h.change("write")
	n, err := h.d.strike(len(p), false)
	h.f.cached = append(h.f.cached, p[:n]...)
	return n, err
}

func (h *handle) Sync() error {
	h.d.mu.Lock()
	defer h.d.mu.Unlock()
	h.change("sync")
	_, err := h.d.strike(0, true)
	switch {
	case errors.Is(err, syscall.EIO):
		h.f.lying = true
	case h.f.lying:
	case err == nil || h.d.dead && h.d.fault.kind == killAfter && h.d.fault.op == h.d.ops:
		h.f.durable = append([]byte(nil), h.f.cached...)
	}
	return err
}

func (h *handle) Truncate(size int64) error {
	h.d.mu.Lock()
	defer h.d.mu.Unlock()
	h.change("truncation")
	if strings.HasSuffix(h.name, logSuffix) {
		h.d.t.Errorf("the visible log %q was truncated", h.name)
	}
	_, err := h.d.strike(0, false)
	if err == nil {
		h.f.cached = append([]byte(nil), h.f.cached[:size]...)
	}
	return err
}
