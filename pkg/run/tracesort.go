package run

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/trace"
)

// sorter tells files of the tree from others.
type sorter struct {
	top              string
	tracked, folders map[string]bool
}

func (d *sorter) know(file string) {
	d.tracked[file] = true
	for dir := filepath.Dir(file); dir != "."; dir = filepath.Dir(dir) {
		d.folders[dir] = true
	}
}

func (d *sorter) sort(seen *recorded) *TraceReport {
	r := &TraceReport{Reads: []string{}, Lists: []string{}, Untracked: []string{}, Outside: []OutsideReads{}, Programs: []string{}, Network: append([]string{}, seen.peers...)}
	for _, path := range seen.programs {
		if _, inside := d.inside(path); !inside {
			r.Programs = append(r.Programs, path)
		}
	}
	for _, path := range seen.lists {
		if rel, inside := d.inside(path); inside && d.folders[rel] {
			r.Lists = append(r.Lists, rel)
		}
	}
	var outside, untracked []string
	for _, path := range seen.reads {
		rel, inside := d.inside(path)
		switch {
		case inside && d.file(r, rel):
			untracked = append(untracked, "/"+rel)
		case inside || slices.Contains(r.Programs, path):
		case system(path):
			r.System++
		default:
			outside = append(outside, path)
		}
	}
	for _, g := range grouped(untracked) {
		r.Untracked = append(r.Untracked, strings.TrimPrefix(g.Path, "/"))
	}
	r.Outside = append(r.Outside, grouped(outside)...)
	return r
}

// file sorts a path inside; one that git does not keep is left to the caller.
func (d *sorter) file(r *TraceReport, rel string) (untracked bool) {
	switch {
	case rel == ".git" || strings.HasPrefix(rel, ".git/"):
		r.Git = true
	case d.tracked[rel]:
		r.Reads = append(r.Reads, rel)
	default:
		return !d.folders[rel]
	}
	return false
}

func (d *sorter) inside(path string) (rel string, inside bool) {
	if path == d.top {
		return ".", true
	}
	return strings.CutPrefix(path, d.top+"/")
}

const mostGroups = 8

func grouped(paths []string) []OutsideReads {
	var out []OutsideReads
	for path, files := range trace.Groups(paths, mostGroups) {
		out = append(out, OutsideReads{path, files})
	}
	slices.SortFunc(out, func(a, b OutsideReads) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// systemFolders belong to the machine, like its kernel: a fingerprint command
// can name what of them matters.
var systemFolders = []string{"/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin", "/etc", "/proc", "/sys", "/dev", "/run", "/nix/store", "/opt"}

// system reports whether a path is the machine's; memory that people mount as a
// folder for files is not.
func system(path string) bool {
	return !strings.HasPrefix(path, "/dev/shm/") && slices.ContainsFunc(systemFolders, func(dir string) bool { return path == dir || strings.HasPrefix(path, dir+"/") })
}
