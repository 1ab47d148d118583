package cli

import (
	"context"

	"github.com/git-agent/git-agent/internal/mcp"
	"github.com/git-agent/git-agent/pkg/run"
)

type mcpCmd struct{}

// Run serves the protocol on standard input and output. Nothing else may be
// printed there, and nothing is narrated.
func (c *mcpCmd) Run(a *app) error {
	s := &mcp.Server{Version: version(), Open: func(ctx context.Context, writes bool) (*run.Engine, error) {
		one := *a // calls come at once, and each has its own deadline
		one.ctx, one.json = ctx, true
		return one.engine(writes)
	}}
	return s.Serve(a.ctx, a.In, a.Out)
}
