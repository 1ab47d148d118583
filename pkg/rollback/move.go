package rollback

import (
	"context"
	"fmt"
	"os"
	"path"
	"slices"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/stash"
	"github.com/git-agent/git-agent/pkg/stash/place"
)

// Request is what to move between.
type Request struct {
	Run, Step string   // whose refs keep what turns up preserved nowhere
	Stash     string   // the preserving commit
	Target    string   // the commit that the paths go back to
	Paths     []string // exact; see [Roller.Paths]
	Message   string   // of a further preserving commit; "": a plain one
	Scratch   string   // an existing private folder
}

// Move takes exactly the paths to what the target holds, index and working
// tree, as git checks it out, and answers those that it had to move. Files
// that the target lacks go, each only while its bytes are preserved ones, and
// folders that this empties; then everything is verified by hash. It may be
// started again after a kill or an error at any point.
func (r *Roller) Move(ctx context.Context, req Request) (moved []string, err error) {
	job, done, err := r.there(ctx, req)
	if err != nil {
		return nil, err
	}
	defer done()
	content, err := r.store().Open(ctx, req.Stash)
	if err != nil {
		return nil, err
	}
	job.Known = []place.State{job.Want, content.State(job.Paths)}
	return r.carry(ctx, req, job)
}

// PutBack is the inverse of Move: every path as the stash has it, raw bytes,
// index entries with their flags, untracked files; verified by hash. What
// turned up since, neither the target's nor the stash's, is preserved first.
func (r *Roller) PutBack(ctx context.Context, req Request) (moved []string, err error) {
	content, err := r.store().Open(ctx, req.Stash)
	if err != nil {
		return nil, err
	}
	away, done, err := r.there(ctx, req)
	if err != nil {
		return nil, err
	}
	defer done()
	job, done, err := r.store().Back(ctx, content, away.Paths, req.Scratch)
	if err != nil {
		return nil, err
	}
	defer done()
	job.Known = append(job.Known, away.Want)
	return r.carry(ctx, req, job)
}

// there prepares going to the target: its files laid out as git checks them
// out, its entries. No path of the working tree is touched, so a filter that
// fails costs nothing.
func (r *Roller) there(ctx context.Context, req Request) (job place.Job, done func(), err error) {
	paths := slices.Compact(slices.Sorted(slices.Values(req.Paths)))
	for _, p := range paths {
		if !place.Clean(p) {
			return job, nil, &Refusal{Reason: fmt.Sprintf("%q is no path of a file in this repository", p)}
		}
	}
	entries, err := r.Git.EntriesAt(ctx, req.Target, paths)
	if err != nil {
		return job, nil, err
	}
	job = place.Job{Paths: paths, Scratch: req.Scratch, Want: place.State{Index: make(map[string]object.IndexEntry)}}
	var files []string
	for _, e := range entries {
		if e.Mode == object.ModeNone {
			continue
		}
		job.Want.Index[e.Path] = object.IndexEntry{Entry: e}
		if e.Mode != object.ModeGitlink { // a submodule's folder stays as it is
			files = append(files, e.Path)
		}
	}
	if job.Ready, err = os.MkdirTemp(req.Scratch, "there-"); err != nil {
		return job, nil, fmt.Errorf("lay out files: %w", err)
	}
	done = func() { _ = os.RemoveAll(job.Ready) }
	own := slices.ContainsFunc(paths, func(p string) bool { return path.Base(p) == ".gitattributes" })
	if err = r.Git.CheckoutInto(ctx, req.Scratch, req.Target, files, job.Ready, own); err == nil {
		job.Want.Files, err = r.mover(req.Target).Ready(job.Ready, files)
	}
	if err != nil {
		done()
		return job, nil, fmt.Errorf("lay out %s: %w", object.Short(req.Target), err)
	}
	return job, done, nil
}

// carry plans, preserves what is preserved nowhere, and goes.
func (r *Roller) carry(ctx context.Context, req Request, job place.Job) ([]string, error) {
	if err := r.busy(); err != nil {
		return nil, err
	}
	plan, err := r.mover(req.Target).Plan(ctx, job)
	if err != nil {
		return nil, err
	}
	if foreign := plan.Foreign(); len(foreign) > 0 {
		if err := r.keep(ctx, req, foreign); err != nil {
			return nil, err
		}
	}
	return plan.Carry(ctx)
}

// keep preserves the paths as they are now in a further ref of the step.
func (r *Roller) keep(ctx context.Context, req Request, paths []string) error {
	if r.Fault != nil {
		r.Fault("keep")
	}
	message := req.Message
	if message == "" {
		message = req.Step + " partial, changed while it was rolled back\n"
	}
	store := r.store()
	commit, err := store.Snapshot(ctx, stash.Request{Head: req.Target, Paths: paths, Message: message, Scratch: req.Scratch})
	if err != nil {
		return err
	}
	_, err = store.SaveNext(ctx, stash.StepPrefix(req.Run, req.Step), commit)
	return err
}
