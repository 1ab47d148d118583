package journal

import "errors"

var errClosed = errors.New("the attempt's log is closed")

// usable says why nothing may be written any more.
func (w *Writer) usable() error {
	switch {
	case w.dead != nil:
		return w.dead
	case w.st.Completion != nil:
		return ErrFinished
	}
	return nil
}

// act writes a record that somebody acts on: durable before it returns.
func (w *Writer) act(k kind, payload []byte) error {
	if _, err := w.st.apply(k, payload); err != nil {
		return err
	}
	if err := w.write(w.index, indexSuffix, w.chain.add(nil, k, payload)); err != nil {
		return err
	}
	return w.sync(w.index, indexSuffix)
}

func (w *Writer) write(f File, suffix string, b []byte) error {
	if _, err := f.Write(b); err != nil {
		return w.broken(OpWrite, suffix, err)
	}
	return nil
}

func (w *Writer) sync(f File, suffix string) error {
	if err := f.Sync(); err != nil {
		return w.broken(OpSync, suffix, err)
	}
	return nil
}

// broken ends this writer: how far its files reach is unknown until they are
// opened and judged again.
func (w *Writer) broken(op, suffix string, err error) error {
	w.dead = &BrokenError{Op: op, File: w.name + suffix, Err: err}
	return w.dead
}
