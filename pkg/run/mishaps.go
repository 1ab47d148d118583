package run

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/git-agent/git-agent/pkg/check"
)

// orDiskFull places an error that a full disk made in the contract. It may be a
// log of ours that fills the disk, so the largest one is named: nothing but what
// it holds is lost with it.
func (e *Engine) orDiskFull(run string, err error) error {
	if CodeOf(err) != "UNKNOWN" || !errors.Is(err, syscall.ENOSPC) && !errors.Is(err, syscall.EDQUOT) &&
		check.Full(e.Place.CommonDir, e.Place.Top) == "" { // of git only words come
		return err
	}
	logs := e.State.Path(run + "/logs")
	f := failf("ENVIRONMENT", ExitPerson, "the disk is full: %w; what is certified is saved", err).hint("df %s", quoteArg(e.Place.CommonDir))
	if log, size := largestFile(logs); size > 0 {
		f = f.hint("rm -r %s   # %d MiB of what a job or check printed, if nobody needs it", quoteArg(filepath.Dir(log)), (size+1<<19)>>20)
	}
	return f.hint("git agent resume %s   # once there is room", run)
}

// largestFile is the file below a folder that takes the most bytes, "" for none.
func largestFile(folder string) (largest string, size int64) {
	_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil //nolint:nilerr // it only makes a hint better
		}
		if info, err := os.Lstat(path); err == nil && info.Size() > size {
			largest, size = path, info.Size()
		}
		return nil
	})
	return largest, size
}

// orDeleted places what comes of a job or check that deleted what git agent
// keeps of the run, the lock that this command holds among it. Nothing that is
// certified depends on it.
func (s *session) orDeleted(err error) error {
	if err == nil || CodeOf(err) != "UNKNOWN" {
		return err
	}
	if _, errRead := s.State.Read(s.run + "/lock"); !errors.Is(errRead, fs.ErrNotExist) {
		return err
	}
	return failf("LOG_DAMAGED", ExitUnknown, "%s was deleted while this command ran: %w; what is in the working tree was left alone", s.State.Path(s.run), err).
		hint("git agent resume %s   # checks what is there", s.run)
}
