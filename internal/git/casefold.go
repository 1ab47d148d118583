package git

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// pinCase tells every child what the file system says about case, where the
// configuration says something else. With core.ignoreCase on a file system that
// tells case apart, git takes a file beside a tracked one of another case for
// that one: `git status` is silent about it, and a checkout writes over it.
// Without it on one that does not, one file is there under two names. What
// cannot be told stays as it is configured.
func (r *Repo) pinCase() {
	if r.Top == "" {
		return
	}
	folds, known := foldsCase(r.Top)
	if !known {
		return
	}
	r.foldsCase = folds
	if folds != r.ConfigBool("core.ignorecase") {
		r.pins = []string{"-c", "core.ignoreCase=" + map[bool]string{true: "true", false: "false"}[folds]}
	}
}

// foldsCase asks a folder whether it takes a name in another case for the same:
// by .git, else (GIT_WORK_TREE) by any of its files.
func foldsCase(dir string) (folds, known bool) {
	if folds, known = sameInOtherCase(dir, ".git"); known {
		return folds, known
	}
	f, err := os.Open(dir)
	if err != nil {
		return false, false
	}
	defer func() { _ = f.Close() }()
	names, _ := f.Readdirnames(100) // a part of the names, or none, is an answer too
	for _, name := range names {
		if folds, known = sameInOtherCase(dir, name); known {
			return folds, known
		}
	}
	return false, false
}

func sameInOtherCase(dir, name string) (same, known bool) {
	other := strings.Map(otherCase, name)
	here, err := os.Lstat(filepath.Join(dir, name))
	if err != nil || other == name {
		return false, false
	}
	there, err := os.Lstat(filepath.Join(dir, other))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, true
	case err != nil:
		return false, false
	case os.SameFile(here, there):
		return true, true
	}
	// Two files, or a file system that numbers files by the name they are asked
	// for by (FUSE): the folder knows how many it has.
	entries, err := os.ReadDir(dir)
	listed := slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == other })
	return !listed, err == nil
}

// otherCase keeps to ASCII, where every file system agrees about what it is.
func otherCase(c rune) rune {
	switch {
	case c > unicode.MaxASCII:
		return c
	case unicode.IsUpper(c):
		return unicode.ToLower(c)
	default:
		return unicode.ToUpper(c)
	}
}
