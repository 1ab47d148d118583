package place

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
)

// OwnRepository refuses to put anything where a repository of its own lies.
func OwnRepository(d Disk, p string) *Refusal {
	return &Refusal{Reason: fmt.Sprintf("%q is a repository of its own, which git would replace in silence; nothing was moved", p),
		Hints: []string{"git -C " + Quote(d.path(p)) + " status", "mv -- " + Quote(d.path(p)) + " " + Quote(d.Aside(p))}}
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
