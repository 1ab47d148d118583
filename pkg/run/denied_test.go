package run

import (
	"fmt"
	"io/fs"
	"slices"
	"syscall"
	"testing"
)

func TestHintsOf_denied(t *testing.T) {
	for _, c := range []struct {
		path  string
		errno syscall.Errno
		want  []string
	}{
		{"/w/src/d/f", syscall.EACCES, []string{"ls -ld /w/src/d /w/src/d/f", "chmod u+rwX /w/src/d /w/src/d/f   # if it is yours; then the same command again"}},
		{"/w/src/f", syscall.EROFS, []string{"df /w/src   # once that can be written to: the same command again"}},
		{"r/lock", syscall.EROFS, []string{"df .   # once that can be written to: the same command again"}},
		{"/w/src/f", syscall.ENOENT, nil},
	} {
		err := fmt.Errorf("hash: %w", &fs.PathError{Op: "open", Path: c.path, Err: c.errno})
		if got := HintsOf(err); !slices.Equal(got, c.want) {
			t.Errorf("%s, %v: %q", c.path, c.errno, got)
		}
	}
}
