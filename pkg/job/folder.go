package job

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/git-agent/git-agent/pkg/check"
	"github.com/git-agent/git-agent/pkg/journal"
)

// Folder is a private folder that survives a kill; names never leave it.
// Reading an absent file is [fs.ErrNotExist].
type Folder interface {
	Read(name string) ([]byte, error)
	// Write replaces a file; durable when it returns.
	Write(name string, data []byte) error
	List(name string) ([]string, error)
	// OpenRoot opens a folder in it, made where the folder may be written.
	OpenRoot(name string) (*os.Root, error)
	// Lock takes an exclusive lock that dies with its holder, or answers a
	// *BusyError. holder is what is written into it, made from what the last
	// holder wrote if it died holding the lock, nil otherwise.
	Lock(name string, holder func(abandoned []byte) any) (Lock, error)
}

// Lock is held until Unlock, Leave or the process's death.
type Lock interface {
	Unlock() error
	// Leave is Unlock by one who could not mend what the last holder left: the
	// next one finds it too.
	Leave() error
}

// BusyError says that a live process holds a lock. What a Folder's Lock answers wraps it.
type BusyError struct {
	Path   string
	Holder []byte
	Since  time.Time
}

func (e *BusyError) Error() string { return "lock " + e.Path + " is held" }

// LogName is the journal's name of the job's log in an attempt's folder.
const LogName = "job"

// The other files of an attempt's folder.
const (
	factsFile  = "attempt.json"
	fenceFile  = "fence"
	stdoutFile = "stdout"
	stderrFile = "stderr"
	statusFile = "status"
)

// Facts say what an attempt is, and where its job is found.
type Facts struct {
	Run         string    `json:"run"`
	Step        string    `json:"step"`
	Attempt     string    `json:"attempt"` // id
	Number      int       `json:"number"`
	PlanVersion int       `json:"plan_version"`
	Host        string    `json:"host,omitempty"`
	Opened      time.Time `json:"opened"`
	// After is the id of the attempt that this one follows up.
	After string `json:"after,omitempty"`
	// Said is what a person said to whoever does it.
	Said string `json:"said,omitempty"`
	// Claim is the nonce of the lease that the job works under, "" for none.
	Claim string `json:"claim,omitempty"`
	// Argv or Line is what the job runs, in Dir; neither: there is no job.
	Argv Texts  `json:"argv,omitempty"`
	Line string `json:"line,omitempty"`
	Dir  Text   `json:"dir,omitempty"`
	// Owner is the attempt's runner: the latest one.
	Owner check.Owner `json:"owner"`
	// Supervisor is the job's, nil as long as the job cannot have begun; Nonce
	// begins each line of its report.
	Supervisor *check.Owner `json:"supervisor,omitempty"`
	Nonce      string       `json:"nonce,omitempty"`
	// Far: the attempt is another machine's, and this is a copy of its log.
	Far bool `json:"far,omitempty"`
	// Told: a runner or a cancel told the job to end. It is not adopted then,
	// and an end that nobody saw is a cancelled one.
	Told bool `json:"told,omitempty"`
	// Unlogged: it was told to end because its log could not be written, the
	// number of the error.
	Unlogged syscall.Errno `json:"unlogged,omitempty"`
	// Disowned: a person said that nothing of it runs any more, where that
	// could not be told.
	Disowned bool `json:"disowned,omitempty"`
}

// HasJob reports whether the attempt runs a command that is kept.
func (f *Facts) HasJob() bool { return f.Line != "" || len(f.Argv) > 0 }

// Identity is the attempt's in the headers of its logs.
func (f *Facts) Identity() journal.Identity {
	return journal.Identity{Run: f.Run, Step: f.Step, Attempt: f.Attempt, PlanVersion: f.PlanVersion}
}

// Attempt is one attempt's folder.
type Attempt struct {
	Facts
	folder Folder
	name   string
}

// Root is where the attempts of a run have their folders.
func Root(run string) string { return run + "/logs" }

// FolderName is what the folder of an attempt with these facts is called below
// [Root]; "" where they are not an attempt's.
func (f *Facts) FolderName() string {
	if len(f.Attempt) < 8 || f.Run == "" || f.Step == "" {
		return ""
	}
	return fmt.Sprintf("%s-%d-%s", f.Step, f.Number, f.Attempt[:8])
}

// Name is the folder's name below [Root].
func (a *Attempt) Name() string { return a.name }

func (a *Attempt) dir() string { return path.Join(Root(a.Run), a.name) }

// Create makes the folder of a new attempt.
func Create(f Folder, facts Facts) (*Attempt, error) {
	a := &Attempt{Facts: facts, folder: f, name: facts.FolderName()}
	if a.name == "" {
		return nil, errors.New("make an attempt's folder: run, step or id is missing")
	}
	if _, err := f.Read(a.dir() + "/" + factsFile); !errors.Is(err, fs.ErrNotExist) {
		return nil, errors.Join(fmt.Errorf("make the attempt's folder %q: it is there already", a.name), err)
	}
	return a, a.save()
}

// Open opens an attempt's folder by name.
func Open(f Folder, run, name string) (*Attempt, error) {
	a := &Attempt{folder: f, name: name, Facts: Facts{Run: run}}
	return a, a.reload()
}

// ErrTorn are facts that somebody else wrote to: ours are whole or absent.
var ErrTorn = errors.New("unreadable facts")

func (a *Attempt) reload() error {
	data, err := a.folder.Read(a.dir() + "/" + factsFile)
	if err != nil {
		return err
	}
	run := a.Run
	a.Facts = Facts{}
	if err := json.Unmarshal(data, &a.Facts); err != nil {
		return fmt.Errorf("%w of attempt %q: %w", ErrTorn, a.name, err)
	}
	if a.Run != run {
		return fmt.Errorf("attempt %q is of run %q, not of %q", a.name, a.Run, run)
	}
	return nil
}

func (a *Attempt) save() error {
	data, err := json.MarshalIndent(a.Facts, "", "  ")
	if err != nil {
		return err
	}
	return a.folder.Write(a.dir()+"/"+factsFile, append(data, '\n'))
}

// List opens every attempt of a run, oldest first. A folder without facts is
// one that a kill left empty, and is left out.
func List(f Folder, run string) ([]*Attempt, error) {
	names, err := f.List(Root(run))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var all []*Attempt
	for _, name := range names {
		a, errOpen := Open(f, run, name)
		switch {
		case errors.Is(errOpen, fs.ErrNotExist):
		case errOpen != nil:
			err = errors.Join(err, errOpen)
		default:
			all = append(all, a)
		}
	}
	slices.SortFunc(all, func(a, b *Attempt) int {
		if c := a.Opened.Compare(b.Opened); c != 0 {
			return c
		}
		return strings.Compare(a.name, b.name)
	})
	return all, err
}

// Highest is the highest number of a step's attempts that have a folder, by the
// folders' names; 0 for none, or where they cannot be listed.
func Highest(f Folder, run, step string) (highest int) {
	names, _ := f.List(Root(run)) // whoever makes a folder meets the error
	for _, name := range names {
		number, id, ok := strings.Cut(strings.TrimPrefix(name, step+"-"), "-")
		n, err := strconv.Atoi(number)
		if ok && err == nil && name == fmt.Sprintf("%s-%d-%s", step, n, id) && len(id) == 8 {
			highest = max(highest, n)
		}
	}
	return highest
}

// root opens the folder itself; the caller closes it.
func (a *Attempt) root() (*os.Root, error) { return a.folder.OpenRoot(a.dir()) }

// OpenReader opens one of the attempt's logs for reading: [LogName], or a
// check's, see [Attempt.Checks].
func (a *Attempt) OpenReader(name string) (*journal.Reader, error) {
	root, err := a.root()
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }() // the reader keeps files, not the folder
	return journal.OpenReader(journal.RootFolder(root, "."), name)
}
