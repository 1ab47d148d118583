package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/git-agent/git-agent/internal/git"
	"github.com/git-agent/git-agent/internal/ui"
	"github.com/git-agent/git-agent/pkg/run"
)

type hookCmd struct {
	Stop hookStopCmd `cmd:"" help:"Before an agent stops: send it back once, where work is not certified."`
}

type hookStopCmd struct {
	For string `help:"Whose hook it is: claude (also for Codex and Gemini CLI), cursor or copilot." enum:"claude,cursor,copilot" default:"claude" placeholder:"CLIENT"`
}

// hookInput is what a client writes to its hook; each client has some of it.
type hookInput struct {
	Cwd            string   `json:"cwd"`
	WorkspaceRoots []string `json:"workspace_roots"` // Cursor
	Event          string   `json:"hook_event_name"`
	Source         string   `json:"source"`
	StopHookActive bool     `json:"stop_hook_active"`
	LoopCount      int      `json:"loop_count"` // Cursor's stop_hook_active
	Transcript     string   `json:"transcript_path"`
	Status         string   `json:"status"` // Cursor: completed, aborted, error
}

const (
	// inputWait bounds the wait for an input that never comes: a hook that
	// hangs holds its agent up.
	inputWait = 200 * time.Millisecond
	// hookLimit is when a git that does not answer is given up.
	hookLimit = 5 * time.Second
	inputMost = 1 << 20
)

// briefHook answers a session's beginning. A hook that fails would be in the
// way of work that may not be about a run at all: what goes wrong is told on
// standard error and the answer is nothing.
func (a *app) briefHook(c *briefCmd) error {
	in, _ := a.hookInput()
	ctx, stop := a.inHook(in)
	defer stop()
	e, err := a.engine(false)
	if err != nil {
		return a.hookFailed(err)
	}
	text, err := e.HookBrief(ctx, run.HookRequest{Source: in.Source, MaxBytes: int(c.MaxBytes)})
	if err != nil || text == "" {
		return a.hookFailed(err)
	}
	return a.hookFailed(ui.WriteJSON(a.streams.Out, briefEnvelope(c.Hook.client, in.Event, text)))
}

// Run sends an agent back to uncertified work, once: a client says when its stop
// was refused already, and an input that cannot be read is taken for that.
func (c *hookStopCmd) Run(a *app) error {
	in, known := a.hookInput()
	if !known || in.StopHookActive || in.LoopCount > 0 || in.Status == "aborted" || in.Status == "error" {
		return nil
	}
	ctx, stop := a.inHook(in)
	defer stop()
	e, err := a.engine(false)
	if err != nil {
		return a.hookFailed(err)
	}
	text, err := e.Unfinished(ctx)
	if err != nil || text == "" || toldBefore(in.Transcript, text) {
		return a.hookFailed(err)
	}
	return a.hookFailed(ui.WriteJSON(a.streams.Out, stopEnvelope(c.For, text)))
}

// transcriptTail is how much of a session's transcript is looked at.
const transcriptTail = 256 << 10

// toldBefore: the end of the transcript has what would be said. Gemini CLI 0.61
// forgets that it was sent back as soon as the model called a tool.
func toldBefore(transcript, text string) bool {
	info, err := os.Stat(transcript)
	if err != nil || !info.Mode().IsRegular() { // a pipe would wait for its other end
		return false
	}
	f, err := os.Open(transcript)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	tail, err := io.ReadAll(io.NewSectionReader(f, max(0, info.Size()-transcriptTail), transcriptTail))
	if err != nil {
		return false
	}
	first, _, _ := strings.Cut(text, "\n")
	var line bytes.Buffer // as it stands in JSON
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	return enc.Encode(first) == nil && bytes.Contains(tail, bytes.Trim(line.Bytes(), "\"\n"))
}

func briefEnvelope(client, event, text string) any {
	switch client {
	case clientCursor:
		return map[string]string{"additional_context": text}
	case clientCopilot:
		return map[string]string{"additionalContext": text}
	}
	if !regexp.MustCompile(`^[A-Za-z]{1,40}$`).MatchString(event) {
		event = "SessionStart"
	}
	return map[string]any{"hookSpecificOutput": map[string]string{"hookEventName": event, "additionalContext": text}}
}

func stopEnvelope(client, text string) any {
	if client == clientCursor {
		return map[string]string{"followup_message": text}
	}
	return map[string]string{"decision": "block", "reason": text}
}

// hookFailed tells what went wrong and answers success. Where there is no
// repository there is nothing to tell: hooks are installed machine-wide.
func (a *app) hookFailed(err error) error {
	if err != nil && !isBroken(err) && !errors.Is(err, git.ErrNotARepository) && !errors.Is(err, git.ErrBare) {
		a.streams.Warn("%v", err)
	}
	return nil
}

// inHook goes where the session is, and sees to it that nothing asks, fetches
// or waits for long.
func (a *app) inHook(in hookInput) (context.Context, context.CancelFunc) {
	dir := in.Cwd
	if dir == "" && len(in.WorkspaceRoots) > 0 {
		dir = in.WorkspaceRoots[0]
	}
	if info, err := os.Stat(dir); filepath.IsAbs(dir) && err == nil && info.IsDir() {
		a.dir = dir
	}
	a.Env = append(a.Env, "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1")
	ctx, stop := context.WithTimeout(a.ctx, hookLimit)
	a.ctx = ctx
	return ctx, stop
}

// hookInput reads what the client wrote. known is false where there is something
// that is no answer: an input that never ends, or no JSON.
func (a *app) hookInput() (in hookInput, known bool) {
	if a.streams.InTTY {
		return hookInput{}, true
	}
	type answer struct {
		in  hookInput
		err error
	}
	read := make(chan answer, 1)
	go func() {
		var got answer
		got.err = json.NewDecoder(io.LimitReader(a.In, inputMost)).Decode(&got.in)
		read <- got
	}()
	select {
	case got := <-read:
		if got.err != nil && !errors.Is(got.err, io.EOF) {
			_ = a.hookFailed(fmt.Errorf("read the hook's input: %w", got.err))
			return hookInput{}, false
		}
		return got.in, true
	case <-time.After(inputWait):
		return hookInput{}, false
	}
}
