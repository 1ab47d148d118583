package stash

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
)

// races is how often a number that somebody else took is followed by the next.
const races = 20

// Save creates ref at commit, by compare-and-swap and with a reflog. That it
// is there already, at this commit, is no error; at another one it is.
func (s *Store) Save(ctx context.Context, ref, commit string) error {
	err := s.Git.UpdateRefs(ctx, why("preserve", ref), object.RefUpdate{Name: ref, New: commit})
	if err == nil {
		return nil
	}
	now, readErr := s.value(ctx, ref)
	if readErr == nil && now == commit {
		return nil
	}
	return fmt.Errorf("preserve at %s: %w", ref, err)
}

// SaveNext creates the next free <prefix><n>. Where one of them holds exactly
// the same work already, it answers that one and creates nothing.
func (s *Store) SaveNext(ctx context.Context, prefix, commit string) (ref string, err error) {
	return s.Number(ctx, prefix, commit, "preserve")
}

// Number is SaveNext with other refs moved in the same transaction, once the
// commit is kept there: a deletion of what it replaces.
func (s *Store) Number(ctx context.Context, prefix, commit, verb string, also ...object.RefUpdate) (ref string, err error) {
	for range races {
		var updates []object.RefUpdate
		var old string
		if ref, old, err = s.slot(ctx, prefix, commit); err != nil {
			return "", err
		}
		if old == "" {
			updates = append(updates, object.RefUpdate{Name: ref, New: commit})
		}
		if updates = append(updates, also...); len(updates) == 0 {
			return ref, nil
		}
		if err = s.Git.UpdateRefs(ctx, why(verb, ref), updates...); err == nil {
			return ref, nil
		}
		now, readErr := s.value(ctx, ref)
		if readErr != nil || now == old {
			break // nobody took the number: something else is wrong
		}
	}
	return "", fmt.Errorf("%s at %s: %w", verb, ref, err)
}

// slot is the ref that holds the same work already, with its value, or the
// first name after the last number.
func (s *Store) slot(ctx context.Context, prefix, commit string) (ref, value string, err error) {
	list, err := s.Git.Refs(ctx, prefix)
	if err != nil {
		return "", "", err
	}
	last := 0
	var numbered []object.Ref
	for _, r := range list {
		if _, _, n, ok := parseRef(r.Name); ok && n > 0 {
			last, numbered = max(last, n), append(numbered, r)
		}
	}
	ids := []string{commit}
	for _, r := range numbered {
		ids = append(ids, r.ID)
	}
	works, err := s.works(ctx, ids)
	if err != nil {
		return "", "", err
	}
	for _, r := range numbered {
		if works[r.ID] == works[commit] {
			return r.Name, r.ID, nil
		}
	}
	return fmt.Sprintf("%s%d", prefix, last+1), "", nil
}

// works describes each commit by all that it preserves: two are the same work
// if the descriptions are equal. Commits below the first parent are part of it.
func (s *Store) works(ctx context.Context, ids []string) (map[string]string, error) {
	commits, err := s.Git.Commits(ctx, ids)
	if err != nil {
		return nil, err
	}
	var others []string
	for _, c := range commits {
		if len(c.Parents) > 1 {
			others = append(others, c.Parents[1:]...)
		}
	}
	slices.Sort(others)
	parents, err := s.Git.Commits(ctx, slices.Compact(others))
	if err != nil {
		return nil, err
	}
	works := make(map[string]string, len(ids))
	for _, id := range ids {
		c := commits[id]
		if len(c.Parents) < 2 {
			works[id] = id // no stash commit: itself only
			continue
		}
		work := []string{c.Tree, c.Parents[0]}
		for _, p := range c.Parents[1:] {
			work = append(work, parents[p].Tree, parents[p].Message)
		}
		works[id] = strings.Join(work, "\x00")
	}
	return works, nil
}

// value is where a ref is, "" where it does not exist.
func (s *Store) value(ctx context.Context, ref string) (string, error) {
	list, err := s.Git.Refs(ctx, ref)
	if err != nil {
		return "", err
	}
	for _, r := range list {
		if r.Name == ref {
			return r.ID, nil
		}
	}
	return "", nil
}

// Value is the commit at one of our refs, "" where it does not exist.
func (s *Store) Value(ctx context.Context, ref string) (string, error) { return s.value(ctx, ref) }

// Drop deletes the ref, by compare-and-swap on what it holds now. The caller
// has decided that it may go: nothing else keeps the work.
func (s *Store) Drop(ctx context.Context, ref string) error {
	now, err := s.existing(ctx, ref)
	if err != nil {
		return err
	}
	if err := s.Git.UpdateRefs(ctx, why("drop", ref), object.RefUpdate{Name: ref, Old: now}); err != nil {
		return fmt.Errorf("drop %s: %w", ref, err)
	}
	return nil
}

func (s *Store) existing(ctx context.Context, ref string) (string, error) {
	if _, err := RunOf(ref); err != nil {
		return "", err
	}
	now, err := s.value(ctx, ref)
	if err == nil && now == "" {
		err = fmt.Errorf("%s does not exist", ref)
	}
	return now, err
}
