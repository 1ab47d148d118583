package git

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
)

// logFormat frames a commit in NULs: an empty field, then id, tree, parents,
// committer time, git's own reading of the trailers, the raw body, an empty
// field. With -z every path of --raw is a NUL field too; tested with names
// that hold newlines.
const logFormat = "--format=%x00%H%x00%T%x00%P%x00%ct%x00%(trailers:only,unfold)%x00%B%x00"

// Chain is the first-parent chain base..tip, oldest first, each commit with
// its changes against its first parent, in one child. base "" walks to the root.
func (r *Repo) Chain(ctx context.Context, base, tip string) ([]object.Commit, error) {
	return r.log(ctx, "--first-parent", "--raw", "-m", "--no-renames", "--no-abbrev", "--no-relative", "--root",
		"--ignore-submodules=none", "--end-of-options", span(base, tip))
}

// BareChain is Chain without changes and without git's own reading of the
// trailers, which take nearly all of the time: ids, trees, parents, times,
// messages. each sees them newest first, while git still prints.
func (r *Repo) BareChain(ctx context.Context, base, tip string, each func(object.Commit)) error {
	return r.reading(newestFirst(bareFormat, "--first-parent", "--end-of-options", span(base, tip))...).frames(ctx, each)
}

// History is every commit of base..tip, oldest first, without changes.
func (r *Repo) History(ctx context.Context, base, tip string) ([]object.Commit, error) {
	return r.log(ctx, "--topo-order", "--end-of-options", span(base, tip))
}

func span(base, tip string) string {
	if base == "" {
		return tip
	}
	return base + ".." + tip
}

func (r *Repo) log(ctx context.Context, args ...string) ([]object.Commit, error) {
	out, _, err := r.reading(logArgs(logFormat, args...)...).run(ctx)
	if err != nil {
		return nil, err
	}
	return parseLog(string(out))
}

// logArgs is a log in a format with the fields of logFormat.
func logArgs(format string, more ...string) []string {
	return append([]string{"log", "-z", "--reverse", "--no-show-signature", "--no-notes", "--no-color",
		"--no-decorate", "--encoding=UTF-8", "--no-mailmap", format}, more...)
}

// newestFirst is logArgs in the order in which git finds commits, so that it
// need not turn them round. Of a range it finds all before it prints the first.
func newestFirst(format string, more ...string) []string {
	return slices.DeleteFunc(logArgs(format, more...), func(arg string) bool { return arg == "--reverse" })
}

// parseLog reads the frames of logFormat, each with the changes below it.
func parseLog(out string) ([]object.Commit, error) {
	var commits []object.Commit
	p := &fields{rest: out}
	for p.more() {
		frame, rest, _ := cutFrame(p.rest)
		c, err := frame.commit()
		if err != nil {
			return nil, fmt.Errorf("%w, after %d commits", err, len(commits))
		}
		p.rest = rest
		if c.Changes, err = p.changes(); err != nil {
			return nil, fmt.Errorf("read history: changes of %s: %w", Short(c.ID), err)
		}
		commits = append(commits, c)
	}
	return commits, nil
}

// fields walks NUL-terminated fields.
type fields struct{ rest string }

func (f *fields) more() bool { return f.rest != "" }

func (f *fields) next() string {
	field, rest, _ := strings.Cut(f.rest, "\x00")
	f.rest = rest
	return field
}

// changes reads `:<mode> <mode> <id> <id> <status>` and path pairs; the first
// one stands behind a newline that ends the commit's text.
func (f *fields) changes() ([]object.Change, error) {
	f.rest = strings.TrimPrefix(f.rest, "\n")
	var changes []object.Change
	for strings.HasPrefix(f.rest, ":") {
		meta := strings.Fields(f.next()[1:])
		if len(meta) != 5 {
			return nil, fmt.Errorf("unexpected raw line %q", meta)
		}
		changes = append(changes, object.Change{OldMode: meta[0], NewMode: meta[1], OldID: meta[2], NewID: meta[3], Path: f.next()})
	}
	return changes, nil
}

// WriteCommit writes one commit object; no ref moves, no hook runs.
func (r *Repo) WriteCommit(ctx context.Context, n object.NewCommit) (string, error) {
	c := r.plumbing("commit-tree", "-F", "-")
	if n.Sign {
		c = r.porcelain("commit-tree", "-S", "-F", "-").config("i18n.commitEncoding=UTF-8")
		c.deadline = r.networkDeadline() // a key may be behind an agent that waits for somebody
	}
	for _, p := range n.Parents {
		c.args = append(c.args, "-p", p)
	}
	c.args = append(c.args, n.Tree)
	return c.input(n.Message).text(ctx)
}

// SignsCommits reports whether the person has git sign their commits.
func (r *Repo) SignsCommits() bool { return r.ConfigBool("commit.gpgsign") }

// ReadCommit reads one commit back from the object store, raw.
func (r *Repo) ReadCommit(ctx context.Context, id string) (object.Commit, error) {
	commits, err := r.log(ctx, "--no-walk", "--end-of-options", id)
	if err != nil {
		return object.Commit{}, err
	}
	if len(commits) != 1 {
		return object.Commit{}, fmt.Errorf("commit %s %w", Short(id), ErrMissing)
	}
	return commits[0], nil
}

// DiffTrees lists what differs between two trees or commits.
func (r *Repo) DiffTrees(ctx context.Context, from, to string) ([]object.Change, error) {
	out, _, err := r.reading("diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", "--no-ext-diff",
		"--ignore-submodules=none", "--end-of-options", from, to).run(ctx)
	if err != nil {
		return nil, err
	}
	f := &fields{rest: string(out)}
	return f.changes()
}

// IsShallow reports whether the clone's history is cut.
func (r *Repo) IsShallow(ctx context.Context) (bool, error) {
	out, err := r.reading("rev-parse", "--is-shallow-repository").text(ctx)
	return out == "true", err
}
