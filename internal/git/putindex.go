package git

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/git-agent/git-agent/pkg/object"
)

// PutIndex puts exactly these entries into the person's index, ModeNone
// removing a path, flags and intents to add included (unlike [Repo.SetIndex]), and brings the index's
// stat data up to date. Everything else in it stays.
func (r *Repo) PutIndex(ctx context.Context, scratch string, entries []object.IndexEntry) error {
	if len(entries) == 0 {
		return nil
	}
	var plain []object.Entry
	var assume, skip []string
	var intents []object.IndexEntry
	for _, e := range entries {
		switch {
		case e.IntentToAdd:
			intents = append(intents, e)
			plain = append(plain, object.Entry{Path: e.Path, Mode: object.ModeNone})
		default:
			plain = append(plain, e.Entry)
		}
		if e.AssumeUnchanged {
			assume = append(assume, e.Path)
		}
		if e.SkipWorktree {
			skip = append(skip, e.Path)
		}
	}
	x := r.OwnIndex()
	if err := x.Set(ctx, removalsFirst(plain)); err != nil {
		return err
	}
	if err := x.intend(ctx, scratch, intents); err != nil {
		return err
	}
	if err := x.flag(ctx, "--assume-unchanged", assume); err != nil {
		return err
	}
	if err := x.flag(ctx, "--skip-worktree", skip); err != nil {
		return err
	}
	return x.refresh(ctx)
}

// refresh brings the stat data up to date; exit 1 only says that something is
// changed.
func (x *Index) refresh(ctx context.Context) error {
	_, _, err := x.plumbing("update-index", "-q", "--refresh").answers(1).run(ctx)
	return err
}

func (x *Index) flag(ctx context.Context, flag string, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	return x.plumbing("update-index", flag, "-z", "--stdin").input(joinNUL(paths)).do(ctx)
}

// intend makes intents to add. git offers that only for files that exist, so
// it is shown a working tree in scratch that holds just those, empty.
func (x *Index) intend(ctx context.Context, scratch string, intents []object.IndexEntry) error {
	if len(intents) == 0 {
		return nil
	}
	folder, err := os.MkdirTemp(scratch, "intend-")
	if err != nil {
		return fmt.Errorf("intent to add: %w", err)
	}
	defer func() { _ = os.RemoveAll(folder) }()
	var paths []string
	for _, e := range intents {
		if err := standIn(filepath.Join(folder, filepath.FromSlash(e.Path)), e.Mode); err != nil {
			return fmt.Errorf("intent to add: %w", err)
		}
		paths = append(paths, e.Path)
	}
	return x.plumbing("add", "--intent-to-add", "--force", "--sparse", "--pathspec-from-file=-", "--pathspec-file-nul").
		environ("GIT_WORK_TREE=" + folder).input(joinNUL(paths)).do(ctx)
}

func standIn(path, mode string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	switch mode {
	case object.ModeSymlink:
		return os.Symlink("-", path)
	case object.ModeExecutable:
		return os.WriteFile(path, nil, 0o700)
	default:
		return os.WriteFile(path, nil, 0o600)
	}
}
