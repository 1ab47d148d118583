package git

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
)

// setting is one value of a configuration.
type setting struct{ key, value string }

// adoptConfig gives a clone the settings that are a repository's own: filters,
// credentials, addresses and whatever else the person set up here hold there as
// well. What git wrote to make the clone one stays.
func (r *Repo) adoptConfig(ctx context.Context, from *Repo, remote string) error {
	if remote != "" { // git wrote where it cloned from
		if _, _, err := r.plumbing("config", "--local", "--unset-all", "remote."+remote+".url").answers(5).run(ctx); err != nil {
			return err
		}
		if err := r.plumbing("config", "--local", "agent.remote", remote).do(ctx); err != nil {
			return err
		}
	}
	if name, ok := from.Config("extensions.partialclone"); ok { // how git before 2.24 said it
		if err := r.plumbing("config", "--local", "remote."+name+".promisor", "true").do(ctx); err != nil {
			return err
		}
	}
	own, err := r.ownConfig(ctx)
	if err != nil {
		return err
	}
	theirs, err := from.ownConfig(ctx)
	if err != nil {
		return err
	}
	for _, s := range theirs {
		if slices.ContainsFunc(own, func(o setting) bool { return o.key == s.key }) || !goesAlong(s.key, from.remotesOf(remote)) {
			continue
		}
		if err := r.plumbing("config", "--local", "--add", s.key, from.absolute(s)).do(ctx); err != nil {
			return err
		}
	}
	return nil
}

// ownConfig is what a repository's own files say, those that they include too.
func (r *Repo) ownConfig(ctx context.Context) ([]setting, error) {
	list := r.reading("config", "-z", "--list", "--show-scope")
	list.flags = nil
	recs, err := list.records(ctx)
	if err != nil {
		return nil, err
	}
	var own []setting
	for i := 0; i+1 < len(recs); i += 2 {
		key, value, given := strings.Cut(recs[i+1], "\n")
		if !given {
			value = "true"
		}
		if recs[i] == "local" || recs[i] == "worktree" {
			own = append(own, setting{key, value})
		}
	}
	return own, nil
}

// remotesOf are the remotes that a clone needs: the one it works with, and those
// that owe a partial clone its objects.
func (r *Repo) remotesOf(remote string) []string {
	remotes := []string{remote}
	if name, ok := r.Config("extensions.partialclone"); ok {
		remotes = append(remotes, name)
	}
	for _, name := range r.Remotes() {
		if r.ConfigBool("remote." + name + ".promisor") {
			remotes = append(remotes, name)
		}
	}
	return remotes
}

// goesAlong reports whether a setting means in a clone what it means here. Not
// what is about this folder, its branches and its modules, nor what a remote's refs
// are called here; included files are read already.
func goesAlong(key string, remotes []string) bool {
	section, _, _ := strings.Cut(key, ".")
	last := key[strings.LastIndexByte(key, '.')+1:]
	switch section {
	case "branch", "extensions", "git-agent", "include", "includeif", "submodule":
		return false
	case "remote":
		return last != "fetch" && last != "mirror" && slices.Contains(remotes, strings.TrimSuffix(strings.TrimPrefix(key, "remote."), "."+last))
	}
	return key != "core.worktree" && !strings.HasPrefix(key, "core.sparsecheckout")
}

// absolute makes an address that is a path from our top one from anywhere. What
// looks like one may begin as url.<base>.insteadOf says.
func (r *Repo) absolute(s setting) string {
	if !strings.HasPrefix(s.key, "remote.") || !strings.HasSuffix(s.key, "url") || s.value == "" || filepath.IsAbs(s.value) {
		return s.value
	}
	if before, _, _ := strings.Cut(s.value, "/"); strings.Contains(before, ":") {
		return s.value
	}
	for key, values := range r.config {
		if strings.HasPrefix(key, "url.") && slices.ContainsFunc(values, func(begin string) bool { return strings.HasPrefix(s.value, begin) }) {
			return s.value
		}
	}
	return filepath.Join(r.dir(), s.value)
}
