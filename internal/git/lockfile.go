package git

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-agent/git-agent/pkg/object"
)

// A lock younger than fresh that may be held is one that a live git is about to
// drop: it gets that long to do so.
const (
	fresh     = 2 * time.Second
	lockEvery = 50 * time.Millisecond
)

// StaleLocks lists the lock files of git's that are in the way of work in this
// tree: on the index, on HEAD, on the packed refs, and on the refs at or below
// the given names. Git writes no owner into them; see [object.Lock].Held for
// what can be told.
func (r *Repo) StaleLocks(ctx context.Context, refs []string) ([]object.Lock, error) {
	// One look can miss a holder that another process is just handing over to:
	// nobody is believed only when seen twice.
	for again := true; ; {
		locks, err := r.locks(refs)
		held := anyFresh(locks, r.now())
		if err != nil || !held && (!again || len(locks) == 0) {
			return locks, err
		}
		again = held
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(lockEvery):
		}
	}
}

func anyFresh(locks []object.Lock, now time.Time) bool {
	for _, l := range locks {
		if age := now.Sub(l.Made); l.Held && age >= 0 && age < fresh {
			return true
		}
	}
	return false
}

func (r *Repo) locks(refs []string) ([]object.Lock, error) {
	paths := []string{filepath.Join(r.GitDir, "index.lock"), filepath.Join(r.GitDir, "HEAD.lock"),
		filepath.Join(r.CommonDir, "packed-refs.lock"), filepath.Join(r.CommonDir, "shallow.lock")}
	paths = append(paths, r.tableLocks()...)
	for _, ref := range refs {
		name := filepath.Join(r.CommonDir, filepath.FromSlash(ref))
		paths = append(paths, strings.TrimSuffix(name, string(filepath.Separator))+".lock")
		below, err := locksBelow(name)
		if err != nil {
			return nil, err
		}
		paths = append(paths, below...)
	}
	var found []object.Lock
	for _, path := range paths {
		info, err := os.Lstat(path)
		if absent(err) { // below a ref that is a file, too
			continue
		}
		if err != nil {
			return nil, err
		}
		found = append(found, object.Lock{Path: path, Made: info.ModTime(), Held: r.mayBeHeld(path)})
	}
	return found, nil
}

func locksBelow(dir string) ([]string, error) {
	var found []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if absent(err) {
			return nil
		}
		if err == nil && !d.IsDir() && strings.HasSuffix(path, ".lock") {
			found = append(found, path)
		}
		return err
	})
	return found, err
}

// RemoveLock removes a lock that the caller has proven to be its own dead
// child's; it looks once more that it is the same file.
func (r *Repo) RemoveLock(l object.Lock) error {
	info, err := os.Lstat(l.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !info.ModTime().Equal(l.Made) {
		return &fs.PathError{Op: "remove", Path: l.Path, Err: errors.New("somebody took the lock anew")}
	}
	return os.Remove(l.Path)
}

// process is what /proc tells of one process.
type process struct{ name, cwd string }

// inOurTree reports whether a git process works in this working tree or git folder.
func (r *Repo) inOurTree(p process) bool {
	if p.name != "git" && !strings.HasPrefix(p.name, "git-") || strings.HasPrefix(p.name, "git-agent") {
		return false
	}
	for _, root := range []string{r.Top, r.GitDir, r.CommonDir} {
		if root != "" && (p.cwd == root || strings.HasPrefix(p.cwd, root+string(filepath.Separator))) {
			return true
		}
	}
	return false
}
