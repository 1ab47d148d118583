package run

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/landing"
	"github.com/git-agent/git-agent/pkg/object"
)

// Two changes that read alike need not be one: the same line in another block
// of a file, or the same words with other blanks. So equal hashes only say which
// commits to look at. A commit makes a change where merging that change into what
// the commit made adds nothing, and merging it into what the commit began from
// does. Where git cannot merge it, nobody can tell.

// answer is what is known of a question.
type answer int

const (
	no answer = iota
	maybe
	yes
)

// compare keeps the questions whose answer is not no, as the target's commits came.
func (p *patches) compare(ctx context.Context) ([]question, error) {
	loose, exact := make([]landing.PatchHash, len(p.pairs)), make([]landing.PatchHash, len(p.pairs))
	err := p.s.Git.Patches(ctx, p.pairs, func(i int) io.Writer {
		exact[i].Exact = true
		return io.MultiWriter(&loose[i], &exact[i])
	})
	if err != nil {
		return nil, err
	}
	like, same := identities(loose), identities(exact)
	var kept []question
	for _, q := range p.asked {
		if like[q.made] == "" || like[q.made] != like[q.wanted] {
			continue
		}
		if q.answer, err = p.prove(ctx, q); err != nil {
			return nil, err
		}
		if same[q.made] != same[q.wanted] {
			q.answer = min(q.answer, maybe)
		}
		// What was changed further in its blanks was not taken back.
		if q.answer != no && (!q.back || same[q.made] == same[q.wanted]) {
			kept = append(kept, q)
		}
	}
	slices.SortStableFunc(kept, func(a, b question) int { return p.order(a.commit.ID, b.commit.ID) })
	return kept, nil
}

func identities(hashes []landing.PatchHash) []string {
	ids := make([]string, len(hashes))
	for i := range hashes {
		ids[i] = hashes[i].ID()
	}
	return ids
}

// prove merges, file by file.
func (p *patches) prove(ctx context.Context, q question) (answer, error) {
	wanted := map[string]object.Change{}
	for _, c := range q.segment.changes {
		if q.back {
			c.OldID, c.NewID = c.NewID, c.OldID
		}
		wanted[c.Path] = c
	}
	all, made := yes, false
	for _, c := range q.commit.Changes {
		want := wanted[c.Path]
		adds, err := p.adds(ctx, want, c.NewID)
		if err != nil || adds == yes {
			return no, err
		}
		if adds == maybe {
			all = maybe
		}
		before, err := p.adds(ctx, want, c.OldID)
		if err != nil {
			return no, err
		}
		made = made || before != no || want.OldMode != want.NewMode
	}
	if !made {
		return no, nil
	}
	return all, nil
}

// adds says whether merging a change of a file into another state of it would
// change that. Most need no merge.
func (p *patches) adds(ctx context.Context, change object.Change, to string) (answer, error) {
	switch {
	case to == change.NewID, change.OldID == change.NewID:
		return no, nil
	case to == change.OldID:
		return yes, nil
	case slices.ContainsFunc([]string{change.OldID, change.NewID, to}, isZero):
		return maybe, nil
	}
	tmp, err := p.s.tmp()
	if err != nil {
		return maybe, err
	}
	adds, clean, err := p.s.Git.MergeAdds(ctx, tmp, change.OldID, to, change.NewID)
	switch {
	case err != nil, !clean:
		return maybe, err
	case adds:
		return yes, nil
	}
	return no, nil
}

func isZero(id string) bool { return strings.Trim(id, "0") == "" }

// doubt names a step of which it cannot be told whether a commit of the target
// makes it. Where another one does, there is none.
func (f *finder) doubt(steps []string) *landing.Doubt {
	for _, id := range steps {
		commit, like := f.alike[id]
		if _, found := f.found[id]; like && !found {
			return &landing.Doubt{How: landing.ByPatch, Commit: commit,
				Text: short(commit) + " changes the same lines of " + f.branch + " as step " + id + ", and whether it makes the same of them cannot be told"}
		}
	}
	return nil
}
