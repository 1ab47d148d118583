package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/sirupsen/logrus"

	"github.com/git-agent/git-agent/pkg/run"
)

// tracing is GIT_AGENT_TRACE: "1" is standard error, anything absolute a file.
// It is opened once, however many engines a process opens.
type tracing struct {
	once sync.Once
	log  logrus.FieldLogger // nil: nothing is traced
}

// logger writes every git child to where GIT_AGENT_TRACE says.
func (a *app) logger() logrus.FieldLogger {
	a.trace.once.Do(func() { a.trace.log = a.openTrace() })
	return a.trace.log
}

// traceable refuses what says neither whether nor where to trace.
func (a *app) traceable() error {
	switch target := a.env("GIT_AGENT_TRACE"); {
	case target == "" || target == "0" || target == "1" || filepath.IsAbs(target):
		return nil
	default:
		return &run.Failure{Code: "USAGE", Exit: run.ExitUsage, Err: fmt.Errorf("GIT_AGENT_TRACE is %q, and takes 1, 0 or an absolute path", target), Hints: []string{"git agent help config"}}
	}
}

func (a *app) openTrace() logrus.FieldLogger {
	target := a.env("GIT_AGENT_TRACE")
	if target == "" || target == "0" {
		return nil
	}
	log := logrus.New()
	log.Level = logrus.DebugLevel //nolint:forbidigo // the level's name, not the package's logger
	log.SetOutput(a.Err)
	if filepath.IsAbs(target) {
		f, err := os.OpenFile(target, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
		if err != nil {
			a.streams.Warn("GIT_AGENT_TRACE: %v", err)
			return nil
		}
		log.SetOutput(f) // the process's end closes it
	}
	return log
}
