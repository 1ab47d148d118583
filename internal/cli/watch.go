package cli

import (
	"fmt"
	"sync"
	"time"

	"github.com/git-agent/git-agent/internal/ui"
	"github.com/git-agent/git-agent/pkg/run"
)

// watch shows an unattended run: on a terminal a live picture, elsewhere the
// engine's one line for each thing that happened and nothing of what the jobs
// print.
func (a *app) watch(e *run.Engine) *watched {
	w := &watched{app: a}
	e.Live = nil
	if a.json || a.grammar.Quiet || !a.streams.ErrTTY || !a.streams.Cursor(a.env) {
		return w
	}
	w.live = ui.NewLive(a.streams, a.Err, w.head)
	e.Live = w.live
	e.Notify = func(format string, args ...any) {
		w.live.Say(func() { a.notify(format, args...) })
	}
	e.Tell = e.Notify
	return w
}

type watched struct {
	app  *app
	live *ui.Live // nil without a terminal

	guard sync.Mutex
	now   run.Progress
	since time.Time
}

// begin is told that an attempt begins.
func (w *watched) begin(p run.Progress) {
	w.guard.Lock()
	w.now, w.since = p, w.app.now()
	w.guard.Unlock()
	if w.live != nil {
		w.live.Clear()
	}
}

// head is the first line of the picture.
func (w *watched) head() string {
	w.guard.Lock()
	defer w.guard.Unlock()
	if w.now.Step == "" {
		return ""
	}
	took := w.app.now().Sub(w.since).Round(time.Second)
	return fmt.Sprintf("%s %s %s  (step %d of %d, attempt %d, %s)", w.app.streams.Glyph(ui.Dot), w.now.Step, w.now.Title,
		w.now.Number, w.now.Of, w.now.Attempt, took)
}

func (w *watched) close() {
	if w.live != nil {
		w.live.Close()
	}
}
