package git

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
)

// CheckedOutAt lists the working trees (but this one) that have a branch
// checked out, or that rebase or bisect it. One whose folder was deleted still
// counts to git.
func (r *Repo) CheckedOutAt(ctx context.Context, branch string) ([]object.Worktree, error) {
	recs, err := r.reading("worktree", "list", "--porcelain", "-z").records(ctx)
	if err != nil {
		return nil, err
	}
	var found []object.Worktree
	var one object.Worktree
	first, has := true, false
	for _, rec := range append(recs, "") { // an empty record ends each
		word, value, _ := strings.Cut(rec, " ")
		switch word {
		case "worktree":
			one, has = object.Worktree{Path: value}, false
		case "branch":
			has = value == branch
		case "detached":
			one.End = r.heldBy(r.gitDirOf(one.Path, first), branch)
			has = one.End != ""
		case "locked":
			one.Locked = true
		case "":
			// The first is the main one, with a git folder elsewhere by the name of that.
			if here := one.Path == r.Top || first && r.GitDir == r.CommonDir; has && !here {
				_, err := os.Lstat(filepath.Join(one.Path, ".git"))
				one.Gone = !first && absent(err)
				found = append(found, one)
			}
			first, has = false, false
		}
	}
	return found, nil
}

// LeadsTo is the branch that a symbolic ref names in the end
// (git-symbolic-ref(1)): an old name that was kept for a new one; else the ref itself.
func (r *Repo) LeadsTo(ctx context.Context, ref string) (string, error) {
	out, code, err := r.reading("symbolic-ref", "-q", ref).answers(1).run(ctx)
	if err != nil || code == 1 {
		return ref, err
	}
	return strings.TrimSuffix(string(out), "\n"), nil
}

// gitDirOf is the git folder of a working tree (gitrepository-layout(5),
// worktrees/<id>/gitdir), "" where none is of it. The folder itself may be gone.
func (r *Repo) gitDirOf(top string, isMain bool) string {
	if isMain {
		return r.CommonDir
	}
	dirs, _ := filepath.Glob(filepath.Join(r.CommonDir, "worktrees", "*"))
	for _, dir := range dirs {
		at := line(filepath.Join(dir, "gitdir"))
		if !filepath.IsAbs(at) { // since git 2.48
			at = filepath.Join(dir, at)
		}
		if filepath.Dir(at) == filepath.Clean(top) {
			return dir
		}
	}
	return ""
}

// heldBy is the git command that ends what keeps a branch from being checked out
// elsewhere while HEAD is detached: where it is to come back to, git reads in
// these files (branch.c).
func (r *Repo) heldBy(gitDir, branch string) string {
	if gitDir == "" {
		return ""
	}
	for _, op := range []struct{ file, end string }{
		{"rebase-merge/head-name", "rebase --abort"},
		{"rebase-apply/head-name", "rebase --abort"},
		{"BISECT_START", "bisect reset"},
	} {
		if at := line(filepath.Join(gitDir, filepath.FromSlash(op.file))); at == branch || "refs/heads/"+at == branch {
			return op.end
		}
	}
	updates, _ := os.ReadFile(filepath.Join(gitDir, "rebase-merge", "update-refs"))
	if slices.Contains(strings.Split(string(updates), "\n"), branch) {
		return "rebase --abort"
	}
	return ""
}

// line is a file of one line, "" where there is none.
func line(path string) string {
	text, _ := os.ReadFile(path)
	return strings.TrimRight(string(text), "\n")
}
