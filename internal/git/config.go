package git

import (
	"context"
	"strings"
	"time"
)

// readConfig reads the whole configuration once, in one child.
func (r *Repo) readConfig(ctx context.Context) error {
	recs, err := r.reading("config", "-z", "--list").records(ctx)
	if err != nil {
		return err
	}
	r.config = make(map[string][]string)
	for _, rec := range recs {
		key, value := cutLine(rec)
		r.config[key] = append(r.config[key], value)
	}
	return nil
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
	case "false", "no", "off", "0":
		return false
	}
	return true
}

func (r *Repo) networkDeadline() time.Duration {
	value, _ := r.Config("agent.networktimeout")
	if d, err := time.ParseDuration(value); err == nil && d > 0 {
		return d
	}
	return remoteDeadline
}

// Remotes are the configured remotes' names, in configuration order.
func (r *Repo) Remotes(ctx context.Context) ([]string, error) {
	out, err := r.reading("remote").text(ctx)
	if err != nil || out == "" {
		return nil, err
	}
	return strings.Split(out, "\n"), nil
}

// Ident is the committer that git would write, or an error where git does not
// know one (`user.useConfigOnly`, or no user.email at all).
func (r *Repo) Ident(ctx context.Context) (string, error) {
	return r.reading("var", "GIT_COMMITTER_IDENT").text(ctx)
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
