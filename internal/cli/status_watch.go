package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/git-agent/git-agent/internal/ui"
	"github.com/git-agent/git-agent/pkg/run"
)

const (
	watchHere  = 2 * time.Second
	watchThere = 10 * time.Second // somebody else's server
)

// watch looks until every step is certified. An interrupt ends the looking and
// nothing else. A look that fails (a remote that does not answer) is told, and
// the next one may work; the first one has to, and none will where the
// repository is gone.
func (c *statusCmd) watch(a *app, repository string, look func() (*run.Report, error)) error {
	every := time.Duration(c.Interval)
	switch {
	case every <= 0 && c.There:
		every = watchThere
	case every <= 0:
		every = watchHere
	}
	w := statusWatch{app: a, cmd: c}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		r, err := look()
		switch {
		case a.ctx.Err() != nil:
			return w.ended()
		case err != nil && (w.last == nil || isGone(repository)):
			return err
		case err != nil:
			a.streams.Warn("%v", err)
		default:
			if err := w.see(r); err != nil || r.Next == nil {
				return firstOf(err, w.ended)
			}
		}
		select {
		case <-a.ctx.Done():
			return w.ended()
		case <-tick.C:
		}
	}
}

func isGone(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

func firstOf(err error, then func() error) error {
	if err != nil {
		return err
	}
	return then()
}

// statusWatch shows reports as they change.
type statusWatch struct {
	*app
	cmd   *statusCmd
	last  *run.Report
	drawn int // lines of the last picture on the terminal
}

// ended is the answer of the last look.
func (w *statusWatch) ended() error {
	if w.last == nil || !w.cmd.ExitStatus {
		return nil
	}
	return answered(howFar(w.last))
}

// see shows a report: a picture in place on a terminal, else what changed.
func (w *statusWatch) see(r *run.Report) error {
	before := w.last
	w.last = r
	switch {
	case w.json:
		if before != nil && fingerprint(before) == fingerprint(r) {
			return nil
		}
		return w.printJSON(r)
	case w.streams.OutTTY:
		return w.draw(r)
	case before == nil:
		return w.cmd.show(w.app, r)
	}
	return w.changes(before, r)
}

// fingerprint is all of a report that a watcher would want to hear of.
func fingerprint(r *run.Report) string {
	var b bytes.Buffer
	if err := ui.WriteJSON(&b, r); err != nil {
		return err.Error()
	}
	return b.String()
}

// changes is one line for each step that is otherwise than before.
func (w *statusWatch) changes(before, now *run.Report) error {
	was := map[string]string{}
	for _, s := range before.Steps {
		was[s.ID] = w.statusCell(s).Text + s.Commit
	}
	for _, s := range now.Steps {
		text := w.statusCell(s).Text
		if was[s.ID] == text+s.Commit {
			continue
		}
		line := w.now().UTC().Format(time.RFC3339) + " " + s.ID + " " + text
		if s.Commit != "" {
			line += " " + s.Commit
		}
		if err := w.print(ui.Escape(line) + "\n"); err != nil {
			return err
		}
	}
	return nil
}

// draw takes the last picture away and draws the next one in its place. Rows
// that do not fit on the screen are left out: they could not be taken away.
func (w *statusWatch) draw(r *run.Report) error {
	var picture bytes.Buffer
	shown := *w.app
	shown.streams.Out = &picture
	if err := w.cmd.show(&shown, r); err != nil {
		return err
	}
	fmt.Fprintf(&picture, "%s\n", w.streams.Paint(ui.Faint, w.summary(r)))
	lines := strings.SplitAfter(strings.TrimSuffix(picture.String(), "\n"), "\n")
	if _, height, err := term.GetSize(int(w.World.Out.Fd())); err == nil && height > 2 && len(lines) > height-1 {
		lines = append(lines[:height-2:height-2], lines[len(lines)-1])
	}
	text := strings.Join(lines, "")
	if w.drawn > 1 {
		text = fmt.Sprintf("\r\x1b[%dA\x1b[J", w.drawn-1) + text
	} else if w.drawn == 1 {
		text = "\r\x1b[J" + text
	}
	w.drawn = len(lines)
	if r.Next == nil {
		text += "\n"
	}
	_, err := io.WriteString(w.streams.Out, text)
	return err
}

// summary is the last line of a picture.
func (w *statusWatch) summary(r *run.Report) string {
	done := 0
	text := ""
	for _, s := range r.Steps {
		if isDone(s) {
			done++
		}
		if s.Status == "running" {
			text += ", " + s.ID + " running"
		}
	}
	if r.Held != nil {
		text += " on " + r.Held.Host
	}
	return fmt.Sprintf("%d of %d certified%s, seen at %s", done, len(r.Steps), text, w.now().Format(time.TimeOnly))
}
