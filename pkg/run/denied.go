package run

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// deniedHints open what the system does not let anybody write or read: what
// another user made (root, in a container), a folder that a job closed, a file
// system that is mounted to be read. For a name it is the folder that counts.
func deniedHints(err error) []string {
	at := deniedAt(err)
	switch {
	case at == "":
		return nil
	case errors.Is(err, syscall.EROFS) && filepath.IsAbs(at):
		return []string{"df " + quoteArg(filepath.Dir(at)) + "   # once that can be written to: the same command again"}
	case errors.Is(err, syscall.EROFS):
		return []string{"df .   # once that can be written to: the same command again"}
	case errors.Is(err, fs.ErrPermission) && filepath.IsAbs(at):
		places := quoteArgs([]string{filepath.Dir(at), at})
		return []string{"ls -ld " + places, "chmod u+rwX " + places + "   # if it is yours; then the same command again"}
	}
	return nil
}

// deniedAt is the name that the system's error is about, "" for another error. Of
// a link, or a new name, that is where it was to be.
func deniedAt(err error) string {
	var at *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &at):
		return at.Path
	case errors.As(err, &link):
		return link.New
	}
	return ""
}
