package place

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
)

// State is how paths are: on disk by raw bytes, in the index by entry. A path
// that a map lacks is absent there.
type State struct {
	Files map[string]File
	Index map[string]object.IndexEntry
}

// Job is what to reach.
type Job struct {
	Paths   []string
	Scratch string // an existing private folder
	// Ready is the folder in which every file of Want lies, below its own path.
	Ready string
	Want  State
	// Flags: the flags of Want's entries are wanted too. Without it an entry
	// that already has the wanted content keeps its own.
	Flags bool
	// Known are the states that are preserved somewhere: they may be overwritten.
	Known []State
	// Allow, where set, is asked about a file that is in no known state.
	Allow func(p string) bool
}

// Mover moves paths of one working tree.
type Mover struct {
	Git  Git
	Disk Disk
	// Fault is called before each thing that cannot be taken back; only tests
	// set it, to die there.
	Fault func(point string)
}

// Plan is what a job will do, decided and not yet done.
type Plan struct {
	mover   Mover
	job     Job
	now     map[string]File // on disk, before
	index   map[string]object.IndexEntry
	write   []string
	unlink  []string
	folders []string // where a submodule has to be
	entries []object.IndexEntry
	foreign []string
}

// Ready reads the files below folder that a caller laid out there.
func (m Mover) Ready(folder string, paths []string) (map[string]File, error) {
	d := Disk{Top: folder, SHA256: m.Disk.SHA256}
	files := make(map[string]File, len(paths))
	for _, p := range paths {
		f, err := d.Look(p)
		if err != nil {
			return nil, err
		}
		if !f.HasBytes() {
			return nil, fmt.Errorf("lay out %q: nothing to put there", p)
		}
		files[p] = f
	}
	return files, nil
}

// Plan looks at every path and decides. A *Refusal where moving would destroy
// what is not among the paths.
func (m Mover) Plan(ctx context.Context, job Job) (*Plan, error) {
	if lock, present := m.Git.Lock(); present {
		return nil, &Refusal{Reason: fmt.Sprintf("the index is locked: %s", lock), Hints: []string{"rm " + Quote(lock)}}
	}
	entries, err := m.Git.IndexEntries(ctx, job.Scratch, job.Paths)
	if err != nil {
		return nil, err
	}
	p := &Plan{mover: m, job: job, index: make(map[string]object.IndexEntry)}
	if p.now, err = m.Disk.LookAt(m.Git, job.Paths); err != nil {
		return nil, err
	}
	if err := p.inTheWay(entries); err != nil {
		return nil, err
	}
	for _, path := range job.Paths {
		p.decide(path)
	}
	return p, nil
}

// decide plans one path.
func (p *Plan) decide(path string) {
	now, want := p.now[path], p.job.Want.Files[path]
	entry, wantEntry := p.index[path], p.job.Want.Index[path]
	foreign := false
	switch {
	case p.sparse(path):
	case want.HasBytes() && !p.sameFile(now, want):
		p.write = append(p.write, path)
		foreign = p.foreignFile(path)
	case !want.HasBytes() && now.HasBytes():
		p.unlink = append(p.unlink, path)
		foreign = p.foreignFile(path)
	}
	if wantEntry.Mode == object.ModeGitlink && !want.HasBytes() && !p.sparse(path) {
		p.folders = append(p.folders, path)
	}
	switch rewritten := len(p.write) > 0 && p.write[len(p.write)-1] == path; {
	case !p.sameEntry(entry, wantEntry):
		p.entries = append(p.entries, entryFor(path, wantEntry))
		foreign = foreign || p.foreignEntry(path)
	case rewritten && entry.ID != "":
		// The same entry, flags and all, without the old file's stat data:
		// git takes another size for a change and does not look (2.39).
		p.entries = append(p.entries, entry)
	}
	if foreign {
		p.foreign = append(p.foreign, path)
	}
}

// sparse: the file is not checked out on purpose and its entry is the wanted one.
func (p *Plan) sparse(path string) bool {
	entry := p.index[path]
	return !p.job.Flags && entry.SkipWorktree && p.now[path].Absent() && p.sameEntry(entry, p.job.Want.Index[path])
}

func (p *Plan) sameFile(a, b File) bool {
	if a.ID != b.ID {
		return false
	}
	return a.Mode == b.Mode || !p.mover.Git.FileModes() && !isLink(a) && !isLink(b)
}

func isLink(f File) bool { return f.Mode == object.ModeSymlink }

func (p *Plan) sameEntry(a, b object.IndexEntry) bool {
	if a.ID != b.ID || a.ID != "" && (a.Mode != b.Mode || a.IntentToAdd != b.IntentToAdd) {
		return false
	}
	return !p.job.Flags || a.AssumeUnchanged == b.AssumeUnchanged && a.SkipWorktree == b.SkipWorktree
}

func entryFor(path string, want object.IndexEntry) object.IndexEntry {
	if want.ID == "" {
		return object.IndexEntry{Entry: object.Entry{Path: path, Mode: object.ModeNone}}
	}
	return want
}

// foreignFile: bytes that no known state has. A mode alone is not worth keeping.
func (p *Plan) foreignFile(path string) bool {
	now := p.now[path]
	if !now.HasBytes() {
		return false
	}
	for _, known := range p.job.Known {
		f := known.Files[path]
		if f.ID == now.ID && (isLink(f) == isLink(now) || !p.mover.Git.Symlinks()) {
			return false
		}
	}
	return p.job.Allow == nil || !p.job.Allow(path)
}

func (p *Plan) foreignEntry(path string) bool {
	now := p.index[path]
	if now.ID == "" || now.IntentToAdd {
		return false
	}
	for _, known := range p.job.Known {
		if known.Index[path].ID == now.ID {
			return false
		}
	}
	return true
}

// Foreign lists the paths whose bytes or entries are in no known state and
// would be overwritten: preserve them first.
func (p *Plan) Foreign() []string { return p.foreign }

// Quote writes a path for a shell.
func Quote(s string) string {
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
