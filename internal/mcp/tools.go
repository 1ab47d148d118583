package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-agent/git-agent/pkg/run"
)

// Tools are named noun_verb, without the product's name, 20 characters at most:
// clients put their own prefix in front and some stop at 64.
func (s *Server) addTools(server *sdk.Server) {
	add(server, "run_status", "Which steps of the run are certified, what is next; runs no check.", reads, s.runStatus)
	add(server, "run_brief", "What the one doing the next step needs to know: goal, paths, checks, what is done, notes, the last failure.", reads, s.runBrief)
	add(server, "step_log", "One step's past: certificates with their checks, attempts, the end of the last failed check's output, preserved work.", reads, s.stepLog)
	add(server, "step_certify", "Run the step's checks on what is in the working tree; what passes is committed as a certificate and pushed. Inside a job it only runs the checks and tells.", certifies, s.stepCertify)
	add(server, "step_note", "Keep one line that later steps need to know; the step's certificate will hold it.", notes, s.stepNote)
	add(server, "run_landed", "Whether the run, a step or an item is landed already, or somebody else is at it; asks the remote, changes nothing.", asks, s.runLanded)
}

// The hints of each tool, all four: what is left out means the worst. They are
// hints, not a fence.
var (
	reads     = hints(true, true, false)
	asks      = hints(true, true, true)
	certifies = hints(false, true, true)
	notes     = hints(false, true, false)
)

func hints(readOnly, idempotent, open bool) sdk.ToolAnnotations {
	destructive := false
	return sdk.ToolAnnotations{ReadOnlyHint: readOnly, IdempotentHint: idempotent, DestructiveHint: &destructive, OpenWorldHint: &open}
}

func add[In any](server *sdk.Server, name, description string, a sdk.ToolAnnotations, call func(context.Context, In) (any, error)) {
	sdk.AddTool(server, &sdk.Tool{Name: name, Description: description, Annotations: &a},
		func(ctx context.Context, req *sdk.CallToolRequest, in In) (*sdk.CallToolResult, any, error) {
			if err := noEmptyWord(req.Params.Arguments); err != nil {
				return refused(err), nil, nil
			}
			out, err := call(ctx, in)
			if err != nil {
				return refused(err), nil, nil
			}
			if text, ok := out.(string); ok {
				return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}, nil, nil
			}
			return nil, out, nil
		})
}

// noEmptyWord refuses an argument that is given and empty, as the command line
// does: to read it as absent would answer another question.
func noEmptyWord(arguments json.RawMessage) error {
	var given map[string]any
	_ = json.Unmarshal(arguments, &given) // what is no object was refused already
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if given[name] == "" {
			return usage("%q is empty; leave it out, or say which", name)
		}
	}
	return nil
}

func usage(format string, args ...any) error {
	return &run.Failure{Code: "USAGE", Exit: run.ExitUsage, Err: fmt.Errorf(format, args...), Hints: []string{"git agent help mcp"}}
}

// refused is an error as the command line has it: code, message, commands that
// go on, as text for a model and structured for a program.
func refused(err error) *sdk.CallToolResult {
	body := map[string]any{"code": run.CodeOf(err), "exit": run.ExitOf(err), "message": err.Error(), "hints": append([]string{}, run.HintsOf(err)...)}
	text := err.Error()
	if hints := run.HintsOf(err); len(hints) > 0 {
		text += "\nhint: " + strings.Join(hints, "\nhint: ")
	}
	structured, _ := json.Marshal(map[string]any{"error": body})
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: text}}, StructuredContent: json.RawMessage(structured)}
}

// on opens an engine and finds out which run is meant.
func (s *Server) on(ctx context.Context, writes bool, named string) (*run.Engine, string, error) {
	e, err := s.Open(ctx, writes)
	if err != nil {
		return nil, "", err
	}
	id, err := e.WhichRun(ctx, named)
	return e, id, err
}

type runInput struct {
	Run string `json:"run,omitempty" jsonschema:"the run; else the one whose branch is checked out, or the only one"`
}

func (s *Server) runBrief(ctx context.Context, in runInput) (any, error) {
	return s.brief(ctx, in.Run)
}

func (s *Server) brief(ctx context.Context, named string) (string, error) {
	e, id, err := s.on(ctx, false, named)
	if err != nil {
		return "", err
	}
	return e.Brief(ctx, id)
}

type stepInput struct {
	runInput
	Step string `json:"step" jsonschema:"the step's id"`
}

func (s *Server) stepLog(ctx context.Context, in stepInput) (any, error) {
	e, id, err := s.on(ctx, false, in.Run)
	if err != nil {
		return nil, err
	}
	return e.StepLog(ctx, id, in.Step)
}

type noteInput struct {
	runInput
	Step string `json:"step,omitempty" jsonschema:"the step whose certificate holds it; else the one in flight or next"`
	Text string `json:"text" jsonschema:"one line, 1000 bytes at most"`
}

func (s *Server) stepNote(ctx context.Context, in noteInput) (any, error) {
	e, id, err := s.on(ctx, true, in.Run)
	if err != nil {
		return nil, err
	}
	step, err := e.Note(ctx, run.NoteRequest{Run: id, Step: in.Step, Text: in.Text})
	if err != nil {
		return nil, err
	}
	return map[string]any{"run": id, "step": step, "kept": true}, nil
}

type landedInput struct {
	runInput
	Step string `json:"step,omitempty" jsonschema:"one step of the run; else the whole run"`
	Item string `json:"item,omitempty" jsonschema:"an issue or ticket, whatever run answers it"`
}

func (s *Server) runLanded(ctx context.Context, in landedInput) (any, error) {
	e, err := s.Open(ctx, false)
	if err != nil {
		return nil, err
	}
	if in.Item != "" {
		if in.Step != "" || in.Run != "" {
			return nil, usage("an item is asked about in every run; name no run and no step")
		}
		return e.Preflight(ctx, run.PreflightRequest{Item: in.Item})
	}
	id, err := e.WhichRun(ctx, in.Run)
	if err != nil {
		return nil, err
	}
	return e.Preflight(ctx, run.PreflightRequest{Run: id, Step: in.Step})
}
