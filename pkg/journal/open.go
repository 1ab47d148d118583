package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// OpenRequest names an attempt's log and what writing it needs.
type OpenRequest struct {
	Folder   Folder
	Name     string // of the attempt in the folder; the suffixes are added
	Identity Identity
	// Owner says which process writes, as JSON in the caller's own terms.
	Owner json.RawMessage
	// Stdout and Stderr read the native files again, for a recovery that
	// needs them; nil says that they are not at hand.
	Stdout, Stderr io.ReaderAt
	// Now is the clock that ends a group after [GroupTime].
	Now func() time.Time
}

// Open makes a new log, or opens one that is there, whatever its writer died
// of. The caller holds the attempt's fence: two writers at once are not
// noticed here before the damage is done.
//
// An existing one is judged first, in full: a header of something else, bytes
// that are not those committed, or an end that no writer of ours leaves give a
// [*DamagedError], a log without index a [*CheckpointMissingError], and
// nothing was changed. Then a torn last record is copied to a file of its own
// and dropped, the rest of what was announced is appended and committed, and a
// new owner written down. A complete log is opened without writing.
func Open(req OpenRequest) (*Writer, error) {
	header, err := headerOf(req)
	if err != nil {
		return nil, err
	}
	v, err := look(req)
	if err != nil {
		return nil, err
	}
	w := &Writer{name: req.Name, now: req.Now, chain: v.scan.chain, st: v.scan.replay, hash: v.hash}
	if err := w.openFiles(req.Folder); err != nil {
		return nil, err
	}
	if err := w.recover(req.Folder, v, header); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	w.next = w.st.Offsets
	return w, nil
}

// headerOf is the header as it would be written, its owner in one spelling.
func headerOf(req OpenRequest) ([]byte, error) {
	b, err := json.Marshal(Header{Format: format, File: req.Name, Identity: req.Identity, Owner: req.Owner})
	if err == nil && len(b) > maxPayload {
		err = fmt.Errorf("%d bytes, at most %d", len(b), maxPayload)
	}
	if err != nil {
		return nil, fmt.Errorf("header of log %q: %w", req.Name, err)
	}
	return b, nil
}

// openFiles makes the log before the index, so that an index is never without
// its log.
func (w *Writer) openFiles(folder Folder) (err error) {
	if w.log, err = folder.Append(w.name + logSuffix); err != nil {
		return err
	}
	if w.index, err = folder.Append(w.name + indexSuffix); err != nil {
		return errors.Join(err, w.log.Close())
	}
	return nil
}

// recover makes what was judged sound whole again. Killed anywhere, it is
// done again from the start by the next Open.
func (w *Writer) recover(folder Folder, v *survey, header []byte) error {
	if v.scan.tail > 0 {
		if err := w.dropTorn(folder, v.scan.at, v.scan.tail); err != nil {
			return err
		}
	}
	if len(w.st.pending) > 0 {
		if err := w.completePending(v.announced, v.there); err != nil {
			return err
		}
	}
	return w.own(folder, header)
}

// dropTorn keeps the torn end of the index beside it and cuts it off. The cut
// is synced so that nothing rests on how a file system orders it with what is
// appended next.
func (w *Writer) dropTorn(folder Folder, at, tail int64) error {
	b := make([]byte, tail)
	if n, err := readSome(w.index, b, at); err != nil || n < len(b) {
		return errors.Join(fmt.Errorf("read the torn end of %q: %d of %d bytes", w.name+indexSuffix, n, len(b)), err)
	}
	if err := w.keepTorn(folder, at, b); err != nil {
		return w.broken(OpWrite, tornSuffix, err)
	}
	if err := w.index.Truncate(at); err != nil {
		return w.broken(OpWrite, indexSuffix, err)
	}
	return w.sync(w.index, indexSuffix)
}

func (w *Writer) keepTorn(folder Folder, at int64, b []byte) error {
	f, err := folder.Append(w.name + tornSuffix)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "# %d bytes from offset %d\n%s\n", len(b), at, b)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close(), folder.Sync())
}

// completePending appends what the log lacks of what was announced. The dead
// writer's intents may still be only in the kernel's memory, so they are
// synced before bytes go behind them, as they were to be then.
func (w *Writer) completePending(announced []byte, there int) error {
	if err := w.sync(w.index, indexSuffix); err != nil {
		return err
	}
	if rest := announced[there:]; len(rest) > 0 {
		if err := w.write(w.log, logSuffix, rest); err != nil {
			return err
		}
	}
	return w.commitPending(announced)
}

// own writes the header, unless this owner did before or all is over. The
// names are synced with the first one: nothing was appended before.
func (w *Writer) own(folder Folder, header []byte) error {
	if w.st.Completion != nil {
		return nil
	}
	fresh := w.st.Header.Format == 0
	was, err := json.Marshal(w.st.Header)
	if err != nil {
		return err
	}
	if !fresh && bytes.Equal(was, header) {
		return nil
	}
	if err := w.act(kindHeader, header); err != nil || !fresh {
		return err
	}
	if err := folder.Sync(); err != nil {
		return w.broken(OpSync, "", err)
	}
	return nil
}
