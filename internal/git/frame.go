package git

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/git-agent/git-agent/pkg/object"
)

// frame is one commit as logFormat prints it: an empty field, id, tree,
// parents, time, trailers, message, and what stands before the NUL of -z.
type frame [8]string

// cutFrame takes a frame off the begin of a log; ok is false where its last
// NUL is not there: more is to come, or git is done.
func cutFrame(out string) (f frame, rest string, ok bool) {
	for i := range f {
		end := strings.IndexByte(out, 0)
		if end < 0 {
			f[i] = out
			return f, "", false
		}
		f[i], out = out[:end], out[end+1:]
	}
	return f, out, true
}

func (f *frame) commit() (object.Commit, error) {
	if f[0] != "" {
		return object.Commit{}, fmt.Errorf("read history: unexpected output of git log")
	}
	c := object.Commit{ID: f[1], Tree: f[2], Trailers: f[5], Message: f[6]}
	if f[3] != "" {
		c.Parents = strings.Split(f[3], " ")
	}
	seconds, err := strconv.ParseInt(f[4], 10, 64)
	if err != nil {
		return c, fmt.Errorf("read history: commit time of %s: %w", Short(c.ID), err)
	}
	c.Time = time.Unix(seconds, 0)
	if f[7] != "" {
		return c, fmt.Errorf("read history: frame of %s does not close", Short(c.ID))
	}
	return c, nil
}

// frames runs a log without changes and hands over its commits as they come.
func (c *command) frames(ctx context.Context, each func(object.Commit)) error {
	cutter := &frames{each: each}
	c.stdout = cutter
	if err := c.do(ctx); err != nil {
		return err
	}
	return cutter.end()
}

// frames cuts what is written to it into commits.
type frames struct {
	each func(object.Commit)
	rest string
	err  error
}

// Write never fails: git is not to be stopped halfway for what end reports.
func (f *frames) Write(p []byte) (int, error) {
	text := f.with(p)
	for f.err == nil {
		one, rest, ok := cutFrame(text)
		if !ok {
			break
		}
		f.take(&one)
		text = rest
	}
	f.rest = text
	return len(p), nil
}

// with is what is left and what is new. Commits are parts of it, so that it
// is the one copy there is of both.
func (f *frames) with(p []byte) string {
	var b strings.Builder
	b.Grow(len(f.rest) + len(p))
	b.WriteString(f.rest)
	b.Write(p)
	return b.String()
}

func (f *frames) take(one *frame) {
	var c object.Commit
	if c, f.err = one.commit(); f.err == nil {
		f.each(c)
	}
}

// end is what went wrong; the last commit may lack the NUL of -z.
func (f *frames) end() error {
	if f.rest != "" && f.err == nil {
		one, _, _ := cutFrame(f.rest)
		f.take(&one)
	}
	return f.err
}
