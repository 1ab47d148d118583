package run

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/stash"
)

// sharePartial pushes a step's preserved work where the plan says that it is
// expensive (keep_partial), so that it outlives this clone. That it cannot be
// pushed is told and stops nothing: it is preserved here.
func (s *session) sharePartial(ctx context.Context, step, ref string) error {
	found, _ := s.plan.Step(step)
	wanted := s.sharing || found != nil && found.KeepPartial
	if !wanted || ref == "" || !s.remote.answers() || s.local.NoPush {
		return nil
	}
	commit, err := s.Git.Ref(ctx, ref)
	if err != nil {
		return err
	}
	if _, err := s.Git.Push(ctx, s.remote.name, object.Push{Refs: []object.PushRef{{Name: ref, ID: commit}}}); err != nil {
		s.Notify("%s: its partial work is kept here only: %v", step, err)
		return ctx.Err()
	}
	s.remote.partial[ref] = commit
	s.Notify("%s: its partial work is on %q too", step, s.remote.name)
	return nil
}

// dropThere drops on the remote what is preserved there of a certified step, by
// compare-and-swap from the very commit that is preserved here: what somebody
// else keeps under such a name is theirs. The answer has the refs that were to be
// dropped, and whether they were; that one was not is no failure of the step.
func (s *session) dropThere(ctx context.Context, served []stash.Saved) map[string]bool {
	var refs []object.PushRef
	for _, one := range served {
		if s.remote.partial[one.Ref] == one.Commit {
			refs = append(refs, object.PushRef{Name: one.Ref, CAS: true, Old: one.Commit})
		}
	}
	if len(refs) == 0 {
		return nil
	}
	verdicts, err := s.Git.Push(ctx, s.remote.name, object.Push{Refs: refs, Apart: true})
	gone := map[string]bool{}
	for _, ref := range refs {
		gone[ref.Name] = err == nil || slices.ContainsFunc(verdicts, func(v object.PushVerdict) bool { return v.Ref == ref.Name && v.Flag == '-' })
		if gone[ref.Name] {
			delete(s.remote.partial, ref.Name)
			continue
		}
		step, _, _ := strings.Cut(strings.TrimPrefix(ref.Name, stash.Root+s.run+"/"), "/")
		s.Notify("%s: %s is still on %q, and kept here until it can be dropped there too: %s", step, ref.Name, s.remote.name, whyRefused(verdicts, err))
	}
	s.Fault("row12-there")
	return gone
}

// sharingAtEnd is how long work in flight may take to reach the remote after an
// interrupt; a container gets 30 seconds between SIGTERM and SIGKILL.
const sharingAtEnd = 8 * time.Second

// shareInterrupted preserves what an interrupted job of an expensive step made
// and pushes that: the machine may be gone before anybody resumes here. The
// work stays where it is, for a resume that does come.
func (s *session) shareInterrupted(ctx context.Context, w *work) {
	if !w.step.KeepPartial || !w.job() || !s.remote.answers() || s.local.NoPush {
		return
	}
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), sharingAtEnd)
	defer stop()
	view, err := s.survey(ctx, w)
	if err != nil || len(view.mine) == 0 {
		return // resume tells what is wrong with it
	}
	ref, err := s.preserve(ctx, w.step.ID, view.mine, s.partialMessage(w, nil, w.boundary))
	if err != nil {
		s.Notify("%s: its partial work is in this working tree only: %v", w.step.ID, err)
		return
	}
	_ = s.sharePartial(ctx, w.step.ID, ref) // it has told
}

// fetchPartial brings what other clones pushed of keep_partial steps, into the
// same refs; one of ours that has the name already is left as it is.
func (s *session) fetchPartial(ctx context.Context) error {
	if !s.remote.answers() {
		return nil
	}
	var names []string
	var updates []object.RefUpdate
	for name, id := range s.remote.partial {
		step, _, _ := strings.Cut(strings.TrimPrefix(name, stash.Root+s.run+"/"), "/")
		if s.has(name) || !s.keepsPartial(step) {
			continue
		}
		names = append(names, name)
		updates = append(updates, object.RefUpdate{Name: name, New: id})
	}
	if len(names) == 0 {
		return nil
	}
	err := s.Git.Fetch(ctx, s.remote.name, names)
	if err == nil {
		err = s.Git.UpdateRefs(ctx, s.why("fetch", ""), updates...)
	}
	if err != nil {
		s.Notify("preserved work on %q could not be fetched: %v", s.remote.name, err)
		return ctx.Err()
	}
	return s.readRefs(ctx)
}

func (s *session) has(ref string) bool {
	for _, r := range s.stashes {
		if r.Name == ref {
			return true
		}
	}
	return false
}

func (s *session) keepsPartial(step string) bool {
	found, _ := s.plan.Step(step)
	return found != nil && found.KeepPartial && s.ledger.Newest(step) == nil
}
