package cli

import (
	"errors"
	"fmt"
	"io"

	"github.com/git-agent/git-agent/pkg/journal"
	"github.com/git-agent/git-agent/pkg/run"
)

// tellEnd says how a followed log ended, beside it.
func (a *app) tellEnd(out *logWriter, l *run.AttemptLog, done journal.Completion) {
	if a.json {
		out.err = errors.Join(out.err, out.completed(done))
		return
	}
	a.notify("%s: attempt %d: %s %s", l.Facts.Step, l.Facts.Number, printer(l), ended(done.End))
}

// tellSilent says, beside an empty output, that it is whole.
func (a *app) tellSilent(l *run.AttemptLog) error {
	st, err := l.State()
	if err != nil {
		return err
	}
	what := "printed nothing"
	if st.Completion == nil {
		what += " so far"
	}
	a.notify("%s: attempt %d: %s %s", l.Facts.Step, l.Facts.Number, printer(l), what)
	return nil
}

// printer is whose log it is.
func printer(l *run.AttemptLog) string {
	if l.Check > 0 {
		return fmt.Sprintf("check %d", l.Check)
	}
	return "the job"
}

func ended(e journal.End) string {
	switch e.Kind {
	case journal.Exited:
		return fmt.Sprintf("ended with exit=%d", e.Code)
	case journal.Signaled:
		return fmt.Sprintf("ended with signal=%d", e.Code)
	case journal.Timeout:
		return "took too long and was ended"
	case journal.Cancelled:
		return "was cancelled"
	}
	if err := e.Unstored(); err != nil {
		return fmt.Sprintf("was ended: what it printed could not be stored (%v)", err)
	}
	return "was interrupted: nobody saw how it ended"
}

// logWriter hands a log's bytes out as they are asked for.
type logWriter struct {
	app *app
	log *run.AttemptLog
	to  io.Writer
	esc *escaped
	err error

	wrote bool // something came
}

func (a *app) logWriter(l *run.AttemptLog) *logWriter {
	w := &logWriter{app: a, log: l, to: a.streams.Out}
	if a.streams.OutTTY {
		w.esc = &escaped{to: a.streams.Out}
		w.to = w.esc
	}
	return w
}

func (w *logWriter) Write(b []byte) (int, error) {
	w.wrote = w.wrote || len(b) > 0
	return w.to.Write(b)
}

// WriteChunk is Write where the stream and the offset are known.
func (w *logWriter) WriteChunk(s journal.Stream, offset int64, b []byte) (int, error) {
	if !w.app.json {
		return w.Write(b)
	}
	w.wrote = true
	if err := w.app.printJSON(newChunk(w.log, s, offset, b)); err != nil {
		return 0, err
	}
	return len(b), nil
}

func (w *logWriter) completed(done journal.Completion) error {
	return w.app.printJSON(newEnd(w.log, done))
}

// end writes the start of a character that never became whole.
func (w *logWriter) end() error {
	if w.esc == nil {
		return w.err
	}
	return errors.Join(w.err, w.esc.end())
}
