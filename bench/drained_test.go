package bench

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path"
	"strconv"
	"time"

	"github.com/git-agent/git-agent/internal/durable"
	"github.com/git-agent/git-agent/pkg/job"
	"github.com/git-agent/git-agent/pkg/journal"
)

const drainedRun = "r-1"

// processes are what this test binary is besides a test: they are timed, so
// each is a process of its own.
var processes = map[string]func(args []string) error{"__drain": drainHere, "__cat": catHere}

func itself(args ...string) *exec.Cmd {
	path, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return exec.Command(path, args...)
}

// answer is what a drain says of itself: its syncs, and the most memory it had
// resident, in KiB.
type answer struct{ Syncs, Peak int }

// drainHere drains the attempt that its words name.
func drainHere(args []string) error {
	dir, err := durable.OpenDir(args[0])
	if err != nil {
		return err
	}
	a, err := job.Open(folder{dir}, drainedRun, args[1])
	if err != nil {
		return err
	}
	root, err := dir.OpenRoot(path.Join(job.Root(drainedRun), args[1]))
	if err != nil {
		return err
	}
	var said answer
	log, err := journal.Open(journal.OpenRequest{Folder: counting{journal.RootFolder(root, "."), &said.Syncs}, Name: job.LogName,
		Identity: a.Identity(), Owner: []byte("{}"), Now: time.Now})
	if err != nil {
		return err
	}
	if _, err = (job.Drain{From: job.Local(a), Log: log}).Run(context.Background()); err != nil {
		return err
	}
	said.Peak = peak(os.Getpid())
	return errors.Join(log.Close(), json.NewEncoder(os.Stdout).Encode(said))
}

// catHere copies in chunks of the drain's size, through the same kind of file,
// and syncs as often as its last word says, spread evenly.
func catHere(args []string) error {
	in, err := os.Open(args[0])
	if err != nil {
		return err
	}
	syncs, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	info, err := in.Stat()
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(path.Dir(args[1]))
	if err != nil {
		return err
	}
	if err := root.RemoveAll(path.Base(args[1])); err != nil {
		return err
	}
	out, err := journal.RootFolder(root, ".").Append(path.Base(args[1]))
	if err != nil {
		return err
	}
	chunks, done := int(info.Size()/journal.ChunkSize), 0
	chunk := make([]byte, journal.ChunkSize)
	for i := range chunks {
		if _, err := io.ReadFull(in, chunk); err != nil {
			return err
		}
		if _, err := out.Write(chunk); err != nil {
			return err
		}
		for ; done < syncs*(i+1)/chunks; done++ {
			if err := out.Sync(); err != nil {
				return err
			}
		}
	}
	return out.Close()
}

// counting counts the syncs of a journal's files.
type counting struct {
	journal.Folder
	syncs *int
}

func (c counting) Append(name string) (journal.File, error) {
	f, err := c.Folder.Append(name)
	return countingFile{f, c.syncs}, err
}

type countingFile struct {
	journal.File
	syncs *int
}

func (c countingFile) Sync() error { *c.syncs++; return c.File.Sync() }
