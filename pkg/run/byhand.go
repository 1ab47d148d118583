package run

import (
	"fmt"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/plan"
)

// Of a step that the plan has a `do` for, `git agent step` runs that, on clean
// ground: what a person did of it is certified by resume. That takes, for a step
// without a record, what git tracks or its touches name, and judges one that has a
// record by what is committed.

// certifies is the command that has a step's changed files certified as they lie
// there; news are those among them that git has to be told of.
func (s *session) certifies(step *plan.Step, changed, news []string) string {
	if step.Do == "" {
		return "git agent step " + step.ID
	}
	command := "git agent resume " + s.run
	if s.ledger.Newest(step.ID) != nil {
		command = fmt.Sprintf("git commit -m %s -- %s && %s", quoteArg(step.ID+" by hand"), pathspecs(changed), command)
	}
	if len(news) > 0 {
		command = fmt.Sprintf("git add -- %s && %s", pathspecs(news), command)
	}
	return command
}

// afterwards is the same in words, for work that is yet to be done.
func (s *session) afterwards(step *plan.Step) string {
	if step.Do == "" {
		return "git agent step " + step.ID
	}
	return "git commit, git agent resume " + s.run
}

// newToGit are untracked files, and submodules whose commit nobody staged.
func newToGit(known map[string]object.FileStatus, paths []string) []string {
	return only(paths, func(path string) bool {
		f := known[path]
		return f.Untracked() || laggingModule(f)
	})
}
