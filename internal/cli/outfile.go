package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/git-agent/git-agent/pkg/run"
)

// needFolder refuses a folder to write below where what has its name, or what
// lies nearest above it, is none.
func needFolder(command, dir string) error {
	at := nearest(dir)
	if info, err := os.Stat(at); err == nil && !info.IsDir() {
		return usageFor(command, "%q is no folder; nothing was written", at)
	}
	return nil
}

// nearest is the first of a path and what it lies in that is there.
func nearest(path string) string {
	for {
		above := filepath.Dir(path)
		if _, err := os.Stat(path); err == nil || above == path {
			return path
		}
		path = above
	}
}

// needPlace refuses a file that cannot be written, because of its name alone.
func needPlace(command, file string) error {
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return usageFor(command, "%q is a folder: name a file in it; nothing was written", file)
	}
	dir := filepath.Dir(file)
	if err := needFolder(command, dir); err != nil {
		return err
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		return nil // what else is wrong shows when it is written
	}
	return &run.Failure{Code: "USAGE", Exit: run.ExitUsage, Err: fmt.Errorf("there is no folder %q to write %q in; nothing was written", dir, filepath.Base(file)),
		Hints: []string{"mkdir -p " + run.Quote(dir), "git agent help " + command}}
}

// unwritten is what a file system has against a file.
func unwritten(file string, err error) error {
	return &run.Failure{Code: "UNKNOWN", Exit: run.ExitUnknown, Err: fmt.Errorf("write %q: %w", file, err), Hints: []string{"ls -ld " + run.Quote(nearest(filepath.Dir(file)))}}
}
