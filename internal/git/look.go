package git

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
)

// Status lists what differs between HEAD, index and working tree, untracked
// files one by one, ignored ones not at all, without taking a lock. Index
// entries flagged assume-unchanged or skip-worktree are invisible to it, and what changed behind
// stat data that stayed as they were; see [Repo.Flagged] and [Repo.Unproven]. Files
// that hold what the index has are left out, whatever their attributes would make of them. What git does not say
// of submodules takes a look at the index as well, where there are any.
// Where git could not look everywhere it is an [object.UnreadError].
func (r *Repo) Status(ctx context.Context) ([]object.FileStatus, error) {
	status, err := r.statusOf(ctx, "--ignore-submodules=none")
	if err == nil && !r.mayHaveModules(status) {
		return r.withoutUntouched(status), nil
	}
	m, unlisted := r.marks(ctx)
	switch links := r.links(m.modules); {
	case err != nil && unlisted == nil && len(links) > 0:
		status, err = r.statusAround(ctx, links)
	case err == nil:
		err = unlisted
	}
	if err != nil {
		return nil, err
	}
	return r.withUnpopulated(m.modules, r.withoutUntouched(status))
}

// mayHaveModules: listing the whole index would cost every look what few
// repositories need. A submodule that nothing but the index knows is not looked for.
func (r *Repo) mayHaveModules(status []object.FileStatus) bool {
	for _, name := range []string{r.at(".gitmodules"), filepath.Join(r.CommonDir, "modules")} {
		if _, err := os.Lstat(name); err == nil {
			return true
		}
	}
	return slices.ContainsFunc(status, func(f object.FileStatus) bool { return f.Submodule() || f.Path == ".gitmodules" })
}

// Flagged lists the index entries whose working tree file git was told not to
// look at (assume-unchanged, skip-worktree) and that may lie there all the same,
// and the paths that skip-worktree keeps out of the working tree.
func (r *Repo) Flagged(ctx context.Context) (flagged []object.IndexEntry, leftOut []string, err error) {
	m, err := r.marks(ctx)
	return m.flagged, m.leftOut, err
}

// indexMarks are the entries of the person's index that are not simply files
// which git looks at.
type indexMarks struct {
	flagged []object.IndexEntry
	leftOut []string
	modules []string // submodules
}

func (r *Repo) marks(ctx context.Context) (m indexMarks, err error) {
	recs, err := r.reading("ls-files", "-v", "-s", "-z", "--full-name").records(ctx)
	if err != nil {
		return m, err
	}
	for _, rec := range recs {
		if !marked(rec) {
			continue
		}
		e, err := parseIndexEntry(rec)
		if err == nil {
			err = m.add(r, e)
		}
		if err != nil {
			return m, err
		}
	}
	return m, nil
}

// marked reports, of a record "<tag> <mode> …", all that add files: most are plain.
func marked(rec string) bool {
	tag := rec[0]
	return tag == 'S' || tag >= 'a' && tag <= 'z' || strings.HasPrefix(rec[1:], " "+object.ModeGitlink)
}

func (m *indexMarks) add(r *Repo, e object.IndexEntry) error {
	if e.Mode == object.ModeGitlink && e.Stage == 0 {
		m.modules = append(m.modules, e.Path)
	}
	if !e.SkipWorktree && !e.AssumeUnchanged {
		return nil
	}
	switch _, err := os.Lstat(r.at(e.Path)); {
	case err != nil && !absent(err):
		return r.unsearchable(e.Path, err)
	case err == nil || !e.SkipWorktree || e.AssumeUnchanged:
		m.flagged = append(m.flagged, e)
	default:
		m.leftOut = append(m.leftOut, e.Path)
	}
	return nil
}

func (r *Repo) statusOf(ctx context.Context, more ...string) ([]object.FileStatus, error) {
	said, err := r.statusCommand(more...).looked(ctx)
	if err != nil {
		return nil, err
	}
	return parseAll(said)
}

func (r *Repo) statusCommand(more ...string) *command {
	return r.reading(append([]string{"status", "--porcelain=v2", "-z", "--no-renames", "--untracked-files=all", "--no-ahead-behind"}, more...)...)
}

func parseAll(said []byte) ([]object.FileStatus, error) {
	recs := splitNUL(said)
	out := make([]object.FileStatus, 0, len(recs))
	for _, rec := range recs {
		s, err := parseStatus(rec)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}
