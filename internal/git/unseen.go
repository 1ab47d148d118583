package git

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
)

// Unproven lists the index entries, among the paths that match, whose files may
// hold something else though git's status shows no change: it compares times in
// whole seconds. Files that git was told not to look at are left to [Repo.Flagged]. It
// looks below these folders or files only; none: everywhere.
func (r *Repo) Unproven(ctx context.Context, below []string, match func(path string) bool) ([]object.IndexEntry, error) {
	if len(below) > 100 {
		below = nil // git holds each entry against each of them
	}
	recs, err := r.reading(append([]string{"ls-files", "-v", "-s", "-z", "--debug", "--full-name", "--"}, below...)...).records(ctx)
	if err != nil || len(recs) == 0 {
		return nil, err
	}
	written, err := os.Lstat(filepath.Join(r.GitDir, "index"))
	if err != nil {
		return nil, fmt.Errorf("look at the index: %w", err)
	}
	var unproven []object.IndexEntry
	recs = append(recs, "") // what follows the last one
	for i, rec := range recs[:len(recs)-1] {
		line, _ := cutStat(rec)
		_, path, found := strings.Cut(line, "\t")
		if !found || !match(path) {
			continue
		}
		proven, err := r.provenAt(path, recs[i+1], written)
		if err != nil {
			return nil, err
		}
		if proven {
			continue
		}
		e, err := parseIndexEntry(line)
		if err != nil {
			return nil, err
		}
		if e.Stage == 0 && !e.AssumeUnchanged && !e.SkipWorktree {
			unproven = append(unproven, e)
		}
	}
	return unproven, nil
}

func (r *Repo) provenAt(path, next string, index fs.FileInfo) (bool, error) {
	info, err := os.Lstat(filepath.Join(r.Top, path))
	switch {
	case err != nil && !absent(err):
		return false, r.unsearchable(path, err)
	case err != nil || info.IsDir():
		return true, nil //nolint:nilerr // gone, or another kind: status shows it
	}
	return proven(info, next, index), nil
}

// cutStat splits what `ls-files --debug -z` prints between the ends of two paths:
// this entry, and when the inode of the one before changed last, as the index has
// it. The format may change (git-ls-files(1)); a stamp that is not found proves
// nothing.
func cutStat(rec string) (line, stamp string) {
	for strings.HasPrefix(rec, "  ") {
		about, rest, _ := strings.Cut(rec, "\n")
		if at, found := strings.CutPrefix(about, "  ctime: "); found {
			stamp = at
		}
		rec = rest
	}
	return rec, stamp
}

// proven reports whether a file is as it was when git looked at it last: nobody
// can put the time of an inode's change back. Git keeps its nanoseconds in the
// index (next begins with them) and compares the seconds only. Where there are no nanoseconds, or the
// index was not written after it, the file may have changed within one tick.
func proven(info fs.FileInfo, next string, index fs.FileInfo) bool {
	at, known := changedAt(info)
	if !known || at.Nanosecond() == 0 || !at.Before(index.ModTime()) {
		return false
	}
	_, stamp := cutStat(next)
	sec, nsec, _ := strings.Cut(stamp, ":")
	return sec == strconv.FormatUint(uint64(uint32(at.Unix())), 10) && nsec == strconv.Itoa(at.Nanosecond())
}

// Unlike are those of the index entries of which git would store something else
// now: each file is hashed. scratch is an existing private folder.
func (r *Repo) Unlike(ctx context.Context, scratch string, entries []object.IndexEntry) ([]object.IndexEntry, error) {
	if len(entries) == 0 {
		return nil, nil
	}
	folder, err := os.MkdirTemp(scratch, "unlike-")
	if err != nil {
		return nil, fmt.Errorf("begin an index file: %w", err)
	}
	defer func() { _ = os.RemoveAll(folder) }()
	var plain []object.Entry
	var paths []string
	for _, e := range entries {
		plain, paths = append(plain, e.Entry), append(paths, e.Path)
	}
	x := r.PrivateIndex(folder)
	if err := x.Set(ctx, plain); err != nil {
		return nil, err
	}
	if err := x.AddWorktree(ctx, paths); err != nil {
		return nil, err
	}
	staged, err := x.Staged(ctx)
	if err != nil {
		return nil, err
	}
	now := make(map[string]object.Entry, len(staged))
	for _, e := range staged {
		now[e.Path] = e
	}
	var unlike []object.IndexEntry
	for _, e := range entries {
		if now[e.Path] != e.Entry && !(isFile(e.Mode) && now[e.Path].Mode == e.Mode && r.holds(e.Path, e.ID)) {
			unlike = append(unlike, e)
		}
	}
	return unlike, nil
}
