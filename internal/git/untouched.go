package git

import (
	"encoding/hex"
	"io"
	"os"
	"slices"

	"github.com/git-agent/git-agent/pkg/object"
)

// withoutUntouched leaves out files that hold, byte for byte, what the index has
// of them. Git calls such a file modified where it would store something else
// today: it was committed before .gitattributes said what its line ends are, or
// that a filter keeps it (gitattributes(5)). Nobody changed it, and neither a
// stash nor a checkout nor a rollback makes git say otherwise.
func (r *Repo) withoutUntouched(status []object.FileStatus) []object.FileStatus {
	return slices.DeleteFunc(status, r.untouched)
}

func (r *Repo) untouched(f object.FileStatus) bool {
	return f.Unstaged == 'M' && f.Staged == '.' && f.IndexMode == f.WorkMode && isFile(f.WorkMode) && r.holds(f.Path, f.IndexID)
}

func isFile(mode string) bool { return mode == object.ModeFile || mode == object.ModeExecutable }

// holds reports whether the file's bytes are those of the blob; what cannot be
// read is not known to hold them.
func (r *Repo) holds(path, blob string) bool {
	info, err := os.Lstat(r.at(path))
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	file, err := os.Open(r.at(path))
	if err != nil {
		return false
	}
	defer func() { _ = file.Close() }()
	sum := object.BlobHash(r.Format == "sha256", info.Size())
	_, err = io.Copy(sum, file)
	return err == nil && hex.EncodeToString(sum.Sum(nil)) == blob
}
