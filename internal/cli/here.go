package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/git-agent/git-agent/pkg/run"
)

// here is the folder to work in: the current one, unless another was named.
func (a *app) here() (string, error) {
	if a.dir != "" {
		return a.dir, nil
	}
	dir, err := os.Getwd()
	if errors.Is(err, fs.ErrNotExist) {
		return "", &run.Failure{Code: "NOT_A_REPOSITORY", Exit: run.ExitFatal, Err: errors.New("the current folder is not there any more; nothing was done"),
			Hints: []string{"cd " + run.Quote(a.remaining()) + "   # then the same command again"}}
	}
	return dir, err
}

// remaining is what is left of the path by which the shell came to the current
// folder.
func (a *app) remaining() string {
	for dir := a.env("PWD"); filepath.IsAbs(dir); dir = filepath.Dir(dir) {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return dir
		}
	}
	return string(filepath.Separator)
}
