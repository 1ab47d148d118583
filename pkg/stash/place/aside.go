package place

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// OwnRepository refuses to put anything where a repository of its own lies.
func OwnRepository(d Disk, p string) *Refusal {
	return &Refusal{Reason: fmt.Sprintf("%q is a repository of its own, which git would replace in silence; nothing was moved", p),
		Hints: []string{"git -C " + Quote(d.path(p)) + " status", d.MoveAside(p, "")}}
}

// MoveAside is the command that takes what lies at p out of the working tree, and
// another one after it. A linked working tree is git's to move: its HEAD and index
// lie in the repository that it belongs to, which prunes those of a tree that is not
// where it was. Those of a submodule stay in the repository around it.
func (d Disk) MoveAside(p, then string) string {
	from, to := Quote(d.path(p)), Quote(d.Aside(p))
	linked, elsewhere := gitFolder(d.path(p))
	switch {
	case linked:
		return "git -C " + from + " worktree move -- " + from + " " + to + then
	case elsewhere != "":
		return "mv -- " + from + " " + to + then + "   # its files; its HEAD and index stay in " + Quote(elsewhere)
	}
	return "mv -- " + from + " " + to + then
}

// gitFolder is where the repository in a folder lies, where .git is a file that
// names it; linked: it is a working tree of another one's (gitrepository-layout(5)).
func gitFolder(dir string) (linked bool, elsewhere string) {
	text, err := os.ReadFile(filepath.Join(dir, ".git"))
	named, ok := strings.CutPrefix(strings.TrimRight(string(text), "\n"), "gitdir: ")
	if err != nil || !ok {
		return false, ""
	}
	if !filepath.IsAbs(named) {
		named = filepath.Join(dir, named)
	}
	_, err = os.Lstat(filepath.Join(named, "commondir"))
	return err == nil, named
}

// Aside is a free name beside the working tree for what lies at p. Like every
// path in a hint it is in full: the reader may be anywhere below the top.
func (d Disk) Aside(p string) string {
	name := filepath.Join(filepath.Dir(d.Top), path.Base(p))
	free := name
	for n := 2; ; n++ {
		if _, err := os.Lstat(free); err != nil {
			return free
		}
		free = fmt.Sprintf("%s-%d", name, n)
	}
}

// Empty is the command that takes a folder's files out of the way and leaves it.
func (d Disk) Empty(p string) string {
	return "mv -- " + Quote(d.path(p)) + " " + Quote(d.Aside(p)) + " && mkdir -- " + Quote(d.path(p))
}
