package rollback

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/stash"
	"github.com/git-agent/git-agent/pkg/stash/place"
)

// Refuse is the preflight before anything is preserved: a *Refusal where git
// would lose data in silence (a merge, rebase, cherry-pick, revert or bisect
// under way, conflicts, a repository of its own or a submodule with changes of
// its own under the paths), where somebody holds the index, and where a path is ignored: those
// are nobody's to move. An answer that git owes is an error, never "none".
//
// It is not for finishing a pending rollback, whose restored .gitignore may
// well ignore what is still to be moved: Move asks again what still matters.
//
// What the target ("" for none) holds and the index does not was tracked there,
// and is no stranger where git ignores it by now (git rm --cached and a rule for it).
func (r *Roller) Refuse(ctx context.Context, target string, paths []string) error {
	if err := r.busy(); err != nil {
		return err
	}
	entries, err := r.Git.IndexEntries(ctx, "", nil)
	if err != nil {
		return err
	}
	if err := stash.FitIndex(entries, paths); err != nil {
		return err
	}
	if err := r.store().Fit(entries, paths); err != nil {
		return err
	}
	if err := r.cleanInside(ctx, entries, paths); err != nil {
		return err
	}
	tracked := make(map[string]bool, len(entries))
	for _, e := range entries {
		tracked[e.Path] = true
	}
	return r.ignored(ctx, target, paths, tracked)
}

// cleanInside refuses submodules that hold more than their own commits: no
// commit here could preserve that, and what checks saw of it would be nowhere.
func (r *Roller) cleanInside(ctx context.Context, entries []object.IndexEntry, paths []string) error {
	module := func(e object.IndexEntry) bool {
		return e.Mode == object.ModeGitlink && slices.Contains(paths, e.Path)
	}
	if !slices.ContainsFunc(entries, module) {
		return nil
	}
	status, err := r.Git.Status(ctx)
	if err != nil {
		return err
	}
	for _, f := range status {
		if f.DirtyInside() && slices.Contains(paths, f.Path) {
			return inside(r.store().Disk(""), f)
		}
	}
	return nil
}

// inside names what goes on. Where nothing is checked out, git in that folder
// would speak of this repository.
func inside(disk place.Disk, f object.FileStatus) *Refusal {
	dir := place.Quote(filepath.Join(disk.Top, filepath.FromSlash(f.Path)))
	if !f.Unpopulated {
		return &Refusal{Reason: fmt.Sprintf("%q is a submodule with changes inside, which a commit here cannot preserve; nothing was moved", f.Path),
			Hints: []string{"git -C " + dir + " status", "git -C " + dir + " stash push --include-untracked   # or commit it there"}}
	}
	return &Refusal{Reason: fmt.Sprintf("%q is a submodule that is not checked out, and files lie in its folder, which no commit here can hold; nothing was moved", f.Path),
		Hints: []string{disk.Empty(f.Path), "git -C " + place.Quote(disk.Top) + " rm -q --cached -- " + place.Quote(f.Path) + "   # they become this repository's files"}}
}

// Room refuses, before anything is preserved, paths at which the target has a
// file and a repository of its own stands now, or below something else that is
// not among them: moving would be refused half-way.
func (r *Roller) Room(ctx context.Context, target string, paths []string) error {
	entries, err := r.Git.EntriesAt(ctx, target, paths)
	if err != nil {
		return err
	}
	var files []string
	for _, e := range entries {
		if e.Mode != object.ModeNone && e.Mode != object.ModeGitlink {
			files = append(files, e.Path)
		}
	}
	if err := r.store().Fit(nil, files); err != nil {
		return err
	}
	for _, file := range files {
		blocker, err := r.store().Disk("").Blocker(file)
		if err != nil {
			return err
		}
		if blocker != "" && !slices.Contains(paths, blocker) {
			return r.store().Disk("").NoFolder(blocker)
		}
	}
	return nil
}

// busy refuses what may not go on at the same time.
func (r *Roller) busy() error {
	if what, end := r.Git.Operation(); what != "" {
		return &Refusal{Reason: what + " is under way", Hints: []string{"git status", end}}
	}
	lock, present := r.Git.Lock()
	if !present {
		return nil
	}
	info, err := os.Lstat(lock)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // released just now
	}
	if err != nil {
		return fmt.Errorf("look at the index lock: %w", err)
	}
	age := r.Now().Sub(info.ModTime()).Round(time.Second)
	return &Refusal{Reason: fmt.Sprintf("%s holds the index, made %s ago", lock, age), Hints: []string{"rm " + place.Quote(lock)}}
}

// ignored asks about the untracked files only: git answers nothing useful for
// what is not there, and refuses a path behind a link.
func (r *Roller) ignored(ctx context.Context, target string, paths []string, tracked map[string]bool) error {
	disk := r.store().Disk("")
	var ask []string
	for _, p := range paths {
		if tracked[p] {
			continue
		}
		f, err := disk.Look(p)
		if err != nil {
			return err
		}
		if f.HasBytes() {
			ask = append(ask, p)
		}
	}
	ignored, err := r.Git.Ignored(ctx, ask)
	if err != nil {
		return fmt.Errorf("ask which paths are ignored: %w", err)
	}
	if ignored, err = r.lacking(ctx, target, ignored); err != nil {
		return err
	}
	if len(ignored) > 0 {
		return &Refusal{Reason: fmt.Sprintf("ignored by git: %q", strings.Join(ignored, ", ")),
			Hints: []string{"git -C " + place.Quote(disk.Top) + " check-ignore -v -- " + place.Quote(ignored[0])}}
	}
	return nil
}

// lacking lists those of the paths that a commit has not.
func (r *Roller) lacking(ctx context.Context, commit string, paths []string) (lacks []string, err error) {
	if commit == "" || len(paths) == 0 {
		return paths, nil
	}
	entries, err := r.Git.EntriesAt(ctx, commit, paths)
	for _, e := range entries {
		if e.Mode == object.ModeNone {
			lacks = append(lacks, e.Path)
		}
	}
	return lacks, err
}
