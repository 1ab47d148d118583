package git

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// aConflict are the exit codes of git-merge-file(1) that count conflicts.
var aConflict = func() (codes []int) {
	for n := 1; n <= 127; n++ {
		codes = append(codes, n)
	}
	return codes
}()

// MergeAdds says what merging theirs into ours would do, both made from base:
// whether it would change ours at all, and whether git could do it alone. They
// are blobs, merged as lines whatever attributes and drivers say; what is no
// text cannot be merged. The files lie in scratch meanwhile: git merge-file
// takes ids from 2.43 only.
func (r *Repo) MergeAdds(ctx context.Context, scratch, base, ours, theirs string) (adds, clean bool, err error) {
	blobs, err := r.Blobs(ctx, []string{ours, base, theirs})
	if err != nil {
		return false, false, err
	}
	dir, err := os.MkdirTemp(scratch, "merge-")
	if err != nil {
		return false, false, fmt.Errorf("merge blobs: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	args := []string{"merge-file", "-p", "-q"}
	for i, id := range []string{ours, base, theirs} {
		content, have := blobs[id]
		if !have || bytes.IndexByte(content, 0) >= 0 {
			return true, false, nil
		}
		file := filepath.Join(dir, fmt.Sprint(i))
		if err := os.WriteFile(file, content, 0o600); err != nil {
			return false, false, fmt.Errorf("merge blobs: %w", err)
		}
		args = append(args, file)
	}
	merged, code, err := r.reading(args...).answers(aConflict...).run(ctx)
	return !bytes.Equal(merged, blobs[ours]), code == 0, err
}
