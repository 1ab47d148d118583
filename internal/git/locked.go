package git

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
)

// lockNamed is a lock that git names, in whatever language and quotes.
var lockNamed = regexp.MustCompile(`/[^\n'"<>:]*\.lock`)

// orLocked asks the second question after a child that did not do its work: is one
// of the locks of this repository there, that it names or that it never names?
func (r *Repo) orLocked(failure *Error) error {
	for _, path := range append(r.namedLocks(failure.Stderr), r.unnamedLocks(failure.Args[0])...) {
		info, err := os.Lstat(path)
		if err == nil && r.owns(path) {
			return &object.LockedError{Path: path, Age: max(0, r.now().Sub(info.ModTime())), Err: failure}
		}
	}
	return failure
}

// namedLocks are what a message may mean: what looks like a lock and, since a folder
// or a ref may have quotes in its own name, what stands behind a folder of ours, as
// git writes that: a link in PWD stays one.
func (r *Repo) namedLocks(said string) []string {
	paths := lockNamed.FindAllString(said, -1)
	for _, dir := range []string{r.GitDir, r.CommonDir, lookup(r.env, "PWD")} {
		for _, rest := range strings.Split(said, dir+"/")[1:] {
			if name, _, ends := strings.Cut(rest, ".lock"); ends && dir != "" {
				paths = append(paths, dir+"/"+name+".lock")
			}
		}
	}
	return paths
}

// unnamedLocks are those of whose names git keeps silent: of its configuration, and
// of refs that are kept as tables (reftable, git-refs(1)).
func (r *Repo) unnamedLocks(subcommand string) []string {
	switch subcommand {
	case "config":
		return []string{filepath.Join(r.CommonDir, "config.lock"), filepath.Join(r.GitDir, "config.worktree.lock")}
	case "update-ref", "checkout", "fetch":
		return r.tableLocks()
	}
	return nil
}

func (r *Repo) tableLocks() []string {
	const name = "reftable/tables.list.lock"
	return slices.Compact([]string{filepath.Join(r.CommonDir, name), filepath.Join(r.GitDir, name)})
}

// owns: a push names the locks of a remote on this machine too.
func (r *Repo) owns(path string) bool {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return false
	}
	return slices.ContainsFunc([]string{r.CommonDir, r.GitDir}, func(dir string) bool {
		dir, err := filepath.EvalSymlinks(dir)
		return err == nil && strings.HasPrefix(real, dir+string(filepath.Separator))
	})
}
