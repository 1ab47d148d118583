package git

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Aliases lists those of the paths that are another one of them in another
// case, where the file system takes both for one file: nothing of their own is
// there, though it can be opened by that name. After `git mv a/File a/file` both
// names are asked about, and a/File is the alias.
func (r *Repo) Aliases(paths []string) []string {
	if !r.foldsCase {
		return nil
	}
	same := map[string][]string{}
	for _, p := range paths {
		folded := strings.ToLower(p)
		same[folded] = append(same[folded], p)
	}
	var aliases []string
	listed := listing{}
	for _, p := range paths {
		twins := same[strings.ToLower(p)]
		best := 0
		for _, twin := range twins {
			best = max(best, listed.spelled(r.Top, twin))
		}
		if len(twins) > 1 && listed.spelled(r.Top, p) < best {
			aliases = append(aliases, p)
		}
	}
	return aliases
}

// listing remembers which names folders hold.
type listing map[string][]string

// spelled counts the parts of a path that are in their folder exactly so. A
// folder that cannot be read has none.
func (l listing) spelled(top, path string) (n int) {
	dir := top
	for part := range strings.SplitSeq(path, "/") {
		names, read := l[dir]
		if !read {
			entries, _ := os.ReadDir(dir)
			for _, e := range entries {
				names = append(names, e.Name())
			}
			l[dir] = names
		}
		if slices.Contains(names, part) {
			n++
		}
		dir = filepath.Join(dir, part)
	}
	return n
}
