package git

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"

	"github.com/git-agent/git-agent/pkg/object"
)

// adopt puts the entries of the person's index in where what `git add` and `git
// commit -a` store of a file depends on the entry that it has there.
func (x *Index) adopt(ctx context.Context, paths []string, staged []object.Entry) error {
	switch r := x.repo; {
	case x.path == "":
		return nil
	case r.FileModes() && r.Symlinks():
		return x.Set(ctx, r.endings(paths, staged))
	default:
		return x.adoptModes(ctx, paths)
	}
}

// endings are those of the entries that decide what becomes of CR LF: where git
// itself tells what is text (text=auto, core.autocrlf), a file that was stored
// with it keeps it, and any other loses it (gitattributes(5)).
func (r *Repo) endings(paths []string, staged []object.Entry) (deciding []object.Entry) {
	if len(staged) == 0 {
		return nil
	}
	asked := make(map[string]bool, len(paths))
	for _, p := range paths {
		asked[p] = true
	}
	for _, e := range staged {
		if asked[e.Path] && e.Mode != object.ModeGitlink && r.mayHoldCR(e.Path) {
			deciding = append(deciding, e)
		}
	}
	return deciding
}

// mayHoldCR reports whether a regular file has a carriage return; one that cannot
// be read may.
func (r *Repo) mayHoldCR(path string) bool {
	info, err := os.Lstat(r.at(path))
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	file, err := os.Open(r.at(path))
	if err != nil {
		return true
	}
	defer func() { _ = file.Close() }()
	buf := make([]byte, 32<<10)
	for {
		n, err := file.Read(buf)
		switch {
		case bytes.IndexByte(buf[:n], '\r') >= 0:
			return true
		case err != nil:
			return !errors.Is(err, io.EOF)
		}
	}
}
