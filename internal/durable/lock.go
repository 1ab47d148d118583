package durable

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// errLocked is tryLock's answer when another open file has the lock.
var errLocked = errors.New("locked")

// lockAttempts bounds the repeats after the lock file was replaced between
// its opening and its locking.
const lockAttempts = 16

// Lock is a lock that somebody holds: flock(2) on a file (LockFileEx on
// Windows). The kernel lets it go with the holder's death, SIGKILL included,
// and no child inherits it, so there are no stale locks and no process ids to
// believe. Keep the value until Unlock: a lock that the garbage collector
// finds is let go. It excludes processes of one kernel, containers included; between
// machines the lease on the remote does.
type Lock struct {
	f *os.File
	// abandoned is what the last holder wrote if it ended without Unlock, nil
	// otherwise: the reason to look at what it left undone.
	abandoned json.RawMessage
}

// BusyError says that another holder, alive, has the lock.
type BusyError struct {
	Path   string          // of the lock file
	Holder json.RawMessage // what the holder wrote; nil if it wrote nothing readable
	Since  time.Time       // when it took the lock, by the clock of the file system
}

func (e *BusyError) Error() string {
	return fmt.Sprintf("%q is locked by a live process", e.Path)
}

// Lock takes the lock named by a file, made if need be, and writes holder
// (as JSON; nil writes nothing) into it for whoever is refused. It does not
// wait: a held lock is a [*BusyError], to be found with [errors.As]. The file is never deleted. If somebody
// deletes it all the same, a lock taken on the deleted file is not
// believed and the new file is tried.
func (d *Dir) Lock(name string, holder any) (*Lock, error) {
	return d.LockAfter(name, func([]byte) any { return holder })
}

// LockAfter is Lock for a holder who carries on what the last one wrote and, as
// it ended without Unlock, left there (nil if it did not): there is no moment at
// which neither is written.
func (d *Dir) LockAfter(name string, holder func(abandoned []byte) any) (*Lock, error) {
	if err := d.prepare(name); err != nil {
		return nil, fmt.Errorf("lock %q: %w", d.Path(name), err)
	}
	l, err := d.acquire(name)
	if err != nil {
		return nil, err
	}
	text, err := holderText(holder(l.abandoned))
	if err == nil {
		err = l.announce(text)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("lock %q: %w", d.Path(name), err), l.f.Close())
	}
	return l, nil
}

func holderText(holder any) ([]byte, error) {
	if holder == nil {
		return nil, nil
	}
	text, err := json.Marshal(holder)
	return append(text, '\n'), err
}

// acquire opens and locks until the locked file is the one at the path.
func (d *Dir) acquire(name string) (*Lock, error) {
	for range lockAttempts {
		f, err := d.OpenFile(name, os.O_RDWR|os.O_CREATE)
		if err != nil {
			return nil, err
		}
		d.reached(pointOpened)
		if err := tryLock(f); err != nil {
			return nil, errors.Join(d.refused(name, f, err), f.Close())
		}
		same, err := d.isAt(name, f)
		if err == nil && same {
			return &Lock{f: f, abandoned: readHolder(f)}, nil
		}
		if err := errors.Join(err, f.Close()); err != nil {
			return nil, fmt.Errorf("lock %q: %w", d.Path(name), err)
		}
	}
	return nil, fmt.Errorf("lock %q: the file is replaced again and again", d.Path(name))
}

// isAt compares the open file with what now has its name.
func (d *Dir) isAt(name string, f *os.File) (bool, error) {
	there, err := d.root.Lstat(filepath.FromSlash(name))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	ours, err := f.Stat()
	return err == nil && os.SameFile(there, ours), err
}

// refused turns the answer of tryLock into a BusyError where it is one.
func (d *Dir) refused(name string, f *os.File, err error) error {
	if !errors.Is(err, errLocked) {
		return fmt.Errorf("lock %q: %w", d.Path(name), err)
	}
	busy := &BusyError{Path: d.Path(name), Holder: readHolder(f)}
	if info, err := f.Stat(); err == nil {
		busy.Since = info.ModTime()
	}
	return busy
}

// readHolder reads the first JSON value: a holder that is just replacing a
// longer text may leave a tail behind it. Anything unreadable is nil.
func readHolder(f *os.File) json.RawMessage {
	data := make([]byte, 64<<10)
	n, _ := f.ReadAt(data, 0)
	var holder json.RawMessage
	if json.NewDecoder(bytes.NewReader(data[:n])).Decode(&holder) != nil {
		return nil
	}
	return holder
}

// announce writes the new holder over the old one, in place: renaming a new
// file over a lock would give two holders. It is synced: after a power cut it
// says whose the leavings are.
func (l *Lock) announce(text []byte) error {
	if _, err := l.f.WriteAt(text, 0); err != nil {
		return err
	}
	return errors.Join(l.f.Truncate(int64(len(text))), l.f.Sync())
}

// Leave lets the lock go and keeps what is written in it: the next holder
// finds it abandoned. It is for one who could not mend what he found.
func (l *Lock) Leave() error { return l.f.Close() }

// Unlock empties the file and lets the lock go. A second Unlock is an error.
func (l *Lock) Unlock() error {
	return errors.Join(l.f.Truncate(0), l.f.Close())
}
