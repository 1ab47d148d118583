// Package mcp lets a client of the Model Context Protocol look at a run and have
// steps certified, over one pair of streams.
//
// It is a second front beside internal/cli: each tool is one call of the engine
// and one answer. It holds no state between calls, pushes nothing but what a
// certified step pushes, runs no command that a caller names (only the checks of
// a plan that a person trusted, and nothing here can trust one), and prints
// nothing. An agent with a shell does not need it.
package mcp

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"sync/atomic"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-agent/git-agent/pkg/run"
)

// Server is what the tools work with.
type Server struct {
	// Open makes an engine for one call; writes says whether it may change
	// something.
	Open    func(ctx context.Context, writes bool) (*run.Engine, error)
	Version string
}

// instructions are what a client shows the model once.
const instructions = "A git agent run is a plan of steps; a step is done when its checks pass on a tree that git can name, and only a certificate commit proves it. " +
	"Begin with run_brief. Change only what the step may touch. End a step with step_certify. Never write Agent-… trailers, never push the run's branch."

// Serve answers until the input ends, the context does, or the client goes. A
// line that is no message ends nothing, and what was asked before the end is
// answered: once the context is done, with what became of a call that was cut
// short, and then that is the error.
func (s *Server) Serve(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	both := &oneAtATime{WriteCloser: out}
	l := newLines(in, both)
	var cut atomic.Bool
	server := s.server()
	server.AddReceivingMiddleware(endingWith(ctx, &cut))
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	defer context.AfterFunc(ctx, func() {
		l.owed.wait()
		end()
	})()
	err := server.Run(life, &sdk.IOTransport{Reader: l, Writer: answers{both, l.owed}})
	switch {
	case cut.Load():
		return context.Cause(ctx)
	case ctx.Err() != nil:
		return nil // ended from outside, and nothing was asked
	}
	return err
}

// endingWith lets calls end with ctx, which the session outlives: their answers
// still have to go out. What was asked and met that end is cut; a notification
// asks nothing.
func endingWith(ctx context.Context, cut *atomic.Bool) sdk.Middleware {
	return func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(call context.Context, method string, req sdk.Request) (sdk.Result, error) {
			call, cancel := context.WithCancelCause(call)
			defer cancel(nil)
			goesOn := context.AfterFunc(ctx, func() { cancel(context.Cause(ctx)) })
			defer func() {
				if !goesOn() && !strings.HasPrefix(method, "notifications/") {
					cut.Store(true)
				}
			}()
			return next(call, method, req)
		}
	}
}

func (s *Server) server() *sdk.Server {
	server := sdk.NewServer(&sdk.Implementation{Name: "git-agent", Title: "git agent", Version: s.Version}, &sdk.ServerOptions{
		Instructions: instructions,
		Logger:       slog.New(slog.DiscardHandler),
		Capabilities: &sdk.ServerCapabilities{}, // no logging: deprecated, and nothing is logged
	})
	s.addTools(server)
	server.AddResource(&sdk.Resource{URI: briefURI, Name: "brief", Title: "Brief of the run", MIMEType: "text/markdown",
		Description: "What the one doing the next step needs to know."}, s.readBrief)
	return server
}

const briefURI = "git-agent://brief"

func (s *Server) readBrief(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	text, err := s.brief(ctx, "")
	if err != nil {
		return nil, err
	}
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: req.Params.URI, MIMEType: "text/markdown", Text: text}}}, nil
}
