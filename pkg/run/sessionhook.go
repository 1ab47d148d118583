package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/git-agent/git-agent/pkg/plan"
)

// HookRequest is what an agent's session hook tells.
type HookRequest struct {
	// Source is why the session (re)starts: startup, resume, clear, compact or
	// fork; anything else is not repeated.
	Source string
	// MaxBytes bounds the text; 0: 8,000.
	MaxBytes int
}

// sources say why a brief is shown, to whoever lost the beginning.
var sources = map[string]string{
	"startup": ", shown because a session starts", "resume": ", shown because a session goes on", "clear": ", shown after the context was cleared",
	"compact": ", shown after compaction: what was said before may be lost, this is what is true", "fork": ", shown because a session was forked",
}

// HookBrief is what a session's beginning adds to the context: the brief of the
// run that HEAD's branch (or GIT_AGENT_RUN) belongs to, one line more in front.
// On another branch it is only a pointer to the run, because the session may be
// about something else; without a run, or with several, it is "". Like
// [Engine.Brief] it takes no lock, asks no remote and writes nothing.
func (e *Engine) HookBrief(ctx context.Context, req HookRequest) (string, error) {
	run, here, err := e.hookRun(ctx)
	if err != nil || run == "" {
		return "", err
	}
	first := fmt.Sprintf("git agent, as of %s%s:\n\n", e.Now().UTC().Format(time.RFC3339), sources[req.Source])
	s, err := e.open(ctx, run)
	if CodeOf(err) == "NO_RUN" {
		if !here {
			return "", nil
		}
		return first + fmt.Sprintf("# Run %s\n\nThis session is of it (by HEAD's branch, or GIT_AGENT_RUN); its plan is not in this clone.\n\n**Next:** `git agent resume %s`\n", run, run), nil
	}
	if err != nil {
		return "", err
	}
	text, err := s.hookText(here)
	if err != nil || text == "" {
		return "", err
	}
	return ClipBrief(first+text, req.MaxBytes), nil
}

// hookRun is the run a session is about, and whether it is checked out here.
func (e *Engine) hookRun(ctx context.Context) (run string, here bool, err error) {
	if lookup(e.Env, "GIT_AGENT_RUN") != "" {
		run, err = e.WhichRun(ctx, "")
		return run, true, err
	}
	head, err := e.Git.Head(ctx)
	if err != nil {
		return "", false, err
	}
	if run = e.runOfBranch(head.Branch); run != "" {
		return run, true, nil
	}
	refs, err := e.Git.Refs(ctx, planPrefix)
	if err != nil || len(refs) != 1 {
		return "", false, err
	}
	return strings.TrimPrefix(refs[0].Name, planPrefix), false, nil
}

func (s *session) hookText(here bool) (string, error) {
	if here {
		text, err := s.nextBrief()
		if err == nil && !s.workedOnHere() {
			text = fmt.Sprintf("This clone has not worked on the run yet. Begin with: `git agent resume %s`\n\n", s.run) + text
		}
		return text, err
	}
	next, _, err := s.peekLeft()
	if err != nil || next == nil {
		return "", err
	}
	_, i := s.plan.Step(next.ID)
	return fmt.Sprintf("Run %s (%s) is in this repository, at step %d of %d, and HEAD is not on its branch. It is not the task here unless somebody says so; then: `git agent resume %s`\n",
		s.run, quoted(s.plan.Title, 200), i+1, len(s.plan.Steps), s.run), nil
}

// workedOnHere: something of the run was begun in this clone.
func (s *session) workedOnHere() bool {
	_, err := s.State.Read(s.run + "/" + localFile)
	return !errors.Is(err, fs.ErrNotExist)
}

// Unfinished is what a session that is about to end would leave behind, as the
// next thing for a model to do: work of the next step that nobody judged, or
// certificates that only this clone has. "" where nothing is left, where HEAD is
// not on a run's branch, and inside an attempt: there the outer command judges.
func (e *Engine) Unfinished(ctx context.Context) (string, error) {
	run, here, err := e.hookRun(ctx)
	if err != nil || run == "" || !here || e.insideAttempt(run) {
		return "", err
	}
	s, err := e.open(ctx, run)
	if err != nil || s.head.Branch != s.branch {
		return "", err
	}
	return s.unfinished(ctx)
}

// insideAttempt: a live attempt's job or check is around, which its own command
// judges.
func (e *Engine) insideAttempt(run string) bool {
	a, err := e.nested(StepRequest{Run: run})
	return a != nil || err != nil
}

func (s *session) unfinished(ctx context.Context) (string, error) {
	next, recheck, err := s.peekLeft()
	if err != nil {
		return "", err
	}
	if next != nil && !recheck {
		if text := s.unjudged(next); text != "" {
			return text, nil
		}
	}
	if s.ledger.Certificate() != nil && s.remote.name != "" && !s.local.NoPush && !s.sync(ctx).Pushed() {
		return fmt.Sprintf("Run %s has certificates that are not pushed, as far as this clone knows. Push them: git agent resume %s\n", s.run, s.run), nil
	}
	return "", nil
}

// unjudged is work of a step that lies in the tree, or in commits, without a
// certificate.
func (s *session) unjudged(step *plan.Step) string {
	paths, _ := s.dirty(step)
	touches, err := plan.CompilePaths(step.Touches)
	if err != nil {
		return ""
	}
	for _, c := range s.ledger.Changed(s.boundary()) {
		if touches.Match(c.Path) {
			paths = sortedUnion(paths, []string{oneLine(c.Path)})
		}
	}
	if len(paths) == 0 {
		return ""
	}
	return fmt.Sprintf("Step %s of run %s has work that is not certified: %s.\n"+
		"Finish it and have it judged: %s\n"+
		"If it is not to be kept: git agent rollback %s. If it is somebody else's, say so and stop; you are told this once.\n",
		step.ID, s.run, codeList(paths, 300), s.afterwards(step), step.ID)
}
