package git

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/sirupsen/logrus"
)

// Options say which repository to open and with what.
type Options struct {
	Dir string   // any folder inside the working tree
	Env []string // the caller's environment
	Bin string   // git's absolute path; "": looked up on PATH
	Log logrus.FieldLogger
	Now func() time.Time // nil: durations in the log are zero
	// Quarantined: Dir is where git's receive-pack started a hook, and Env is
	// what it gave. The pushed objects can only be read with exactly these
	// (GIT_OBJECT_DIRECTORY, GIT_QUARANTINE_PATH, a GIT_DIR relative to Dir).
	Quarantined bool
}

// Repo is one repository as seen from one working tree.
type Repo struct {
	Top       string // top of the working tree, "" where bare
	GitDir    string // this working tree's git folder
	CommonDir string // shared by all working trees
	Format    string // "sha1" or "sha256"
	// Inside: the folder lies inside the git folder of a repository that is not
	// bare; its working tree is WorkTree, where that can be told.
	Inside   bool
	WorkTree string

	bin     string
	env     []string
	workDir string // where children start, if neither in Top nor in GitDir
	config  map[string][]string
	// userConfig is config without what the repository says.
	userConfig map[string]string
	// pins are settings that hold for this working tree whatever is configured.
	pins      []string
	foldsCase bool // the working tree takes a name in another case for the same
	// configuredHooks are those that a newer git runs from the configuration.
	configuredHooks []string
	logger          logrus.FieldLogger
	now             func() time.Time
	leftLocks       *atomic.Bool
}

// Open finds the repository that contains opts.Dir, once, with the caller's
// own environment; every later child is told GIT_DIR and GIT_WORK_TREE as a
// pair, so that neither a hook's environment nor a vanished .git file can make
// git answer for another repository.
func Open(ctx context.Context, opts Options) (*Repo, error) {
	r, err := newRepo(opts)
	if err != nil {
		return nil, err
	}
	if err := r.discover(ctx, opts); err != nil {
		return nil, err
	}
	if opts.Quarantined {
		r.Top, r.env, r.workDir = "", opts.Env, opts.Dir
		return r, r.readConfig(ctx)
	}
	r.env = append(childEnv(opts.Env), "GIT_DIR="+r.GitDir)
	if r.Top != "" {
		r.env = append(r.env, "GIT_WORK_TREE="+r.Top)
	}
	if err := r.readConfig(ctx); err != nil {
		return nil, err
	}
	r.pinCase()
	return r, nil
}

func newRepo(opts Options) (*Repo, error) {
	bin := opts.Bin
	if bin == "" {
		found, err := exec.LookPath("git")
		if err != nil {
			return nil, fmt.Errorf("find git: %w", err)
		}
		bin = found
	}
	abs, err := filepath.Abs(bin)
	if err != nil {
		return nil, fmt.Errorf("find git: %w", err)
	}
	log := opts.Log
	if log == nil {
		silent := logrus.New()
		silent.SetOutput(nowhere{})
		log = silent
	}
	now := opts.Now
	if now == nil {
		now = func() time.Time { return time.Time{} }
	}
	return &Repo{bin: abs, logger: log, env: opts.Env, now: now, leftLocks: &atomic.Bool{}}, nil
}

type nowhere struct{}

func (nowhere) Write(p []byte) (int, error) { return len(p), nil }

func (r *Repo) dir() string {
	if r.workDir != "" {
		return r.workDir
	}
	if r.Top != "" {
		return r.Top
	}
	return r.GitDir
}

// NeedWorkTree is ErrBare in a bare repository, ErrInside inside the git folder
// of another.
func (r *Repo) NeedWorkTree() error {
	switch {
	case r.Inside:
		return ErrInside
	case r.Top == "":
		return ErrBare
	}
	return nil
}

// trace logs one finished child; a debugging aid and what the tests grep for
// commands that are forbidden.
func (r *Repo) trace(args []string, took time.Duration, err error) {
	r.logger.WithFields(logrus.Fields{"took": took.Round(time.Microsecond), "err": errText(err)}).Debugf("git %s", strings.Join(args, " "))
}

func errText(err error) string {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &exit):
		return exit.String()
	default:
		return err.Error()
	}
}

// ZeroID is the id that git prints where there is none.
func (r *Repo) ZeroID() string {
	if r.Format == "sha256" {
		return strings.Repeat("0", 64)
	}
	return strings.Repeat("0", 40)
}

// EmptyTree is the id of the tree without entries.
func (r *Repo) EmptyTree(ctx context.Context) (string, error) {
	return r.plumbing("hash-object", "-t", "tree", "-w", "--stdin").input("").text(ctx)
}
