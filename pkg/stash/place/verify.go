package place

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
)

// inTheWay refuses what cannot be moved without harm to something that is not
// among the paths, and remembers the index entries of those that are.
func (p *Plan) inTheWay(entries []object.IndexEntry) error {
	ours := make(map[string]bool, len(p.job.Paths))
	above := make(map[string]bool)
	for _, path := range p.job.Paths {
		ours[path] = true
		if p.job.Want.Index[path].ID != "" {
			for _, dir := range Parents(path) {
				above[dir] = true
			}
		}
	}
	for _, e := range entries {
		if err := p.entryInTheWay(e, ours, above); err != nil {
			return err
		}
	}
	for _, path := range p.job.Paths {
		if err := p.fileInTheWay(path, ours); err != nil {
			return err
		}
	}
	return nil
}

func (p *Plan) entryInTheWay(e object.IndexEntry, ours, above map[string]bool) error {
	if e.Stage != 0 {
		return &Refusal{Reason: fmt.Sprintf("%q is in conflict", e.Path), Hints: []string{"git status"}}
	}
	if ours[e.Path] {
		p.index[e.Path] = e
		return nil
	}
	if above[e.Path] {
		if e.Mode == object.ModeGitlink {
			return submodule(e.Path)
		}
		return &Refusal{Reason: fmt.Sprintf("%q is tracked where a folder has to be, and is not among the paths", e.Path)}
	}
	for _, dir := range Parents(e.Path) {
		if ours[dir] && p.job.Want.Index[dir].ID != "" {
			return &Refusal{Reason: fmt.Sprintf("%q is tracked below %q, where a file has to be, and is not among the paths", e.Path, dir)}
		}
	}
	return nil
}

func submodule(path string) error {
	return &Refusal{Reason: fmt.Sprintf("submodule at %q", path)}
}

func (p *Plan) fileInTheWay(path string, ours map[string]bool) error {
	d, now := p.mover.Disk, p.now[path]
	if nested := d.Nested(path); nested != "" {
		return OwnRepository(d, nested)
	}
	if now.Mode == ModeOdd {
		return &Refusal{Reason: fmt.Sprintf("%q is a pipe, socket or device", path)}
	}
	if !p.job.Want.Files[path].HasBytes() {
		return nil
	}
	blocker, err := d.Blocker(path)
	if err != nil {
		return err
	}
	if blocker != "" && !(ours[blocker] && p.now[blocker].HasBytes() && !p.job.Want.Files[blocker].HasBytes()) {
		return d.NoFolder(blocker)
	}
	if now.Mode == object.ModeTree {
		return p.folderInTheWay(path, ours)
	}
	return nil
}

// NoFolder refuses to move what lies, preserved by nobody, where a folder has to be.
func (d Disk) NoFolder(path string) *Refusal {
	return &Refusal{Reason: fmt.Sprintf("%q stands where a folder has to be, and is not among the paths; it was left alone", path),
		Hints: []string{d.keepBeside(path)}}
}

// keepBeside is the command that gives what lies at a path another name.
func (d Disk) keepBeside(path string) string {
	return "mv -- " + Quote(d.path(path)) + " " + Quote(d.path(path)+".kept")
}

// folderInTheWay: a folder where a file has to be may hold only what leaves.
func (p *Plan) folderInTheWay(path string, ours map[string]bool) error {
	files, nested, err := p.mover.Disk.Below(path)
	if err != nil {
		return fmt.Errorf("look below %q: %w", path, err)
	}
	if len(nested) > 0 {
		return OwnRepository(p.mover.Disk, nested[0])
	}
	for _, f := range files {
		if !ours[f] || p.job.Want.Files[f].HasBytes() {
			return &Refusal{Reason: fmt.Sprintf("the folder %q stands where a file has to be and holds %q, which is not among the paths", path, f),
				Hints: []string{p.mover.Disk.keepBeside(path)}}
		}
	}
	return nil
}

// verify hashes every path again and reads the index again.
func (p *Plan) verify(ctx context.Context) error {
	files, err := p.mover.Disk.LookAt(p.mover.Git, p.job.Paths)
	if err != nil {
		return err
	}
	var wrong []string
	for _, path := range p.job.Paths {
		now, want := files[path], p.job.Want.Files[path]
		if p.sparse(path) && now.Absent() || !want.HasBytes() && !now.HasBytes() || want.HasBytes() && p.sameFile(now, want) {
			continue
		}
		wrong = append(wrong, path)
	}
	entries, err := p.mover.Git.IndexEntries(ctx, p.job.Scratch, p.job.Paths)
	if err != nil {
		return err
	}
	after := make(map[string]object.IndexEntry, len(p.job.Paths))
	for _, e := range entries {
		after[e.Path] = e
	}
	for _, path := range p.job.Paths {
		if !p.sameEntry(after[path], p.job.Want.Index[path]) {
			wrong = append(wrong, path+" (index)")
		}
	}
	if len(wrong) > 0 {
		return fmt.Errorf("verify: not as wanted: %q", strings.Join(wrong, ", "))
	}
	return nil
}
