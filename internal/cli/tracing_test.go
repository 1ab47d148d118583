package cli

import (
	"path/filepath"
	"testing"
)

// The server of the Model Context Protocol opens an engine a call, each from a
// copy: the file of GIT_AGENT_TRACE is one all the same.
func TestLogger_isOpenedOnce(t *testing.T) {
	a := &app{World: World{Env: []string{"GIT_AGENT_TRACE=" + filepath.Join(t.TempDir(), "trace")}}, trace: &tracing{}}
	one, other := *a, *a
	if l := one.logger(); l == nil || l != other.logger() {
		t.Error("each copy opens a file of its own")
	}
}
