package run

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/stash"
)

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

// mostNumbers bounds what is fetched: nobody preserves as much, and a number that
// somebody made up would leave none above it.
const mostNumbers = 1 << 20

// preservedOf reads the name of a ref that preserves partial work of a step of the
// plan; a rollback under way is this clone's alone, whatever a remote shows.
func (s *session) preservedOf(name string) (step string, n int, ok bool) {
	step, _, _ = strings.Cut(strings.TrimPrefix(name, stash.Root+s.run+"/"), "/")
	n, ok = stash.NumberOf(name, s.run, step)
	found, _ := s.plan.Step(step)
	return step, n, ok && n <= mostNumbers && found != nil
}

// fetchPartial brings what other clones pushed of steps that are not certified,
// into the same refs. What this clone has under such a name goes to the next free
// number: the name is theirs for everybody. Where the branch is not here yet it is
// not known what is certified; who brings it asks again.
func (s *session) fetchPartial(ctx context.Context) error {
	if !s.remote.answers() || s.tip == "" && s.remote.branch != "" {
		return nil
	}
	var names []string
	var updates []object.RefUpdate
	for _, name := range slices.Sorted(maps.Keys(s.remote.partial)) {
		id, ours := s.remote.partial[name], s.stashAt(name)
		step, _, ok := s.preservedOf(name)
		if !ok || id == ours || s.standing(step) != nil {
			continue
		}
		names = append(names, name)
		if ours != "" {
			updates = append(updates, s.toFreeNumber(step, ours))
		}
		updates = append(updates, object.RefUpdate{Name: name, Old: ours, New: id})
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
	s.tellRenumbered(updates)
	return s.readRefs(ctx)
}

// toFreeNumber takes a commit that this clone keeps to the first number that is
// above all here and there.
func (s *session) toFreeNumber(step, commit string) object.RefUpdate {
	last := 0
	for _, r := range append(s.partialThere(), s.stashes...) {
		if of, n, ok := s.preservedOf(r.Name); ok && of == step {
			last = max(last, n)
		}
	}
	free := object.Ref{Name: stash.StepRef(s.run, step, last+1), ID: commit}
	s.stashes = append(s.stashes, free)
	return object.RefUpdate{Name: free.Name, New: commit}
}

func (s *session) tellRenumbered(updates []object.RefUpdate) {
	for i, u := range updates[1:] {
		if moved := updates[i]; u.Old != "" && moved.New == u.Old {
			s.Notify("%s is another clone's on %q; what this one kept there is at %s", u.Name, s.remote.name, moved.Name)
		}
	}
}

// stashAt is what this clone keeps under a name, "" for nothing.
func (s *session) stashAt(ref string) string {
	for _, r := range s.stashes {
		if r.Name == ref {
			return r.ID
		}
	}
	return ""
}
