package git

import "strings"

// withoutTracking keeps a push from moving refs that are not copies of the
// remote's: by force, git sets what remote.<name>.fetch maps a pushed ref to, which
// in a mirror with working trees is the branch itself. Refs below refs/remotes/ it
// may move; any other it is told not to have mapped (negative refspecs, git-fetch(1)).
func (c *command) withoutTracking(remote string, refs []string) {
	fetch := "remote." + remote + ".fetch"
	for _, ref := range refs {
		for _, spec := range c.repo.config[fetch] {
			if to, ok := mapsTo(spec, ref); ok && !strings.HasPrefix(to, "refs/remotes/") {
				c.config(fetch + "=^" + ref)
				break
			}
		}
	}
}

// mapsTo is the beginning of the local name that a fetch refspec gives a ref, as
// far as its pattern; ok is false where it gives none.
func mapsTo(spec, ref string) (to string, ok bool) {
	src, dst, _ := strings.Cut(strings.TrimPrefix(spec, "+"), ":")
	before, after, pattern := strings.Cut(src, "*")
	if !pattern {
		return dst, src == ref && dst != ""
	}
	rest, begins := strings.CutPrefix(ref, before)
	return strings.TrimSuffix(dst, "*"), begins && strings.HasSuffix(rest, after) && dst != ""
}
