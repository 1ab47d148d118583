package run

import (
	"errors"
	"io/fs"
	"path/filepath"
	"syscall"
)

// deniedHints open what the system does not let anybody write or read: what
// another user made (root, in a container), a folder that a job closed, a file
// system that is mounted to be read. For a name it is the folder that counts.
func deniedHints(err error) []string {
	var at *fs.PathError
	switch {
	case !errors.As(err, &at):
		return nil
	case errors.Is(err, syscall.EROFS) && filepath.IsAbs(at.Path):
		return []string{"df " + quoteArg(filepath.Dir(at.Path)) + "   # once that can be written to: the same command again"}
	case errors.Is(err, syscall.EROFS):
		return []string{"df .   # once that can be written to: the same command again"}
	case errors.Is(err, fs.ErrPermission) && filepath.IsAbs(at.Path):
		places := quoteArgs([]string{filepath.Dir(at.Path), at.Path})
		return []string{"ls -ld " + places, "chmod u+rwX " + places + "   # if it is yours; then the same command again"}
	}
	return nil
}
