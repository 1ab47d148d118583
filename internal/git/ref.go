package git

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
)

// Head reads HEAD; an unborn branch is an answer, not an error.
func (r *Repo) Head(ctx context.Context) (object.Head, error) {
	out, code, err := r.reading("rev-parse", "HEAD", "--symbolic-full-name", "HEAD").answers(128).run(ctx)
	if err != nil {
		return object.Head{}, err
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if code != 0 || len(lines) != 2 {
		return r.unborn(ctx)
	}
	h := object.Head{ID: lines[0], Branch: lines[1]}
	if h.Branch == "HEAD" {
		h.Branch = "" // detached
	}
	return h, nil
}

// unborn is HEAD where no commit is there yet; anything else that keeps git
// from reading it is an error.
func (r *Repo) unborn(ctx context.Context) (object.Head, error) {
	branch, err := r.reading("symbolic-ref", "HEAD").text(ctx)
	if err != nil {
		return object.Head{}, err
	}
	id, err := r.Ref(ctx, branch)
	return object.Head{Branch: branch, ID: id}, err
}

// Resolve is the commit that a revision names; ErrMissing where it names none.
// Only this accepts what a person typed; everything else takes full names and ids.
func (r *Repo) Resolve(ctx context.Context, rev string) (string, error) {
	answers := []int{1}
	if strings.Contains(rev, "@{") { // no upstream, or a reflog that is shorter: git dies of it
		answers = append(answers, 128)
	}
	out, code, err := r.reading("rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}").answers(answers...).run(ctx)
	if err != nil {
		return "", err
	}
	if code != 0 {
		return "", fmt.Errorf("revision %q %w", rev, ErrMissing)
	}
	return strings.TrimSpace(string(out)), nil
}

// Refs lists the refs below the given full names or folders ("refs/agent/").
func (r *Repo) Refs(ctx context.Context, under ...string) ([]object.Ref, error) {
	args := append([]string{"for-each-ref", "--format=%(HEAD)%(objectname) %(refname)", "--end-of-options"}, under...)
	out, err := r.reading(args...).text(ctx)
	if err != nil || out == "" {
		return nil, err
	}
	var refs []object.Ref
	for line := range strings.Lines(out) {
		id, name, _ := strings.Cut(strings.TrimSuffix(line[1:], "\n"), " ")
		refs = append(refs, object.Ref{Name: name, ID: id, Head: line[0] == '*'})
	}
	return refs, nil
}

// Ref is the value of one full ref name, "" where it does not exist.
func (r *Repo) Ref(ctx context.Context, name string) (string, error) {
	refs, err := r.Refs(ctx, name)
	if err != nil {
		return "", err
	}
	for _, ref := range refs {
		if ref.Name == name {
			return ref.ID, nil
		}
	}
	return "", nil
}

// UpdateRefs moves all the refs or none, each by compare-and-swap, with the
// reflog text why; one whose new value is its old one is only looked at, under
// the same lock. One that somebody else brought there already has moved: git's own
// push and fetch do, where a refspec of the person's names our refs. Where a value
// is any other the answer wraps ErrMoved.
func (r *Repo) UpdateRefs(ctx context.Context, why string, updates ...object.RefUpdate) error {
	var in strings.Builder
	for _, u := range updates {
		old := u.Old
		if old == "" {
			old = r.ZeroID()
		}
		switch u.New {
		case u.Old:
			fmt.Fprintf(&in, "verify %s\x00%s\x00", u.Name, old)
		case "":
			fmt.Fprintf(&in, "delete %s\x00%s\x00", u.Name, old)
		default:
			fmt.Fprintf(&in, "update %s\x00%s\x00%s\x00", u.Name, u.New, old)
		}
	}
	err := r.waiting("update-ref", "--create-reflog", "-m", why, "--stdin", "-z").input(in.String()).do(ctx)
	if err == nil {
		return r.syncRefs(updates)
	}
	rest, err := r.whyNotMoved(ctx, err, updates)
	if err != nil {
		return err
	}
	return r.UpdateRefs(ctx, why, rest...) // each time less is left to move
}

// whyNotMoved asks the second question after a refused update: is each ref
// still where the caller believed it was, or where it is to be? rest looks at
// those that arrived and moves the others; where none did the cause stands.
func (r *Repo) whyNotMoved(ctx context.Context, cause error, updates []object.RefUpdate) (rest []object.RefUpdate, err error) {
	arrived := false
	rest = slices.Clone(updates)
	for i, u := range updates {
		now, err := r.Ref(ctx, u.Name)
		switch {
		case err != nil:
			return nil, errors.Join(cause, err)
		case now != u.Old && now == u.New:
			rest[i].Old, arrived = now, true
		case now != u.Old:
			if locked := new(object.LockedError); errors.As(cause, &locked) {
				cause = locked.Err // of whoever moved it
			}
			return nil, fmt.Errorf("%s: %w (expected %s, found %s): %w", u.Name, ErrMoved, orNone(u.Old), orNone(now), cause)
		}
	}
	if !arrived {
		return nil, cause
	}
	return rest, nil
}

func orNone(id string) string {
	if id == "" {
		return "nothing"
	}
	return Short(id)
}

// Short is [object.Short].
func Short(id string) string { return object.Short(id) }

// Switch puts HEAD on a branch (full name) and takes index and working tree
// along, as `git checkout` does: git refuses where it would lose a change. hook
// is how the person's post-checkout hook failed: git has switched before it runs
// it, and passes its exit status on (githooks(5)).
func (r *Repo) Switch(ctx context.Context, branch string) (hook, err error) {
	short := strings.TrimPrefix(branch, "refs/heads/")
	if strings.HasPrefix(short, "-") { // checkout knows no --end-of-options (tested, 2.39)
		return nil, fmt.Errorf("branch %q: git checkout would take it for an option", short)
	}
	err = r.porcelain("checkout", "--quiet", "--no-guess", "--no-recurse-submodules", short, "--").standing().do(ctx)
	if ExitCode(err) > 0 && ctx.Err() == nil {
		if head, errHead := r.Head(ctx); errHead == nil && head.Branch == branch {
			hook, err = err, nil
		}
	}
	return hook, errors.Join(err, r.syncHead())
}

// Follow takes index and working tree from one commit to another, as a branch
// switch does; git refuses, and changes nothing, where it would lose a change.
// HEAD stays: the caller moves the branch by compare-and-swap. A killed Follow
// can be done again.
func (r *Repo) Follow(ctx context.Context, from, to string) error {
	return r.OwnIndex().follow(ctx, from, to)
}

// follow is Follow by this index file. read-tree takes an entry without stat data
// (every one that Set made) or with an old time stamp for a change, whatever the
// content (tested, 2.39), so the index is refreshed first.
func (x *Index) follow(ctx context.Context, from, to string) error {
	if err := x.refresh(ctx); err != nil {
		return err
	}
	return x.plumbing("read-tree", "-m", "-u", from, to).standing().do(ctx)
}

// IsAncestor is three-valued: an error is neither yes nor no. In a shallow
// clone a "no" proves nothing (git answers 1 although the history is cut).
func (r *Repo) IsAncestor(ctx context.Context, a, b string) (bool, error) {
	return r.reading("merge-base", "--is-ancestor", a, b).yes(ctx)
}

// AheadBehind counts the commits that only a has, and those that only b has. One
// that is not here is an error.
func (r *Repo) AheadBehind(ctx context.Context, a, b string) (ahead, behind int, err error) {
	out, err := r.reading("rev-list", "--left-right", "--count", "--end-of-options", a+"..."+b).text(ctx)
	if err != nil {
		return 0, 0, err
	}
	if _, err := fmt.Sscanf(out, "%d %d", &ahead, &behind); err != nil {
		return 0, 0, fmt.Errorf("count commits between %s and %s: unexpected answer %q", Short(a), Short(b), out)
	}
	return ahead, behind, nil
}

// Kept reports whether any ref contains a commit: else it goes with the reflog of
// whatever HEAD leaves it.
func (r *Repo) Kept(ctx context.Context, commit string) (bool, error) {
	out, err := r.reading("for-each-ref", "--count=1", "--format=%(refname)", "--contains="+commit).text(ctx)
	return out != "", err
}
