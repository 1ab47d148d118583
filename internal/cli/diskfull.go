package cli

import (
	"fmt"

	"github.com/git-agent/git-agent/pkg/check"
	"github.com/git-agent/git-agent/pkg/run"
)

// orDiskFull places an error that nobody else could, where a disk is full: git
// says that in words alone, so the file systems that it writes to are asked.
func (a *app) orDiskFull(err error) error {
	if code := run.CodeOf(err); code != "UNKNOWN" && code != "CLONE" {
		return err
	}
	places := []string{".", a.env("TMPDIR")}
	if repo, errOpen := a.repo(); errOpen == nil {
		places = append(places, repo.CommonDir)
	}
	full := check.Full(append(places, "/tmp")...)
	if full == "" {
		return err
	}
	return &run.Failure{Code: "ENVIRONMENT", Exit: run.ExitPerson, Err: fmt.Errorf("the disk of %q is full: %w; what is certified is saved", full, err),
		Hints: []string{"df " + run.Quote(full) + "   # once there is room: the same command again"}}
}
