package git

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
)

// links are those of the submodules of the index at which, or above which, a
// symbolic link lies: git status ends there (2.39: "expected submodule path not
// to be a symbolic link"), whatever else it would have to say.
func (r *Repo) links(modules []string) []string {
	_, beyond := r.reachable(modules)
	links := make([]string, 0, len(beyond))
	for _, e := range beyond {
		links = append(links, e.Path)
	}
	for _, m := range modules {
		if info, err := os.Lstat(r.at(m)); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			links = append(links, m)
		}
	}
	return links
}

// statusAround is the status in two parts: of all but some submodules, and of
// those without a look inside, which is where git ends.
func (r *Repo) statusAround(ctx context.Context, modules []string) ([]object.FileStatus, error) {
	around, only := []string{"--ignore-submodules=none", "--", ":(top)"}, []string{"--ignore-submodules=dirty", "--"}
	for _, m := range modules {
		around, only = append(around, ":(top,exclude,literal)"+m), append(only, ":(top,literal)"+m)
	}
	var all []object.FileStatus
	for _, part := range [][]string{around, only} {
		said, err := r.statusCommand(part...).magic().looked(ctx)
		if err != nil {
			return nil, err
		}
		status, err := parseAll(said)
		if err != nil {
			return nil, err
		}
		all = append(all, status...)
	}
	return all, nil
}

// withUnpopulated adds the submodules that are not checked out and in whose
// folder files lie all the same: git takes them for clean and does not look.
func (r *Repo) withUnpopulated(modules []string, status []object.FileStatus) ([]object.FileStatus, error) {
	for _, m := range modules {
		holds, err := r.unpopulated(m)
		if err != nil {
			return nil, err
		}
		if !holds {
			continue
		}
		i := slices.IndexFunc(status, func(f object.FileStatus) bool { return f.Path == m })
		if i < 0 {
			i, status = len(status), append(status, object.FileStatus{Path: m, Staged: '.', Sub: "S...",
				HeadMode: object.ModeGitlink, IndexMode: object.ModeGitlink, WorkMode: object.ModeGitlink})
		}
		status[i].Unstaged, status[i].Sub, status[i].Unpopulated = 'M', status[i].Sub[:2]+".U", true
	}
	return status, nil
}

// unpopulated reports a submodule's folder that is no checkout of it and holds
// more than folders.
func (r *Repo) unpopulated(module string) (bool, error) {
	dir := r.at(module)
	info, err := os.Lstat(dir)
	if err != nil && !absent(err) {
		return false, r.unsearchable(module, err)
	}
	if err != nil || !info.IsDir() || checkedOut(dir) {
		return false, nil //nolint:nilerr // it is not there
	}
	if _, beyond := r.reachable([]string{module}); len(beyond) > 0 {
		return false, nil
	}
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return r.unsearchable(module, err)
		case !d.IsDir() && name != filepath.Join(dir, ".git"):
			return errHolds
		}
		return nil
	})
	if errors.Is(err, errHolds) {
		return true, nil
	}
	return false, err
}

var errHolds = errors.New("a file")

// checkedOut asks as git does: a repository, or a file that names one.
func checkedOut(dir string) bool {
	at := filepath.Join(dir, ".git")
	info, err := os.Lstat(at)
	if err != nil || info.IsDir() {
		return err == nil
	}
	text, err := os.ReadFile(at)
	named, ok := strings.CutPrefix(string(text), "gitdir: ")
	if err != nil || !ok {
		return false
	}
	if named = strings.TrimRight(named, "\r\n"); !filepath.IsAbs(named) {
		named = filepath.Join(dir, named)
	}
	_, err = os.Stat(filepath.Join(named, "HEAD"))
	return err == nil
}

func (r *Repo) at(path string) string { return filepath.Join(r.Top, filepath.FromSlash(path)) }
