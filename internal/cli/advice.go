package cli

import "strings"

// config reads a git setting; key is lower case.
type config interface {
	Config(key string) (value string, ok bool)
}

// advises reports whether hints are shown behind an error of this code. As in
// git (git-config(1), advice.*) each can be left out by name, and GIT_ADVICE=0
// leaves out all (git(1), since 2.45). With --json hints are data and always
// there.
func (a *app) advises(code string) bool {
	if off(a.env("GIT_ADVICE")) {
		return false
	}
	if a.config == nil {
		return true // refused before there was a configuration
	}
	value, ok := a.config.Config(adviceKey(code))
	return !ok || !off(value)
}

// adviceKey is RUN_BUSY as advice.agentrunbusy: git folds the case of its keys.
func adviceKey(code string) string {
	return "advice.agent" + strings.ToLower(strings.ReplaceAll(code, "_", ""))
}

// off reads a boolean as git does; what is no boolean turns nothing off.
func off(value string) bool {
	switch strings.ToLower(value) {
	case "false", "no", "off", "0":
		return true
	}
	return false
}
