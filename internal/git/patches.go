package git

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
)

// Patches hands over the changes between pairs of trees as text, with full ids,
// under no setting of anybody's, and whatever attributes (`-diff`, `binary`) say
// of how a file is shown: in pieces of any size, as they come, to what
// each answers for the pair. One child; nothing of it is kept.
func (r *Repo) Patches(ctx context.Context, pairs [][2]string, each func(pair int) io.Writer) error {
	if len(pairs) == 0 {
		return nil
	}
	var in strings.Builder
	for _, p := range pairs {
		in.WriteString(p[0] + " " + p[1] + "\n")
	}
	c := r.reading("diff-tree", "--stdin", "-r", "-p", "--text", "--full-index", "--no-renames", "--no-ext-diff", "--no-textconv", "--unified=3",
		"--diff-algorithm=myers", "--no-indent-heuristic", "--inter-hunk-context=0", "--src-prefix=a/", "--dst-prefix=b/",
		"--submodule=short", "--ignore-submodules=none").input(in.String())
	cut := &patchCutter{each: each}
	c.stdout = cut
	if err := c.do(ctx); err != nil {
		return err
	}
	if err := cut.end(); err != nil || cut.seen != len(pairs) {
		return errors.Join(errors.New("read changes: git diff-tree answered another number of pairs"), err)
	}
	return nil
}

// patchCutter cuts what diff-tree prints for pairs of trees: the answer to a
// pair begins with a line of their ids, and no line of a patch looks like that.
type patchCutter struct {
	each func(pair int) io.Writer
	seen int       // pairs
	to   io.Writer // of the pair that is under way
	head []byte    // of a line of which too little was seen
	mid  bool      // in a line of the patch
}

// longestIDs is more than a line of two ids takes.
const longestIDs = 2*64 + 2

func (c *patchCutter) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		end := bytes.IndexByte(p, '\n') + 1
		if end == 0 {
			end = len(p)
		}
		if err := c.piece(p[:end]); err != nil {
			return n - len(p), err
		}
		p = p[end:]
	}
	return n, nil
}

// piece is the next piece of a line, with its newline where it ends there.
func (c *patchCutter) piece(p []byte) error {
	ended := p[len(p)-1] == '\n'
	if c.mid {
		c.mid = !ended
		return c.pass(p)
	}
	c.head = append(c.head, p...)
	if !ended && len(c.head) <= longestIDs {
		return nil
	}
	head := c.head
	c.head = nil
	if ended && isPairLine(head) {
		c.to = c.each(c.seen)
		c.seen++
		return nil
	}
	c.mid = !ended
	return c.pass(head)
}

func (c *patchCutter) pass(p []byte) error {
	if c.to == nil {
		return errors.New("read changes: git diff-tree did not begin with a pair")
	}
	_, err := c.to.Write(p)
	return err
}

func (c *patchCutter) end() error {
	if len(c.head) == 0 {
		return nil
	}
	return c.pass(c.head)
}

func isPairLine(line []byte) bool {
	a, b, ok := strings.Cut(strings.TrimSuffix(string(line), "\n"), " ")
	return ok && isID(a) && isID(b)
}
