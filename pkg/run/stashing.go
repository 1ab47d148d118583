package run

import (
	"path"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
)

// git stash refuses paths that left the index and files that `git add -N` only
// announced, and stops half-way where a file is gone that the index has anew, or
// where a folder stands in a file's place or a file in a folder's (tried with git
// 2.39). Each has a command that makes it a change which git stash takes.

// stashing is the command that puts tracked changes away.
func stashing(status []object.FileStatus, paths []string) string {
	var p preparing
	known := byPath(status)
	for _, one := range paths {
		p.path(known, status, one)
	}
	return p.before("git restore --staged -- ", p.unstage) + p.before("git add -- ", p.add) + p.before("git restore -- ", p.write) +
		"git stash push -- " + pathspecs(sortedUnion(p.stash))
}

// stashingAll is stashing for everything: there git needs only what was announced.
func stashingAll(status []object.FileStatus, push string) string {
	var p preparing
	for _, f := range status {
		if f.Unstaged == 'A' {
			p.add = append(p.add, f.Path)
		}
	}
	return p.before("git add -- ", p.add) + push
}

// preparing are the paths by what has to be done for them.
type preparing struct{ unstage, add, write, stash []string }

func (p *preparing) path(known map[string]object.FileStatus, status []object.FileStatus, one string) {
	f := known[one]
	switch other := otherwise(known, status, one); {
	case other != "":
		p.add, one = append(p.add, other), other
	case f.Unstaged == 'A':
		p.add = append(p.add, one)
	case f.Staged == 'D':
		p.unstage = append(p.unstage, one)
	case f.Staged == 'A' && f.Unstaged == 'D':
		p.write = append(p.write, one)
	}
	p.stash = append(p.stash, one)
}

func (p *preparing) before(command string, paths []string) string {
	if len(paths) == 0 {
		return ""
	}
	return command + pathspecs(sortedUnion(paths)) + " && "
}

// otherwise is where something of another kind stands now: a folder at the path,
// or a file or link at one of its folders; "" for neither.
func otherwise(known map[string]object.FileStatus, status []object.FileStatus, one string) string {
	for dir := path.Dir(one); dir != "."; dir = path.Dir(dir) {
		if f, is := known[dir]; is && (f.Untracked() || f.HasFile()) {
			return dir
		}
	}
	if slices.ContainsFunc(status, func(f object.FileStatus) bool { return strings.HasPrefix(f.Path, one+"/") }) {
		return one
	}
	return ""
}
