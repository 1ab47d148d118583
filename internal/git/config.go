package git

import (
	"context"
	"slices"
	"strings"
	"time"
)

// readConfig reads the whole configuration once, in one child.
func (r *Repo) readConfig(ctx context.Context) error {
	list := r.reading("config", "-z", "--list", "--show-scope")
	list.flags = nil // the person's settings, not those that we force on git
	recs, err := list.records(ctx)
	if err != nil {
		return err
	}
	r.config, r.userConfig = map[string][]string{}, map[string]string{}
	for i := 0; i+1 < len(recs); i += 2 {
		key, value, given := strings.Cut(recs[i+1], "\n")
		if !given {
			value = "true" // a key without "=", git-config(1)
		}
		r.config[key] = append(r.config[key], value)
		switch recs[i] {
		case "system", "global", "command":
			r.userConfig[key] = value
		}
	}
	r.configuredHooks = hookNames(r.config)
	return nil
}

// UserConfig is the last value of a setting that the person or the machine
// gave, on the command line included: never the repository's, which anything
// that runs in it can write.
func (r *Repo) UserConfig(key string) (value string, ok bool) {
	value, ok = r.userConfig[key]
	return value, ok
}

// Config is the last value of a setting; key is lower case but for a
// subsection, as git prints it. ok is false where it is not set.
func (r *Repo) Config(key string) (value string, ok bool) {
	values := r.config[key]
	if len(values) == 0 {
		return "", false
	}
	return values[len(values)-1], true
}

// ConfigBool reads a setting as git reads booleans; unset is false.
func (r *Repo) ConfigBool(key string) bool {
	value, ok := r.Config(key)
	if !ok {
		return false
	}
	switch strings.ToLower(value) {
	case "false", "no", "off", "0", "":
		return false
	}
	return true
}

// ConfigKeys are the settings that are set and begin so, sorted.
func (r *Repo) ConfigKeys(prefix string) []string {
	var keys []string
	for key := range r.config {
		if strings.HasPrefix(key, prefix) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// ConfigOrigin says in which scope a setting's last value is and where
// ("file:.git/config", "command line:"); both "" where git does not say.
func (r *Repo) ConfigOrigin(ctx context.Context, key string) (scope, origin string) {
	c := r.reading("config", "-z", "--show-scope", "--show-origin", "--get", key)
	c.flags = nil
	recs, err := c.records(ctx)
	if err != nil || len(recs) < 3 {
		return "", ""
	}
	return recs[0], strings.TrimSuffix(recs[1], ":")
}

func (r *Repo) networkDeadline() time.Duration {
	value, _ := r.Config("agent.networktimeout") // pkg/run refuses what is no duration
	if d, err := time.ParseDuration(value); err == nil && d > 0 {
		return d
	}
	return remoteDeadline
}

// Remotes are the configured remotes' names, sorted.
func (r *Repo) Remotes() []string {
	var names []string
	for key := range r.config {
		name, isURL := strings.CutSuffix(key, ".url")
		if name, isRemote := strings.CutPrefix(name, "remote."); isURL && isRemote {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// KnowsCommitter reports whether git could write an author and a committer, or
// the error with which it could not (`user.useConfigOnly`, no user.email at
// all, a variable that is set to nothing, a name of nothing but marks).
func (r *Repo) KnowsCommitter(ctx context.Context) error {
	for _, who := range []string{"COMMITTER", "AUTHOR"} {
		if r.identity(who, "name") && r.identity(who, "email") {
			continue
		}
		if _, err := r.reading("var", "GIT_"+who+"_IDENT").text(ctx); err != nil {
			return err
		}
	}
	return nil
}

// identity reports whether a part of an identity is given, and of that what git
// does not strip (ident.c) leaves something; git prefers the variable, even an
// empty one, and a setting of author or committer to that of both.
func (r *Repo) identity(who, part string) bool {
	value := ""
	for _, key := range []string{strings.ToLower(who) + "." + part, "user." + part} {
		if value == "" {
			value, _ = r.Config(key)
		}
	}
	for _, kv := range r.env {
		if set, ok := strings.CutPrefix(kv, "GIT_"+who+"_"+strings.ToUpper(part)+"="); ok {
			value = set
		}
	}
	return strings.ContainsFunc(value, func(c rune) bool { return c > ' ' && !strings.ContainsRune(`.,:;<>"\'`, c) })
}

// Pager is the command that git would page with.
func (r *Repo) Pager(ctx context.Context) string {
	c := &command{repo: r, env: r.env, deadline: time.Minute, args: []string{"var", "GIT_PAGER"}}
	out, err := c.text(ctx)
	if err != nil {
		return ""
	}
	return out
}

// cutLine splits a record of `git config -z`: key, newline, value.
func cutLine(rec string) (key, value string) {
	key, value, _ = strings.Cut(rec, "\n")
	return key, value
}
