package run

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/settings"
)

// CheckSettings refuses where a value is none of its kind, of these settings or
// of all. To go on with the default would do what nobody asked for: two machines
// that differ in agent.leaseTTL alone can both take a run for free.
func CheckSettings(ctx context.Context, c Config, only ...string) error {
	wrong := slices.DeleteFunc(settings.Wrong(c), func(s settings.Setting) bool { return len(only) > 0 && !slices.Contains(only, s.Key) })
	if len(wrong) == 0 {
		return nil
	}
	says, mend := wrongSetting(ctx, c, wrong[0])
	f := failf("BAD_SETTING", ExitUsage, "%s; nothing was done", says).hint("%s", mend)
	if len(wrong) > 1 {
		f = f.hint("git agent doctor   # names all %d that are wrong", len(wrong))
	}
	return f
}

// wrongSetting says what is wrong with one and where it is, and mends it there.
func wrongSetting(ctx context.Context, c Config, s settings.Setting) (says, mend string) {
	scope, origin := c.ConfigOrigin(ctx, s.Key)
	says = fmt.Sprintf("%s is %q", s.Key, s.Value(c))
	if origin != "" {
		says += " (" + origin + ")"
	}
	says += ", and takes " + s.Takes()
	if scope == "command" { // of `git -c`, or of the environment: there is no file to mend
		return says, "git agent help config"
	}
	where := ""
	if file, ok := strings.CutPrefix(origin, "file:"); ok { // which the scope's own may include
		where = "--file " + quoteArg(file) + " "
	}
	return says, fmt.Sprintf("git config %s--replace-all %s %s", where, s.Key, s.Example())
}

// seeSettings names every value that is none of its kind, and keys that look
// like ours and are none.
func (e *Engine) seeSettings(ctx context.Context) []Finding {
	var all []Finding
	for _, s := range settings.Wrong(e.Config) {
		says, mend := wrongSetting(ctx, e.Config, s)
		all = append(all, wrong("settings", mend, "%s", says))
	}
	for _, key := range settings.Unknown(e.Config) {
		all = append(all, fine("settings", "%s is no setting of git agent's", key))
	}
	return all
}
