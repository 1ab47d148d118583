package cli

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestDemo plays the demo with Go on the PATH and without. Its Go uses the
// build cache of whoever tests: a cold one costs half a minute.
func TestDemo(t *testing.T) {
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatalf("go env GOCACHE: %v", err)
	}
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "demo"),
		Setup: func(env *testscript.Env) error {
			env.Vars = append(env.Vars, "GOCACHE="+strings.TrimSpace(string(cache)))
			return hermetic(env)
		},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"code": cmdCode},
	})
}
