package run

import (
	"context"
	"testing"
	"time"

	"github.com/git-agent/git-agent/pkg/job"
	"github.com/git-agent/git-agent/pkg/journal"
)

// says is another machine's answer.
type says struct{ st job.Status }

func (s says) Status(context.Context) (job.Status, error) { return s.st, nil }

func (says) Chunk(context.Context, journal.Stream, int64) ([]byte, error) { return nil, nil }

// What another machine answers names folders here: nothing is opened, and there
// is no folder to open it in.
func TestEngine_DrainFar_hostileNames(t *testing.T) {
	good := job.Status{Run: "r-1", Step: "s01", Attempt: "0123456789abcdef", Number: 1, Name: "s01-1-01234567"}
	for what, spoil := range map[string]func(*job.Status){
		"run":     func(st *job.Status) { st.Run = "../r-2" },
		"step":    func(st *job.Status) { st.Step, st.Name = "../../r-2/logs/s01", "../../r-2/logs/s01-1-01234567" },
		"name":    func(st *job.Status) { st.Name = "../../r-2/logs/s01-1-01234567" },
		"attempt": func(st *job.Status) { st.Attempt, st.Name = "../../../x", "s01-1-../../.." },
		"short":   func(st *job.Status) { st.Attempt, st.Name = "0123", "s01-1-0123" },
		"nothing": func(st *job.Status) { *st = job.Status{} },
	} {
		st := good
		spoil(&st)
		e := &Engine{Deps: Deps{Now: time.Now}}
		if at, err := e.DrainFar(t.Context(), FarRequest{From: says{st}, Host: "there"}); err == nil || at != nil {
			t.Errorf("%s: %+v was taken", what, st)
		}
	}
}
