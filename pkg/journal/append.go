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

// act writes a record that somebody acts on: durable before it returns. Where
// that fails, how far the file reaches is unknown until it is judged again.
func (w *Writer) act(k kind, payload []byte) error {
	if _, err := w.st.apply(k, payload); err != nil {
		return err
	}
	err := w.write(w.index, indexSuffix, w.chain.add(nil, k, payload))
	if err == nil {
		err = w.sync(w.index, indexSuffix)
	}
	w.dead = err
	return err
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

func (w *Writer) broken(op, suffix string, err error) error {
	return &BrokenError{Op: op, File: w.name + suffix, Err: err}
}
