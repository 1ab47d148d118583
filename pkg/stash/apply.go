package stash

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/stash/place"
)

// Apply puts what a ref preserves back: raw bytes, untracked files, deletions,
// modes, links, index entries. A *Refusal that lists the paths, with nothing
// written, where one is neither at the base's content nor at the stash's.
// The ref stays. scratch is an existing private folder.
func (s *Store) Apply(ctx context.Context, ref, scratch string) error {
	c, err := s.openRef(ctx, ref)
	if err != nil {
		return err
	}
	job, done, err := s.Back(ctx, c, c.Paths(), scratch)
	if err != nil {
		return err
	}
	defer done()
	if job.Allow, err = s.atBase(ctx, c, scratch); err != nil {
		return err
	}
	job.Known = append(job.Known, place.State{Index: c.baseIndex()})
	plan, err := place.Mover{Git: s.Git, Disk: s.Disk(c.ID)}.Plan(ctx, job)
	if err != nil {
		return err
	}
	if foreign := plan.Foreign(); len(foreign) > 0 {
		return &Refusal{Reason: fmt.Sprintf("these paths were changed since: %s; nothing was written", quoted(foreign)),
			Hints: []string{"git diff " + object.Short(c.Base) + " -- " + place.Quote(":(top,literal)"+foreign[0]),
				"git stash apply " + place.Quote(ref) + "   # merges, where what changed is committed"}}
	}
	_, err = plan.Carry(ctx)
	return err
}

// Back prepares putting paths as a preserving commit has them: every file laid
// out raw below scratch. done removes what was laid out.
func (s *Store) Back(ctx context.Context, c *Content, paths []string, scratch string) (job place.Job, done func(), err error) {
	folder, err := os.MkdirTemp(scratch, "back-")
	if err != nil {
		return job, nil, fmt.Errorf("lay out files: %w", err)
	}
	done = func() { _ = os.RemoveAll(folder) }
	state := c.State(paths)
	job = place.Job{Paths: paths, Scratch: scratch, Ready: folder, Flags: true,
		Want: place.State{Index: state.Index}, Known: []place.State{state}}
	var files []string
	for _, p := range paths {
		if hasBytes(c.Raw(p)) {
			files = append(files, p)
		}
	}
	if err = s.layOut(ctx, c, files, folder); err == nil {
		job.Want.Files, err = place.Mover{Git: s.Git, Disk: s.Disk(c.ID)}.Ready(folder, files)
	}
	if err != nil {
		done()
	}
	return job, done, err
}

func (s *Store) layOut(ctx context.Context, c *Content, files []string, folder string) error {
	ids := make([]string, 0, len(files))
	for _, p := range files {
		ids = append(ids, c.Raw(p).ID)
	}
	return s.Git.CopyBlobs(ctx, ids, func(i int, content io.Reader) error {
		name := filepath.Join(folder, filepath.FromSlash(files[i]))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return fmt.Errorf("lay out %q: %w", files[i], err)
		}
		mode := c.Raw(files[i]).Mode
		if mode == object.ModeSymlink && !s.Git.Symlinks() {
			mode = object.ModeFile
		}
		if err := place.Create(name, mode, content); err != nil {
			return fmt.Errorf("lay out %q: %w", files[i], err)
		}
		return nil
	})
}

// State is how the preserving commit has these paths, by raw bytes.
func (c *Content) State(paths []string) place.State {
	state := place.State{Files: make(map[string]place.File), Index: make(map[string]object.IndexEntry)}
	for _, p := range paths {
		if f := c.Raw(p); hasBytes(f) {
			state.Files[p] = place.File{Mode: f.Mode, ID: f.ID}
		}
		if e := c.Entry(p); e.Mode != object.ModeNone {
			state.Index[p] = e
		}
	}
	return state
}

// hasBytes: a submodule is an index entry and a folder that nobody here moves.
func hasBytes(e object.Entry) bool {
	return e.Mode != object.ModeNone && e.Mode != object.ModeGitlink
}

func (c *Content) baseIndex() map[string]object.IndexEntry {
	index := make(map[string]object.IndexEntry, len(c.base))
	for p, e := range c.base {
		index[p] = object.IndexEntry{Entry: e}
	}
	return index
}

// atBase answers for each path whether the file is, as git stores it, what the
// base has there: line ends alone are no change.
func (s *Store) atBase(ctx context.Context, c *Content, scratch string) (func(string) bool, error) {
	var there []string
	files, err := s.Disk(c.ID).LookAt(s.Git, c.Paths())
	if err != nil {
		return nil, err
	}
	for p, f := range files {
		if f.HasBytes() && c.base[p].ID != "" {
			there = append(there, p)
		}
	}
	_, stored, err := s.Git.Overlay(ctx, scratch, c.Base, nil, there)
	return func(p string) bool { return stored[p].ID != "" && stored[p].ID == c.base[p].ID }, err
}

func quoted(paths []string) string {
	var all []string
	for _, p := range paths {
		all = append(all, fmt.Sprintf("%q", p))
	}
	return strings.Join(all, ", ")
}
