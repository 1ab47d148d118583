// Package settings has every key of git agent's own (git-agent-config(5)) and what
// values it takes. It decides nothing and starts nothing.
package settings

import (
	"slices"
	"strings"
	"time"
)

// Config is what git says, keys in lower case.
type Config interface {
	Config(key string) (value string, ok bool)
	// UserConfig leaves out the repository's own configuration.
	UserConfig(key string) (value string, ok bool)
	// ConfigKeys are the settings that are set and begin so.
	ConfigKeys(prefix string) []string
}

// Setting is one key.
type Setting struct {
	Key  string // as a person writes it
	kind kind
	user bool // the repository's own configuration counts for nothing
}

// All are all there are, but for the advice.
var All = []Setting{
	{Key: "agent.remote", kind: text},
	{Key: "agent.command", kind: text},
	{Key: "agent.maxAttempts", kind: number(1, "5")},
	{Key: "agent.stall", kind: number(1, "3")},
	{Key: "agent.branchPrefix", kind: prefix},
	{Key: "agent.checkTimeout", kind: duration("30m")},
	{Key: "agent.grace", kind: duration("5s")},
	{Key: "agent.env", kind: oneOf("strict")},
	{Key: "agent.leaseTTL", kind: duration("2m")},
	{Key: "agent.networkTimeout", kind: duration("10m")},
	{Key: "agent.verify", kind: oneOf("format", "strict")},
	{Key: "agent.trust", kind: oneOf("signed"), user: true},
	{Key: "agent.allowedSigners", kind: text, user: true},
	{Key: "agent.landMode", kind: oneOf("ff", "merge", "squash", "pr")},
	{Key: "agent.preflightScan", kind: number(0, "20000")},
	{Key: "agent.forge", kind: text, user: true},
	{Key: "agent.forgeTimeout", kind: duration("2m")},
	{Key: "agent.preflightForge", kind: truth},
	{Key: "color.agent", kind: colour},
}

// advice is what the keys begin with that leave out hints, one for each code.
const advice = "advice.agent"

// Value is what a setting says, "" where nothing counts.
func (s Setting) Value(c Config) string {
	read := c.Config
	if s.user {
		read = c.UserConfig
	}
	value, _ := read(strings.ToLower(s.Key))
	return value
}

// Takes says which values there are; Example is one of them.
func (s Setting) Takes() string { return s.kind.takes }

// Example is a value for a hint, the default where there is one.
func (s Setting) Example() string { return s.kind.example }

// Wrong lists the settings whose value is none of their kind. An empty one is as
// if it were not set, so that one file can take back what another says.
func Wrong(c Config) []Setting {
	all := slices.Clone(All)
	for _, key := range c.ConfigKeys(advice) {
		all = append(all, Setting{Key: key, kind: truth})
	}
	return slices.DeleteFunc(all, func(s Setting) bool {
		value := s.Value(c)
		return value == "" || s.kind.ok(value)
	})
}

// Unknown lists what is set like one of ours and is none.
func Unknown(c Config) []string {
	return slices.DeleteFunc(c.ConfigKeys("agent."), func(key string) bool {
		return slices.ContainsFunc(All, func(s Setting) bool { return strings.EqualFold(s.Key, key) })
	})
}

// Duration reads one that lasts; otherwise where it says nothing.
func Duration(c interface {
	Config(key string) (value string, ok bool)
}, key string, otherwise time.Duration) time.Duration {
	value, _ := c.Config(key)
	if d, err := time.ParseDuration(value); err == nil && d > 0 {
		return d
	}
	return otherwise
}
