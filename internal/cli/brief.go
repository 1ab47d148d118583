package cli

import (
	"fmt"

	"github.com/alecthomas/kong"

	"github.com/git-agent/git-agent/pkg/run"
)

type briefCmd struct {
	ID       string   `arg:"" optional:"" name:"run" help:"The run; else as for --run."`
	Hook     hookFlag `help:"Answer an agent's session hook, whose JSON is on standard input: for Claude Code, Codex and Gemini CLI, with =cursor or =copilot for those. Ends with 0 whatever happens, and prints nothing where there is no run."`
	MaxBytes fromOne  `name:"max-bytes" help:"Print at most so many bytes; 8000 and less." placeholder:"N"`
	JSON     bool     `name:"json" help:"Print one JSON object that holds the brief."`
}

type briefJSON struct {
	Format int    `json:"format"`
	Run    string `json:"run"`
	Brief  string `json:"brief"`
}

// leastBrief is what the run, the next step and the rules need.
const leastBrief = 500

func (c *briefCmd) Run(a *app) error {
	if c.MaxBytes != 0 && c.MaxBytes < leastBrief {
		return &run.Failure{Code: "USAGE", Exit: run.ExitUsage, Err: fmt.Errorf("--max-bytes %d: a brief needs %d", c.MaxBytes, leastBrief),
			Hints: []string{fmt.Sprintf("git agent brief --max-bytes %d", leastBrief)}}
	}
	if c.Hook.client != "" {
		return a.briefHook(c)
	}
	a.json = c.JSON
	e, id, err := a.onRun(false, c.ID)
	if err != nil {
		return err
	}
	text, err := e.Brief(a.ctx, id)
	if err != nil {
		return err
	}
	text = run.ClipBrief(text, int(c.MaxBytes))
	if c.JSON {
		return a.printJSON(briefJSON{1, id, text})
	}
	return a.print(text)
}

// clients are the families of agents whose hooks speak alike: Codex and Gemini
// CLI as Claude Code.
const (
	clientClaude  = "claude"
	clientCursor  = "cursor"
	clientCopilot = "copilot"
)

// hookFlag is --hook, with or without the client behind a "=".
type hookFlag struct{ client string }

// IsBool lets --hook stand alone.
func (h *hookFlag) IsBool() bool { return true }

// Decode takes what stands behind the "=".
func (h *hookFlag) Decode(ctx *kong.DecodeContext) error {
	h.client = clientClaude
	if ctx.Scan.Peek().Type != kong.FlagValueToken {
		return nil
	}
	switch name := ctx.Scan.Pop().String(); name {
	case "true", clientClaude, "codex", "gemini":
	case clientCursor, clientCopilot:
		h.client = name
	default:
		return fmt.Errorf("%q is none of claude, codex, gemini, cursor, copilot", name)
	}
	return nil
}
