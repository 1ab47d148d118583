package git

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
)

// TreeOf is the tree of a commit.
func (r *Repo) TreeOf(ctx context.Context, commit string) (string, error) {
	return r.reading("rev-parse", "--verify", "--end-of-options", commit+"^{tree}").text(ctx)
}

// Entries lists every file of a tree or commit.
func (r *Repo) Entries(ctx context.Context, treeish string) ([]object.Entry, error) {
	recs, err := r.reading("ls-tree", "-r", "-z", "--full-tree", "--end-of-options", treeish).records(ctx)
	if err != nil {
		return nil, err
	}
	return parseEntries(treeish, recs)
}

func parseEntries(treeish string, recs []string) ([]object.Entry, error) {
	entries := make([]object.Entry, 0, len(recs))
	for _, rec := range recs {
		meta, path, _ := strings.Cut(rec, "\t")
		f := strings.Fields(meta)
		if len(f) != 3 {
			return nil, fmt.Errorf("list tree %s: unexpected line %q", Short(treeish), rec)
		}
		entries = append(entries, object.Entry{Path: path, Mode: f[0], ID: f[2]})
	}
	return entries, nil
}

// Blobs reads many objects ("<commit>:plan.yaml" or ids), unfiltered, in one
// child, by the name asked for; one that does not exist is absent from the answer.
func (r *Repo) Blobs(ctx context.Context, names []string) (map[string][]byte, error) {
	if len(names) == 0 {
		return nil, nil
	}
	out, _, err := r.reading("cat-file", "--batch").input(strings.Join(names, "\n") + "\n").run(ctx)
	if err != nil {
		return nil, err
	}
	return parseBatch(names, out)
}

func parseBatch(names []string, out []byte) (map[string][]byte, error) {
	found := make(map[string][]byte, len(names))
	rest := string(out)
	for _, name := range names {
		header, body, ok := strings.Cut(rest, "\n")
		if !ok {
			return nil, fmt.Errorf("read objects: answer ends before %q", name)
		}
		rest = body
		if strings.HasSuffix(header, " missing") {
			continue
		}
		var id, kind string
		var size int
		if _, err := fmt.Sscanf(header, "%s %s %d", &id, &kind, &size); err != nil || size+1 > len(rest) {
			return nil, fmt.Errorf("read objects: unexpected header %q", header)
		}
		found[name] = []byte(rest[:size])
		rest = rest[size+1:]
	}
	return found, nil
}

// WriteBlob stores content as it is, past every filter.
func (r *Repo) WriteBlob(ctx context.Context, content []byte) (string, error) {
	return r.plumbing("hash-object", "-w", "--no-filters", "--stdin").input(string(content)).text(ctx)
}

// WriteTree makes a tree of exactly these entries, through an index that
// nobody else sees (a temporary file inside scratch).
func (r *Repo) WriteTree(ctx context.Context, scratch string, entries []object.Entry) (string, error) {
	x := r.PrivateIndex(scratch)
	defer x.Remove()
	if err := x.Empty(ctx); err != nil {
		return "", err
	}
	if err := x.Set(ctx, entries); err != nil {
		return "", err
	}
	return x.WriteTree(ctx)
}
