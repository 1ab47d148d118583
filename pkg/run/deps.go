package run

import (
	"context"
	"io"
	"time"

	"github.com/git-agent/git-agent/pkg/check"
	"github.com/git-agent/git-agent/pkg/job"
	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/rollback"
	"github.com/git-agent/git-agent/pkg/stash"
)

// Git is what the engine asks of git.
type Git interface {
	stash.Git
	rollback.Git
	history
	refs
	trees
	worktree
	remotes
	landings
	clones
}

type history interface {
	Chain(ctx context.Context, base, tip string) ([]object.Commit, error)
	BareChain(ctx context.Context, base, tip string, each func(object.Commit)) error
	History(ctx context.Context, base, tip string) ([]object.Commit, error)
	ReadCommit(ctx context.Context, id string) (object.Commit, error)
	WriteCommit(ctx context.Context, c object.NewCommit) (string, error)
	AheadBehind(ctx context.Context, a, b string) (ahead, behind int, err error)
	IsAncestor(ctx context.Context, a, b string) (bool, error)
	IsShallow(ctx context.Context) (bool, error)
	Version(ctx context.Context) (string, error)
	CheckVersion(ctx context.Context) error
	KnownHole(version string) string
	SignsCommits() bool
	GoodSignature(ctx context.Context, commit, allowedSigners string) (good bool, signer string, err error)
	KnowsCommitter(ctx context.Context) error
}

type refs interface {
	Head(ctx context.Context) (object.Head, error)
	Resolve(ctx context.Context, rev string) (string, error)
	Refs(ctx context.Context, under ...string) ([]object.Ref, error)
	Ref(ctx context.Context, name string) (string, error)
	UpdateRefs(ctx context.Context, why string, updates ...object.RefUpdate) error
	Kept(ctx context.Context, commit string) (bool, error)
	CommittedHere(ctx context.Context, branch string) (map[string]bool, error)
	CheckedOutAt(ctx context.Context, branch string) ([]object.Worktree, error)
	LeadsTo(ctx context.Context, ref string) (string, error)
}

type trees interface {
	TreeOf(ctx context.Context, commit string) (string, error)
	EmptyTree(ctx context.Context) (string, error)
	EntriesAt(ctx context.Context, treeish string, paths []string) ([]object.Entry, error)
	DiffTrees(ctx context.Context, from, to string) ([]object.Change, error)
	Blobs(ctx context.Context, names []string) (map[string][]byte, error)
	WriteBlob(ctx context.Context, content []byte) (string, error)
	WriteTree(ctx context.Context, scratch string, entries []object.Entry) (string, error)
	SnapshotBase(ctx context.Context, index, base string) error
	SnapshotTree(ctx context.Context, index string, paths, left []string, staged []object.Entry) (string, error)
	SnapshotDrop(index string)
	TreeWith(ctx context.Context, scratch, base string, entries []object.Entry) (string, error)
}

type worktree interface {
	Status(ctx context.Context) ([]object.FileStatus, error)
	Ignored(ctx context.Context, paths []string) ([]string, error)
	Aliases(paths []string) []string
	Operation() (what, end string)
	ReadsIndex(ctx context.Context) error
	Modules(ctx context.Context, tree string) (map[string]string, error)
	ModuleCommit(ctx context.Context, path, commit string) (object.ModuleCommit, error)
	Switch(ctx context.Context, branch string) (hook, err error)
	Follow(ctx context.Context, from, to string) error
	PassUntouched(ctx context.Context, scratch, from, to string) (passed bool, err error)
	OtherBits(ctx context.Context, scratch, tree string) ([]string, error)
	Flagged(ctx context.Context) (flagged []object.IndexEntry, leftOut []string, err error)
	Unproven(ctx context.Context, below []string, match func(path string) bool) ([]object.IndexEntry, error)
	Unlike(ctx context.Context, scratch string, entries []object.IndexEntry) ([]object.IndexEntry, error)
	SetIndex(ctx context.Context, entries []object.Entry) error
	Scratch(ctx context.Context, dir, commit string) error
	ScratchLook(ctx context.Context, dir, commit string) (changed, beside []string, err error)
	ScratchRestore(ctx context.Context, dir, commit string) error
	NeedWorkTree() error
	StaleLocks(ctx context.Context, refs []string) ([]object.Lock, error)
	RemoveLock(l object.Lock) error
	LeftLocks() bool
}

// clones are throw-away repositories that share nothing with this one.
type clones interface {
	ColdClone(ctx context.Context, dir string, commits ...string) error
	ScratchFrom(ctx context.Context, clone, dir, commit string) error
	ColdMerge(ctx context.Context, clone, dir, onto, commit string) (merged string, conflicts []string, err error)
}

type remotes interface {
	Remotes() []string
	RemoteURL(ctx context.Context, remote string) (string, error)
	RemoteRefs(ctx context.Context, remote string, names ...string) (map[string]string, error)
	Fetch(ctx context.Context, remote string, names []string, extra ...string) error
	Push(ctx context.Context, remote string, p object.Push) ([]object.PushVerdict, error)
}

// Config reads a git setting; key is lower case.
type Config interface {
	Config(key string) (value string, ok bool)
	ConfigBool(key string) bool
	// UserConfig is a setting of the person or the machine, never the repository's.
	UserConfig(key string) (value string, ok bool)
	// ConfigKeys are the settings that are set and begin so, lower case.
	ConfigKeys(prefix string) []string
	// ConfigOrigin says in which scope and file a setting is, "" where unknown.
	ConfigOrigin(ctx context.Context, key string) (scope, origin string)
}

// Folder is a private folder that survives a kill; names never leave it.
// Reading an absent file is fs.ErrNotExist.
type Folder interface {
	job.Folder
	Remove(name string) error
	RemoveAll(name string) error
	Path(name string) string
}

// Lock is held until Unlock, Leave or the process's death.
type Lock = job.Lock

// Place is where the engine works.
type Place struct {
	Top       string // of the working tree
	GitDir    string // this working tree's
	CommonDir string
	// Inside: the command was given inside the git folder of a repository that is
	// not bare; its working tree is Outside, where that can be told.
	Inside  bool
	Outside string
}

// Deps is the world, handed in.
type Deps struct {
	Git    Git
	Config Config
	Place  Place
	// State is <common dir>/agent, Tree is <git dir>/agent, User the person's
	// own state folder (trust). ReadOnly engines get folders that create nothing.
	State, Tree, User Folder
	Runner            check.Runner
	Env               []string // the caller's
	LocalEnv          []string // variables that a check or job never sees
	Now               func() time.Time
	// Live gets what jobs and checks print, as it comes; nil: nobody.
	Live io.Writer
	// Notify gets one line per thing that happened, for people.
	Notify func(format string, args ...any)
	// Tell gets what has to be said however quiet a command is; nil: as Notify.
	Tell func(format string, args ...any)
	// Host names this machine to whoever waits for a lease.
	Host string
	// Remote overrides the choice of a remote (--remote).
	Remote string
	// HoldTerminal is called before a job gets the terminal; until its answer
	// is called, an interrupt from the keyboard is the job's and not ours.
	HoldTerminal func() (release func())
	// Fault is called at the named points of the design's tables. Only tests
	// set it, to die there.
	Fault func(point string)
}

// Engine runs the verbs. It is not safe for concurrent use.
type Engine struct {
	Deps
	store  *stash.Store
	roller *rollback.Roller
	mark   string // of this command, once it holds the locks
}

// New makes an engine.
func New(d Deps) *Engine {
	if d.Notify == nil {
		d.Notify = func(string, ...any) {}
	}
	if d.Tell == nil {
		d.Tell = d.Notify
	}
	if d.HoldTerminal == nil {
		d.HoldTerminal = func() func() { return func() {} }
	}
	if d.Fault == nil {
		d.Fault = func(string) {}
	}
	return &Engine{Deps: d, store: &stash.Store{Git: d.Git, Top: d.Place.Top},
		roller: &rollback.Roller{Git: d.Git, Top: d.Place.Top, Now: d.Now, Fault: d.Fault}}
}
