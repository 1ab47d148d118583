package git

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
)

// updateIndex records paths as they are in the working tree.
var updateIndex = []string{"update-index", "--add", "--remove", "--replace", "-z", "--stdin"}

// take runs it. Where git cannot store one of the files, it is an
// [object.UnstorableError] that names which.
func (x *Index) take(ctx context.Context, c *command, paths []string) error {
	err := c.input(joinNUL(paths)).do(ctx)
	var failed *Error
	if !errors.As(err, &failed) || failed.ExitCode != 128 {
		return err
	}
	if bad := x.repo.unstorable(ctx, paths); bad != nil {
		return bad
	}
	return err
}

// unstorable asks for the files once more, one after the other: hash-object
// answers for each until the one at which it ends. Its lines cannot hold every name.
func (r *Repo) unstorable(ctx context.Context, paths []string) error {
	files := slices.DeleteFunc(slices.Clone(paths), func(p string) bool {
		info, err := os.Lstat(r.at(p))
		return err != nil || !info.Mode().IsRegular() || strings.ContainsAny(p, "\n\"")
	})
	out, _, err := r.plumbing("hash-object", "-w", "--stdin-paths").input(strings.Join(files, "\n") + "\n").run(ctx)
	var failed *Error
	stored := strings.Count(string(out), "\n")
	if len(files) == 0 || !errors.As(err, &failed) || failed.ExitCode != 128 || stored >= len(files) {
		return nil
	}
	return &object.UnstorableError{Top: r.Top, Path: files[stored], Cause: err}
}
