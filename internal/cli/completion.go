package cli

import (
	"github.com/git-agent/git-agent/contrib/completion"
)

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"The shell: bash, zsh or fish."`
}

// completionFiles are the scripts of each shell.
var completionFiles = map[string][]string{
	"bash": {"git-agent"}, "zsh": {"_git-agent"}, "fish": {"git-agent.fish", "git-agent.conf.fish"},
}

func (c *completionCmd) Run(a *app) error {
	for _, name := range completionFiles[c.Shell] {
		text, err := completion.Files.ReadFile(name)
		if err != nil {
			return err
		}
		if err := a.print(string(text)); err != nil {
			return err
		}
	}
	return nil
}
