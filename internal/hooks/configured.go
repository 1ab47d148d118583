package hooks

import "context"

// configured is a hook in git's configuration.
type configured struct {
	git   Git
	event string
}

// commands are what the configuration says; git appends the hook's arguments.
// Called from inside itself one does nothing. Without the program the push, or
// commit, goes on, and says so.
var commands = map[string]string{
	"pre-push":   guarded("pre-push") + "git-agent verify --pre-push >&2",
	"commit-msg": guarded("commit-msg") + "git-agent verify >&2 --message",
}

func guarded(event string) string {
	return `test "${GIT_AGENT_HOOK-}" = ` + event + ` && exit 0; ` + missing + `GIT_AGENT_HOOK=` + event + " "
}

const missing = `command -v git-agent >/dev/null || { echo "git-agent: warning: git-agent is not on PATH, nothing was looked at" >&2; exit 0; }; `

func (c *configured) section() string {
	if c.event == "pre-push" {
		return "hook.git-agent"
	}
	return "hook.git-agent-" + c.event
}

func (c *configured) look() (Hook, error) {
	h := Hook{Event: c.event, State: Absent, How: ByConfig, Path: c.section()}
	event, found := c.git.Config(c.section() + ".event")
	command, _ := c.git.Config(c.section() + ".command")
	switch {
	case !found && command == "":
	case event == c.event && command == commands[c.event]:
		h.State = Installed
	default:
		h.State = Changed
	}
	return h, nil
}

func (c *configured) install(ctx context.Context) error {
	if h, _ := c.look(); h.State == Changed {
		return c.changed()
	}
	if err := c.git.SetConfig(ctx, c.section()+".command", commands[c.event]); err != nil {
		return err
	}
	return c.git.SetConfig(ctx, c.section()+".event", c.event)
}

func (c *configured) uninstall(ctx context.Context) error {
	if h, _ := c.look(); h.State == Changed {
		return c.changed()
	}
	return c.git.UnsetSection(ctx, c.section())
}

func (c *configured) changed() error {
	command, _ := c.git.Config(c.section() + ".command")
	return &Refusal{Path: c.section(), Why: "it is not what git agent writes there", Shown: command,
		Hints: []string{"git config --remove-section " + c.section()}}
}
