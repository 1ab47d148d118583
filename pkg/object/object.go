// Package object holds the plain values that git and the packages above it
// exchange: commits, changes, tree entries, refs. It has no behaviour beyond
// trivial questions about a value and imports nothing of ours, so that internal/git
// can satisfy the small interfaces which pkg/* declare without either side
// importing the other.
//
// Object ids are full lower-case hexadecimal strings (40 or 64 digits, never
// abbreviated); paths are repository-relative, slash-separated and raw bytes
// as git stores them.
package object

import (
	"strconv"
	"time"
)

// Modes of tree entries as git writes them (git-ls-tree(1)); an absent side of
// a [Change] has ModeNone.
const (
	ModeNone       = "000000"
	ModeFile       = "100644"
	ModeExecutable = "100755"
	ModeSymlink    = "120000"
	ModeGitlink    = "160000"
	ModeTree       = "040000"
)

// Entry is one path of a tree or of an index.
type Entry struct {
	Path string
	Mode string
	ID   string
}

// Change is what one commit did to one path, seen from its first parent.
// Renames are never detected: a rename is a deletion and an addition.
type Change struct {
	Path             string
	OldMode, NewMode string // ModeNone where the side lacks the path
	OldID, NewID     string // zero id where the side lacks the path
}

// Commit is one commit as a single `git log` walk yields it.
type Commit struct {
	ID      string
	Tree    string
	Parents []string
	Time    time.Time // committer date
	Message string    // raw body, subject first
	// Trailers is what git itself reads as the trailer block
	// (`%(trailers:only,unfold)`), under the person's configuration.
	Trailers string
	// Changes against the first parent; nil where the walk did not ask.
	Changes []Change
}

// FirstParent is the first parent's id, or "" for a root commit.
func (c Commit) FirstParent() string {
	if len(c.Parents) == 0 {
		return ""
	}
	return c.Parents[0]
}

// Ref is a full ref name and the object it names.
type Ref struct {
	Name string
	ID   string
	Head bool // it is the branch that HEAD is on, where a listing says so
}

// RefUpdate is one compare-and-swap of a ref. Old is the value that must
// be there ("" : the ref must not exist), New the value to set ("" : delete).
type RefUpdate struct {
	Name     string
	Old, New string
}

// FileStatus is one path of `git status --porcelain=v2 --untracked-files=all`.
type FileStatus struct {
	Path string
	// Staged and Unstaged are git's XY letters ('.' where unchanged);
	// an untracked path has '?' in both, an unmerged one 'U' in both.
	Staged, Unstaged              byte
	HeadMode, IndexMode, WorkMode string
	HeadID, IndexID               string
	// Sub is git's field for submodules (git-status(1), v2): "N..." for any
	// other path, else "S" and a letter each, or a dot, for another commit
	// checked out (C), modified (M) and untracked content inside (U).
	Sub string
	// Unpopulated: a submodule that is not checked out and in whose folder files
	// lie. They count as untracked ones inside it, though git says nothing of them.
	Unpopulated bool
}

// Untracked reports whether git does not know the path at all.
func (s FileStatus) Untracked() bool { return s.Staged == '?' }

// Unmerged reports whether the path is in conflict.
func (s FileStatus) Unmerged() bool { return s.Staged == 'U' }

// Submodule reports whether the path is a submodule.
func (s FileStatus) Submodule() bool { return len(s.Sub) == 4 && s.Sub[0] == 'S' }

// HasFile reports that a file or a link lies at the path.
func (s FileStatus) HasFile() bool {
	return s.WorkMode == ModeFile || s.WorkMode == ModeExecutable || s.WorkMode == ModeSymlink
}

// DirtyInside reports a submodule that holds what its own commits do not.
func (s FileStatus) DirtyInside() bool { return s.Submodule() && s.Sub[2:] != ".." }

// InsideOnly reports a submodule that is at its commit and differs inside
// only: nothing that a commit of this repository could hold.
func (s FileStatus) InsideOnly() bool {
	return s.DirtyInside() && s.Staged == '.' && s.Sub[1] == '.'
}

// Tracked reports a change of what a commit of this repository holds.
func (s FileStatus) Tracked() bool { return !s.Untracked() && !s.InsideOnly() }

// Short abbreviates an id for text; JSON and refs carry it whole.
func Short(id string) string { return id[:min(len(id), 10)] }

// Head says where HEAD is.
type Head struct {
	Branch string // full ref name, "" where detached
	ID     string // "" where the branch is unborn
}

// NewCommit is a commit to write.
type NewCommit struct {
	Tree    string
	Parents []string
	Message string // byte-exact
	Sign    bool   // with the person's signing configuration
}

// Push is what goes to a remote, all of it or nothing.
type Push struct {
	Refs []PushRef
	// Apart: each ref by itself, whatever becomes of the others.
	Apart bool
	// NoVerify leaves the person's pre-push hook out: a sign of life is none
	// of its business.
	NoVerify bool
}

// PushRef is one ref of a push: fast-forward only or, where CAS, from exactly
// Old ("": it must not exist). One without ID is deleted, only so.
type PushRef struct {
	Name, ID string
	CAS      bool
	Old      string
}

// PushVerdict is what a remote did with one ref of a push.
type PushVerdict struct {
	Ref  string
	Flag byte // ' ' fast-forwarded, '*' new, '-' deleted, '=' up to date, '!' refused (git-push(1), --porcelain)
	Text string
}

// Worktree is a working tree that has a branch checked out.
type Worktree struct {
	Path   string
	End    string // the git command ("rebase --abort") that gives the branch back, where HEAD left it for a rebase or bisect of it
	Gone   bool   // its folder is not there
	Locked bool   // git was told to keep it, there or not
}

// Lock is a lock file of git's that is in the way.
type Lock struct {
	Path string
	Made time.Time // by the file system's clock
	// Held: a process has it open, or a git process works in this working
	// tree, or neither could be ruled out.
	Held bool
}

// ModuleCommit is what the repository in a submodule's folder knows of a commit.
type ModuleCommit struct {
	Here      bool   // there is such a repository, and it has the commit
	Published bool   // a remote-tracking branch there has it
	Remote    string // to push it to, "" for none
	Tracked   bool   // a push to any branch of Remote is seen in a remote-tracking one
}

// UnstorableError says that git cannot make of a file what its attributes ask
// for: an encoding that it is not in, a filter that fails.
type UnstorableError struct {
	Top   string // of the working tree
	Path  string // below it
	Cause error
}

func (e *UnstorableError) Error() string {
	return "git cannot store " + strconv.Quote(e.Path) + " as its attributes say: " + e.Cause.Error()
}

func (e *UnstorableError) Unwrap() error { return e.Cause }

// UnreadError says that what is at a path could not be looked at, so that an answer about
// the working tree would be without it.
type UnreadError struct {
	Top  string // of the working tree
	Path string // below it, else absolute
	Why  string
	// Exclude is the ignore file of the repository alone, "" where no such rule
	// helps.
	Exclude string
}

func (e *UnreadError) Error() string {
	return "cannot look at " + strconv.Quote(e.Path) + ", so that what changed there is unknown: " + e.Why
}
