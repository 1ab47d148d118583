package run

import (
	"fmt"
	"io/fs"
	"os"
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
		for _, err := range []error{&fs.PathError{Op: "open", Path: c.path, Err: c.errno}, &os.LinkError{Op: "symlink", Old: "text", New: c.path, Err: c.errno}} {
			if got := HintsOf(fmt.Errorf("hash: %w", err)); !slices.Equal(got, c.want) {
				t.Errorf("%v: %q", err, got)
			}
		}
	}
}
