package git

import (
	"slices"
	"strings"
)

// Git 2.54 and newer also runs hooks that the configuration names
// (git-hook(1)): hook.<name>.command at each hook.<name>.event. They do not
// live in core.hooksPath, so that an empty one does not silence them; each has
// a switch of its own. An older git ignores all of it.

// falseVariable holds the value for names that -c would cut at their "=".
const falseVariable = "_GIT_AGENT_FALSE"

// withoutHooks switches off every hook that the configuration names.
func (c *command) withoutHooks() *command {
	for _, name := range c.repo.configuredHooks {
		key := "hook." + name + ".enabled"
		if !strings.Contains(name, "=") {
			c.flags = append(c.flags, "-c", key+"=false")
			continue
		}
		c.flags = append(c.flags, "--config-env="+key+"="+falseVariable) // cut at the last "="
		if !slices.Contains(c.env, falseVariable+"=false") {
			c.env = append(c.env, falseVariable+"=false")
		}
	}
	return c
}

// hookNames are the names of the hooks in a configuration, sorted.
func hookNames(config map[string][]string) []string {
	var names []string
	for key := range config {
		rest, ok := strings.CutPrefix(key, "hook.")
		if at := strings.LastIndexByte(rest, '.'); ok && at > 0 {
			names = append(names, rest[:at])
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
