package git

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/git-agent/git-agent/pkg/object"
)

// git status and its like go on where they cannot look: a folder that cannot be
// opened, a file whose folder cannot be searched, are left out of the answer,
// which then says "nothing changed there", exit 0. That git could not look is
// said on standard error alone. A folder that is nobody's is said nowhere else,
// so there the words decide (C locale, git 1.8 to 2.55); of what is tracked,
// any words only lead to a look of our own.
const (
	notOpened = "warning: could not open directory '"
	notRead   = "warning: unable to access '"
)

// looked is the output of a child that looks at the working tree, an
// [object.UnreadError] where it could not look everywhere.
func (c *command) looked(ctx context.Context) ([]byte, error) {
	out, _, err := c.run(ctx)
	if err == nil && c.said != "" {
		err = c.repo.unread(ctx, c.said)
	}
	return out, err
}

// unread judges what a child said while it looked. What git warns of elsewhere
// (somebody's ignore file in a home that cannot be read) it goes on without on
// purpose, and other words (a filter's, a trace) say nothing about the tree.
func (r *Repo) unread(ctx context.Context, said string) error {
	other := false
	for line := range strings.Lines(said) {
		line = strings.TrimSuffix(line, "\n")
		dir, closed := strings.CutPrefix(line, notOpened)
		file, hidden := strings.CutPrefix(line, notRead)
		switch {
		case closed:
			name, why := quoted(dir)
			return r.couldNotRead(name, why)
		case hidden:
			if name, why := quoted(file); r.inside(name) && !r.isLink(name) {
				return r.couldNotRead(name, why)
			}
		default:
			other = other || !strings.HasPrefix(line, "warning: ") && !strings.HasPrefix(line, "hint: ")
		}
	}
	if !other {
		return nil
	}
	return r.searchTracked(ctx)
}

// quoted splits a path in quotes from the reason behind it; git cuts a long line off.
func quoted(rest string) (name, why string) {
	i := strings.LastIndex(rest, "': ")
	if i < 0 {
		return rest, "its name is too long"
	}
	return rest[:i], rest[i+3:]
}

// inside reports a file of this working tree or repository.
func (r *Repo) inside(name string) bool {
	if !filepath.IsAbs(name) {
		return !strings.HasPrefix(name, "../")
	}
	for _, dir := range []string{r.Top, r.GitDir, r.CommonDir} {
		if dir != "" && strings.HasPrefix(name, dir+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

// isLink: git follows no link to an ignore or attribute file on purpose
// (gitignore(5)), and warns each time.
func (r *Repo) isLink(name string) bool {
	if !filepath.IsAbs(name) {
		name = filepath.Join(r.Top, filepath.FromSlash(name))
	}
	info, err := os.Lstat(name)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// searchTracked looks for a tracked path that may be there and cannot be
// looked at. git names it by perror(3), in words that anybody may print.
func (r *Repo) searchTracked(ctx context.Context) error {
	paths, err := r.reading("ls-files", "-z", "--full-name").records(ctx)
	if err != nil {
		return err
	}
	for _, p := range paths {
		if _, err := os.Lstat(filepath.Join(r.Top, filepath.FromSlash(p))); err != nil && !absent(err) {
			return r.unsearchable(p, err)
		}
	}
	return nil
}

// unsearchable names the folder because of which a path cannot be looked at.
func (r *Repo) unsearchable(p string, err error) error {
	why := reason(err)
	for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(r.Top, filepath.FromSlash(dir))); err == nil {
			return r.couldNotRead(dir+"/", why)
		}
	}
	return r.couldNotRead(p, why)
}

func (r *Repo) couldNotRead(name, why string) error {
	name = strings.TrimPrefix(name, r.Top+string(filepath.Separator))
	return &object.UnreadError{Top: r.Top, Path: filepath.ToSlash(name), Why: why, Exclude: filepath.Join(r.CommonDir, "info", "exclude")}
}

// absent: nothing is there, which is an answer; every other error is none.
func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// reason is an error without the path, which is told with it.
func reason(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err.Error()
	}
	return err.Error()
}

// searchable looks into every folder of a scratch checkout: git's looks at it
// leave out, some without a word, what they cannot look at.
func searchable(dir string) error {
	searched := "" // one of a folder's files tells for all
	return filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if in := filepath.Dir(name); err == nil && !d.IsDir() && in != searched {
			_, err = d.Info()
			searched = in
		}
		if err != nil && !absent(err) {
			return &object.UnreadError{Top: dir, Path: strings.TrimPrefix(name, dir+"/"), Why: reason(err)}
		}
		if d != nil && d.IsDir() && d.Name() == ".git" {
			return fs.SkipDir
		}
		return nil
	})
}
