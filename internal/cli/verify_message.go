package cli

import (
	"errors"
	"os"
	"strings"

	"github.com/git-agent/git-agent/pkg/run"
	"github.com/git-agent/git-agent/pkg/verify"
)

// verifyMessage is for a commit-msg hook: the message is still as the editor
// left it.
func (a *app) verifyMessage(file string) error {
	raw, err := os.ReadFile(file)
	if err != nil {
		return usageFor("verify", "read the message: %w", err)
	}
	repo, err := a.repo()
	if err != nil {
		return err
	}
	text, err := repo.StripComments(a.ctx, aboveScissors(string(raw)))
	if err != nil {
		return err
	}
	head, err := repo.Head(a.ctx)
	if err != nil {
		return err
	}
	id, ok := strings.CutPrefix(head.Branch, heads(repo))
	if !ok {
		id = ""
	}
	faults, repaired := verify.Message(text, id)
	if len(faults) == 0 {
		return nil
	}
	f := &run.Failure{Code: "BAD_EVIDENCE", Exit: run.ExitNo, Err: errors.New("the commit message: " + strings.Join(faults, "; "))}
	f.Hints = []string{messageRepair(file, repaired)}
	return f
}

// messageRepair commits with the repaired message, or opens an editor on the
// one that there is; what is staged still is.
func messageRepair(file, repaired string) string {
	if repaired == "" {
		return "git commit --edit --file " + run.Quote(file)
	}
	command := "printf '%s\\n'"
	for line := range strings.Lines(repaired) {
		command += " " + run.Quote(strings.TrimSuffix(line, "\n"))
	}
	return command + " | git commit --cleanup=verbatim --file -"
}

// aboveScissors drops the diff that `git commit -v` shows, whatever the
// comment character is.
func aboveScissors(message string) string {
	const line = " ------------------------ >8 ------------------------\n"
	at := strings.Index(message, line)
	if at < 0 {
		return message
	}
	return message[:strings.LastIndexByte(message[:at], '\n')+1]
}
