package git

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
)

// IndexEntries lists the person's index whole, conflicts and flags included,
// without changing it. Whether an entry is only an intent to add is asked for
// the paths in among: it takes a copy of the index file in scratch, because no
// plumbing prints that flag.
func (r *Repo) IndexEntries(ctx context.Context, scratch string, among []string) ([]object.IndexEntry, error) {
	recs, err := r.reading("ls-files", "-s", "-v", "-z", "--full-name").records(ctx)
	if err != nil {
		return nil, err
	}
	entries := make([]object.IndexEntry, 0, len(recs))
	for _, rec := range recs {
		e, err := parseIndexEntry(rec)
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	return entries, r.markIntentToAdd(ctx, scratch, entries, among)
}

// parseIndexEntry reads `<tag> <mode> <id> <stage>` and a path: a lower-case
// tag is assume-unchanged, an S skip-worktree (git-ls-files(1)).
func parseIndexEntry(rec string) (object.IndexEntry, error) {
	meta, path, _ := strings.Cut(rec, "\t")
	f := strings.Fields(meta)
	if len(f) != 4 || len(f[0]) != 1 {
		return object.IndexEntry{}, fmt.Errorf("list index: unexpected line %q", rec)
	}
	stage, err := strconv.Atoi(f[3])
	if err != nil {
		return object.IndexEntry{}, fmt.Errorf("list index: stage of %q: %w", path, err)
	}
	tag := f[0][0]
	return object.IndexEntry{Entry: object.Entry{Path: path, Mode: f[1], ID: f[2]}, Stage: stage,
		AssumeUnchanged: tag >= 'a' && tag <= 'z', SkipWorktree: tag == 'S' || tag == 's'}, nil
}

// markIntentToAdd finds the entries that hold the empty blob and that a tree
// written from the same index lacks.
func (r *Repo) markIntentToAdd(ctx context.Context, scratch string, entries []object.IndexEntry, among []string) error {
	if len(among) == 0 {
		return nil
	}
	asked := make(map[string]bool, len(among))
	for _, p := range among {
		asked[p] = true
	}
	empty, err := r.reading("hash-object", "--stdin").input("").text(ctx)
	if err != nil {
		return err
	}
	var candidates []int
	for i, e := range entries {
		if e.Stage == 0 && e.ID == empty && asked[e.Path] {
			candidates = append(candidates, i)
		}
	}
	if len(candidates) == 0 || slices.ContainsFunc(entries, func(e object.IndexEntry) bool { return e.Stage != 0 }) {
		return nil // a conflicted index writes no tree; every caller refuses it
	}
	written, err := r.treeOfIndexCopy(ctx, scratch)
	if err != nil {
		return err
	}
	for _, i := range candidates {
		entries[i].IntentToAdd = !written[entries[i].Path]
	}
	return nil
}

func (r *Repo) treeOfIndexCopy(ctx context.Context, scratch string) (map[string]bool, error) {
	dir, err := os.MkdirTemp(scratch, "copy-")
	if err != nil {
		return nil, fmt.Errorf("copy the index: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	content, err := os.ReadFile(filepath.Join(r.GitDir, "index"))
	if err != nil {
		return nil, fmt.Errorf("copy the index: %w", err)
	}
	x := r.PrivateIndex(dir)
	if err := os.WriteFile(x.path, content, 0o600); err != nil {
		return nil, fmt.Errorf("copy the index: %w", err)
	}
	tree, err := x.WriteTree(ctx)
	if err != nil {
		return nil, err
	}
	entries, err := r.Entries(ctx, tree)
	paths := make(map[string]bool, len(entries))
	for _, e := range entries {
		paths[e.Path] = true
	}
	return paths, err
}

// StoreRaw stores the files' bytes past every filter and answers their ids in
// the order of paths. Only regular files: a link would be followed.
func (r *Repo) StoreRaw(ctx context.Context, paths []string) ([]string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	var in strings.Builder
	for _, p := range paths {
		in.WriteString(cQuote(p) + "\n")
	}
	out, err := r.plumbing("hash-object", "-w", "--no-filters", "--stdin-paths").input(in.String()).text(ctx)
	if err != nil {
		return nil, err
	}
	ids := strings.Split(out, "\n")
	if len(ids) != len(paths) {
		return nil, fmt.Errorf("store raw bytes: %d ids for %d files", len(ids), len(paths))
	}
	return ids, nil
}

// cQuote writes a path as git's own C-style quoting, which --stdin-paths reads
// (there is no -z in git 2.39) and which carries newlines and any byte.
func cQuote(path string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(path) {
		switch c := path[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c >= 0x7f:
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// Commits reads many commits, without changes, in one child. Each id has to
// name a commit.
func (r *Repo) Commits(ctx context.Context, ids []string) (map[string]object.Commit, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	out, _, err := r.reading("log", "-z", "--no-walk=unsorted", "--no-show-signature", "--no-notes", "--no-color",
		"--no-decorate", "--encoding=UTF-8", "--no-mailmap", logFormat, "--stdin").input(strings.Join(ids, "\n") + "\n").run(ctx)
	if err != nil {
		return nil, err
	}
	commits, err := parseLog(string(out))
	byID := make(map[string]object.Commit, len(commits))
	for _, c := range commits {
		byID[c.ID] = c
	}
	return byID, err
}
