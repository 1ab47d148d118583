package git

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
)

// Modules are the submodules that a tree's .gitmodules names (gitmodules(5)):
// by path, the URL; one without a path or URL is none.
func (r *Repo) Modules(ctx context.Context, tree string) (map[string]string, error) {
	entries, err := r.EntriesAt(ctx, tree, []string{".gitmodules"})
	if err != nil || entries[0].Mode == object.ModeNone {
		return nil, err
	}
	recs, code, err := r.reading("config", "-z", "--blob", entries[0].ID, "--get-regexp", `^submodule\..*\.(path|url)$`).answers(1).run(ctx)
	if err != nil || code == 1 {
		return nil, err
	}
	paths, urls := map[string]string{}, map[string]string{}
	for _, rec := range splitNUL(recs) {
		key, value := cutLine(rec)
		if name, ok := strings.CutSuffix(key, ".path"); ok {
			paths[name] = value
		} else {
			urls[strings.TrimSuffix(key, ".url")] = value
		}
	}
	modules := map[string]string{}
	for name, path := range paths {
		if urls[name] != "" {
			modules[path] = urls[name]
		}
	}
	return modules, nil
}

// ModuleCommit is what the repository in a submodule's folder knows of a commit.
// Published asks as git push does with push.recurseSubmodules=check.
func (r *Repo) ModuleCommit(ctx context.Context, path, commit string) (m object.ModuleCommit, err error) {
	dir := filepath.Join(r.Top, filepath.FromSlash(path))
	if _, err := os.Lstat(filepath.Join(dir, ".git")); err != nil {
		if absent(err) {
			return m, nil
		}
		return m, r.unsearchable(path+"/.git", err)
	}
	ask := func(args ...string) *command {
		return r.elsewhere(filepath.Join(dir, ".git")).command(args...).environ("GIT_DIR=.git", "GIT_NO_LAZY_FETCH=1")
	}
	if m.Here, err = ask("cat-file", "-e", commit).yes(ctx); err != nil || !m.Here {
		return m, err
	}
	unpublished, err := ask("rev-list", "-n", "1", commit, "--not", "--remotes", "--").text(ctx)
	if m.Published = unpublished == ""; err != nil {
		return m, err
	}
	return m, r.moduleRemote(ctx, ask, &m)
}

// moduleRemote finds where a submodule's commit would be pushed to.
func (r *Repo) moduleRemote(ctx context.Context, ask func(...string) *command, m *object.ModuleCommit) error {
	names, err := ask("remote").text(ctx)
	if err != nil || names == "" {
		return err
	}
	remotes := strings.Split(names, "\n")
	if m.Remote = remotes[0]; slices.Contains(remotes, "origin") {
		m.Remote = "origin"
	}
	specs, _, err := ask("config", "--get-all", "remote."+m.Remote+".fetch").answers(1).run(ctx)
	m.Tracked = strings.Contains(string(specs), "refs/heads/*:")
	return err
}
