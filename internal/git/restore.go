package git

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// CheckoutInto writes what git would check out of treeish at paths (smudge
// filters, line ends, modes, links) below an existing empty folder; neither
// the person's working tree nor their index is touched. Each path has to be a
// file of treeish.
//
// git looks for .gitattributes in the working tree first, for `git restore`
// too (tested, 2.39). With own, it sees those of treeish only, at the price
// that a filter's command runs in folder instead of the top of the tree.
func (r *Repo) CheckoutInto(ctx context.Context, scratch, treeish string, paths []string, folder string, own bool) error {
	if len(paths) == 0 {
		return nil
	}
	dir, err := os.MkdirTemp(scratch, "checkout-")
	if err != nil {
		return fmt.Errorf("private index: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	x := r.PrivateIndex(dir)
	if err := x.Read(ctx, treeish); err != nil {
		return err
	}
	c := x.plumbing("checkout-index", "-z", "--stdin", "--prefix="+folder+"/")
	if own {
		c = x.plumbing("checkout-index", "-z", "--stdin").environ("GIT_WORK_TREE=" + folder)
	}
	return c.input(joinNUL(paths)).do(ctx)
}

// CopyBlobs hands the content of each blob, unfiltered and in order, to each;
// one child, nothing held in memory. What each leaves unread is skipped.
func (r *Repo) CopyBlobs(ctx context.Context, ids []string, each func(i int, content io.Reader) error) error {
	if len(ids) == 0 {
		return nil
	}
	c := r.reading("cat-file", "--batch").input(strings.Join(ids, "\n") + "\n")
	return c.stream(ctx, func(out *bufio.Reader) error {
		for i, id := range ids {
			header, err := out.ReadString('\n')
			if err != nil {
				return fmt.Errorf("read blob %s: %w", Short(id), err)
			}
			var name, kind string
			var size int64
			if _, err := fmt.Sscanf(header, "%s %s %d", &name, &kind, &size); err != nil || kind != "blob" {
				return fmt.Errorf("read blob %s: unexpected header %q", Short(id), header)
			}
			content := io.LimitReader(out, size)
			if err := each(i, content); err != nil {
				return err
			}
			if _, err := io.Copy(io.Discard, content); err != nil {
				return fmt.Errorf("read blob %s: %w", Short(id), err)
			}
			if _, err := out.Discard(1); err != nil {
				return fmt.Errorf("read blob %s: %w", Short(id), err)
			}
		}
		return nil
	})
}

// stream is run for output too large to keep: read sees it as it comes.
func (c *command) stream(ctx context.Context, read func(*bufio.Reader) error) error {
	ctx, cancel := context.WithTimeout(ctx, c.deadline)
	defer cancel()
	child := exec.CommandContext(ctx, c.repo.bin, append(slices.Clone(c.flags), c.args...)...)
	child.Dir, child.Env, child.Stdin = c.repo.dir(), c.env, c.stdin
	errs := &headTail{}
	child.Stderr = errs
	ownGroup(child)
	out, err := child.StdoutPipe()
	if err != nil {
		return &Error{Args: c.args, Dir: child.Dir, ExitCode: -1, Cause: err}
	}
	begin := c.repo.now()
	if err := child.Start(); err != nil {
		return &Error{Args: c.args, Dir: child.Dir, ExitCode: -1, Cause: err}
	}
	readErr := read(bufio.NewReader(out))
	if readErr != nil {
		cancel() // the rest is of no use
	}
	waitErr := child.Wait()
	c.repo.trace(c.args, c.repo.now().Sub(begin), waitErr)
	switch code := child.ProcessState.ExitCode(); {
	case waitErr == nil, readErr != nil && code < 0 && errors.Is(ctx.Err(), context.Canceled):
		return readErr // we ended it ourselves, if anybody did
	default:
		failure := &Error{Args: c.args, Dir: child.Dir, ExitCode: code, Stderr: errs.String(), Cause: ctx.Err()}
		return errors.Join(readErr, failure)
	}
}

// FileModes reports whether the file system's executable bits are git's
// (core.fileMode), Symlinks whether it has symbolic links (core.symlinks).
func (r *Repo) FileModes() bool { return r.unlessOff("core.filemode") }

// Symlinks reports whether links are checked out as links (core.symlinks).
func (r *Repo) Symlinks() bool { return r.unlessOff("core.symlinks") }

func (r *Repo) unlessOff(key string) bool {
	_, set := r.Config(key)
	return !set || r.ConfigBool(key)
}

// Patch is the difference between two trees or commits as text that `git
// apply` takes, binary files included, whatever the person's diff settings.
func (r *Repo) Patch(ctx context.Context, from, to string) ([]byte, error) {
	out, _, err := r.reading("diff-tree", "-p", "-r", "--binary", "--full-index", "--no-renames", "--no-ext-diff", "--no-textconv",
		"--no-color", "--end-of-options", from, to).run(ctx)
	return out, err
}
