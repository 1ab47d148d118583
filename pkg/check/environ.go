package check

import (
	"maps"
	"slices"
	"strings"
)

// agentPrefix is common to all variables that we hand to commands.
const agentPrefix = "GIT_AGENT_"

// gitLocal are the variables that tie a git process to one repository or
// one invocation: `git rev-parse --local-env-vars` of git 2.39, what a push
// sets in a receiving hook, and the effects of git's own global options.
// Where the person's configuration lies (GIT_CONFIG_GLOBAL, GIT_CONFIG_SYSTEM,
// GIT_CONFIG_NOSYSTEM) and which git it is (GIT_EXEC_PATH) stay.
var gitLocal = []string{
	"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CONFIG", "GIT_CONFIG_PARAMETERS",
	"GIT_CONFIG_COUNT", "GIT_OBJECT_DIRECTORY", "GIT_DIR", "GIT_WORK_TREE",
	"GIT_IMPLICIT_WORK_TREE", "GIT_GRAFT_FILE", "GIT_INDEX_FILE",
	"GIT_NO_REPLACE_OBJECTS", "GIT_REPLACE_REF_BASE", "GIT_PREFIX",
	"GIT_INTERNAL_SUPER_PREFIX", "GIT_SHALLOW_FILE", "GIT_COMMON_DIR",
	"GIT_NAMESPACE", "GIT_QUARANTINE_PATH", "GIT_LITERAL_PATHSPECS",
	"GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS",
	"GIT_EXTERNAL_DIFF", "GIT_DIFF_OPTS", "GIT_PAGER_IN_USE",
}

// strictNames are kept under agent.env=strict: the design, section 9.
var strictNames = []string{"PATH", "HOME", "LANG", "TMPDIR"}

// Environ is the environment of a check or a job: base without git's
// repository and config variables (ours, and drop: what the installed git
// answers to `git rev-parse --local-env-vars`), plus extra.
//
// With strict only PATH, HOME, LANG, TMPDIR and passEnv are kept of base; a
// git variable is dropped even when passEnv names it. GIT_AGENT_* variables
// are inherited in both modes, so that a nested command still says which
// attempt it belongs to; extra overrides them, and everything else.
//
// The order is base's, then extra's by name. Of a name that base holds twice
// the last one counts, as in os/exec.
func Environ(base, drop []string, strict bool, passEnv []string, extra map[string]string) []string {
	values := make(map[string]string, len(base))
	var names []string
	for _, entry := range base {
		name, value, ok := strings.Cut(entry, "=")
		if !ok || name == "" || isGitLocal(name, drop) || strict && !isStrict(name, passEnv) {
			continue
		}
		if _, seen := values[name]; !seen {
			names = append(names, name)
		}
		values[name] = value
	}
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		if _, seen := values[name]; !seen {
			names = append(names, name)
		}
		values[name] = extra[name]
	}
	env := make([]string, len(names))
	for i, name := range names {
		env[i] = name + "=" + values[name]
	}
	return env
}

func isGitLocal(name string, drop []string) bool {
	return slices.Contains(gitLocal, name) || slices.Contains(drop, name) ||
		strings.HasPrefix(name, "GIT_CONFIG_KEY_") || strings.HasPrefix(name, "GIT_CONFIG_VALUE_")
}

func isStrict(name string, passEnv []string) bool {
	return slices.Contains(strictNames, name) || slices.Contains(passEnv, name) ||
		strings.HasPrefix(name, agentPrefix)
}
