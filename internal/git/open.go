package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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

	bin     string
	env     []string
	workDir string // where children start, if neither in Top nor in GitDir
	config  map[string][]string
	// userConfig is config without what the repository says.
	userConfig map[string]string
	logger     logrus.FieldLogger
	now        func() time.Time
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
	return r, r.readConfig(ctx)
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
	return &Repo{bin: abs, logger: log, env: opts.Env, now: now}, nil
}

type nowhere struct{}

func (nowhere) Write(p []byte) (int, error) { return len(p), nil }

// discover asks with the caller's environment: GIT_DIR may be theirs.
func (r *Repo) discover(ctx context.Context, opts Options) error {
	r.Top = opts.Dir
	env := opts.Env
	if ofLinkedHook(opts) {
		env = childEnv(env)
	}
	c := &command{repo: r, env: env, deadline: time.Minute, args: append([]string{"rev-parse", "--path-format=absolute",
		"--is-bare-repository", "--show-object-format"}, places...)}
	out, code, err := c.answers(128, 129).run(ctx)
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	r.Top = ""
	if len(lines) < 4 || lines[0] != "true" && lines[0] != "false" { // an old git repeats options that it does not know
		return r.whyNot(ctx, opts, code)
	}
	r.Format = lines[1]
	if lines = lines[2:]; len(lines) > len(places) { // a newline in a path
		if lines, err = r.askEach(ctx, env, opts.Dir); err != nil {
			return err
		}
	}
	r.GitDir, r.CommonDir = lines[0], lines[1]
	if len(lines) == len(places) {
		r.Top = lines[2]
	}
	return r.samePlace(opts.Dir)
}

// places are what rev-parse is asked for; a bare repository has no last one.
var places = []string{"--absolute-git-dir", "--git-common-dir", "--show-toplevel"}

// askEach asks for one place at a time: each answer then ends with the output.
func (r *Repo) askEach(ctx context.Context, env []string, dir string) ([]string, error) {
	at := *r
	at.Top = dir
	var found []string
	for _, place := range places {
		c := &command{repo: &at, env: env, deadline: time.Minute, args: []string{"rev-parse", "--path-format=absolute", place}}
		out, code, err := c.answers(128).run(ctx)
		switch {
		case err != nil:
			return nil, err
		case code == 0:
			found = append(found, strings.TrimSuffix(string(out), "\n"))
		}
	}
	if len(found) < 2 {
		return nil, fmt.Errorf("%w: rev-parse names no git folder", ErrNotARepository)
	}
	return found, nil
}

// ofLinkedHook recognizes what git gives to a hook of a linked working tree: its
// GIT_DIR without a GIT_WORK_TREE. Asked with that, git takes the current folder
// for the top of the tree, be it a folder below or another repository (tested,
// 2.39); the folder alone gives the right answer in both.
func ofLinkedHook(opts Options) bool {
	dir := lookup(opts.Env, "GIT_DIR")
	if dir == "" || lookup(opts.Env, "GIT_WORK_TREE") != "" {
		return false
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(opts.Dir, dir)
	}
	_, err := os.Stat(filepath.Join(dir, "gitdir")) // gitrepository-layout(5)
	return err == nil
}

// whyNot tells "no repository here" from "git is too old for the question".
func (r *Repo) whyNot(ctx context.Context, opts Options, code int) error {
	r.Top = opts.Dir
	if err := r.CheckVersion(ctx); err != nil {
		return err
	}
	c := &command{repo: r, env: append(childEnv(opts.Env), "LC_ALL=C"), deadline: time.Minute, args: []string{"rev-parse", "--git-dir"}}
	if _, _, err := c.run(ctx); err != nil {
		return fmt.Errorf("%w: %w", ErrNotARepository, err)
	}
	return fmt.Errorf("%w: rev-parse gave no answer (exit %d)", ErrNotARepository, code)
}

// samePlace refuses the enclosing repository where dir was a working tree or
// clone of its own that lost its .git: its remains (our folder's log of it)
// would otherwise be worked on as part of somebody else's project.
func (r *Repo) samePlace(dir string) error {
	if r.Top == "" {
		return nil
	}
	if _, err := os.Stat(r.Top); err != nil {
		return fmt.Errorf("working tree: %w", err)
	}
	return nil
}

func (r *Repo) dir() string {
	if r.workDir != "" {
		return r.workDir
	}
	if r.Top != "" {
		return r.Top
	}
	return r.GitDir
}

// NeedWorkTree is ErrBare in a bare repository.
func (r *Repo) NeedWorkTree() error {
	if r.Top == "" {
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
