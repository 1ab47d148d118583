package run

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/check"
	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/trace"
)

// TraceReport is what a step's checks were seen to depend on: fields are only
// added. Paths of the repository are relative to its top.
type TraceReport struct {
	// Reads are files of the tree that were read, executed or asked for, Lists
	// the folders whose names were read ("." is the top).
	Reads []string `json:"reads"`
	Lists []string `json:"lists"`
	// Propose are entries for `reads` that cover what the step does not declare.
	Propose []string `json:"propose"`
	// Unused are entries of `reads` under which nothing was read.
	Unused []string `json:"unused"`
	// Untracked are files inside the repository that git does not keep: ignored
	// or generated. No clone has them.
	Untracked []string `json:"untracked"`
	// Git: git's own state was read (history, refs, the index), which differs
	// between clones of one tree.
	Git bool `json:"git"`
	// Outside are places outside the repository, system folders left out.
	Outside []OutsideReads `json:"outside"`
	// System counts files of the system: libraries, locales, devices.
	System   int      `json:"system"`
	Programs []string `json:"programs"` // from outside the repository
	Network  []string `json:"network"`
}

// OutsideReads is a place outside the repository, and how many files below it
// were read.
type OutsideReads struct {
	Path  string `json:"path"`
	Files int    `json:"files"`
}

// recorded gathers the recordings of a step's checks.
type recorded struct {
	reads, lists, programs, peers []string
}

func (r *recorded) add(f *trace.Facts) {
	r.reads, r.lists = sortedUnion(r.reads, f.Reads), sortedUnion(r.lists, f.Lists)
	r.programs, r.peers = sortedUnion(r.programs, f.Programs), sortedUnion(r.peers, f.Peers)
}

// trace runs the checks once more under the recorder. counted: this is the one
// run that was asked for.
func (x *examination) trace(ctx context.Context, counted bool) error {
	x.seen = &recorded{}
	if counted {
		if err := x.repeat(ctx, 1, x.recorded); err != nil {
			return err
		}
	} else {
		for k := range x.step.Check {
			if result, err := x.recorded(ctx, k); err != nil || !result.Outcome.Passed() {
				if err != nil {
					return err
				}
				break
			}
		}
	}
	var err error
	x.report.Trace, err = x.dependence(ctx, x.step, x.seen, x.at.dir)
	return err
}

// recorded runs check k under strace.
func (x *examination) recorded(ctx context.Context, k int) (check.Result, error) {
	return x.record1(ctx, x.step.Check[k], x.at, x.scratch, x.seen)
}

// record1 runs one check under strace and adds what it read.
func (s *session) record1(ctx context.Context, c plan.Check, at place, scratch string, into *recorded) (check.Result, error) {
	file := filepath.Join(scratch, "recording")
	command, err := s.checkCommand(ctx, c, at)
	if err != nil {
		return check.Result{}, err
	}
	dir := command.Dir
	command.Run, command.Argv = "", trace.Argv(file, command.Run)
	result, err := s.supervise(ctx, command, s.Live)
	if err != nil || result.Outcome.Kind == check.Cancelled {
		return result, s.unseen(at.step, err)
	}
	if result.Outcome.Kind == check.NotFound {
		return result, needStrace(at.step)
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	facts, err := readRecording(file, dir)
	if err != nil {
		return result, err
	}
	if !facts.Began {
		return result, failf("ENVIRONMENT", ExitPerson, "strace cannot trace here (%s); nothing was moved", oneLine(lastPart(string(result.Stderr.Bytes), 200))).
			hint("git agent check %s   # without --trace", at.step)
	}
	into.add(facts)
	if result.Outcome == (check.Outcome{Kind: check.Exit, Code: 127}) || result.Outcome == (check.Outcome{Kind: check.Exit, Code: 126}) {
		return s.runCheck(ctx, c, at) // whether a tool is missing only the shell's own line tells
	}
	return result, nil
}

func needStrace(step string) error {
	return failf("ENVIRONMENT", ExitPerson, "--trace needs strace, which is not here: install the package strace (apt, dnf, apk, pacman, zypper); it is for Linux only; nothing was run").
		hint("git agent check %s   # without --trace", step)
}

func readRecording(file, dir string) (*trace.Facts, error) {
	f, err := os.Open(file)
	if os.IsNotExist(err) {
		return &trace.Facts{}, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close(); _ = os.Remove(file) }()
	return trace.Read(f, dir)
}

// dependence sorts what was read by what it means for the step.
func (s *session) dependence(ctx context.Context, step *plan.Step, seen *recorded, top string) (*TraceReport, error) {
	tracked, err := s.trackedFiles(ctx, top)
	if err != nil {
		return nil, err
	}
	declared, err := plan.CompilePaths(append(slices.Clone(step.Touches), step.Reads...))
	if err != nil {
		return nil, err
	}
	if real, err := filepath.EvalSymlinks(top); err == nil {
		top = real
	}
	d := &sorter{top: top, tracked: map[string]bool{}, folders: map[string]bool{".": true}}
	for _, file := range tracked {
		d.know(file)
	}
	r := d.sort(seen)
	listed := make([]string, len(r.Lists))
	for i, dir := range r.Lists {
		listed[i] = strings.TrimPrefix(dir, ".")
	}
	r.Propose = entries(trace.Propose(trace.Use{Read: r.Reads, Listed: listed, Tracked: tracked, Covered: declared.Match}))
	r.Unused = unusedReads(step, r)
	return r, nil
}

// trackedFiles are the files that a certificate made now would hold: those of
// HEAD, and in the working tree what is new there and not ignored.
func (s *session) trackedFiles(ctx context.Context, top string) ([]string, error) {
	files, err := s.filesOf(ctx, s.head.ID)
	if err != nil || top != s.Place.Top {
		return files, err
	}
	status, err := s.status(ctx)
	for _, f := range status {
		files = append(files, f.Path)
	}
	slices.Sort(files)
	return slices.Compact(files), err
}

func (s *session) filesOf(ctx context.Context, commit string) ([]string, error) {
	empty, err := s.Git.EmptyTree(ctx)
	if err != nil {
		return nil, err
	}
	changes, err := s.Git.DiffTrees(ctx, empty, commit)
	files := make([]string, len(changes))
	for i, c := range changes {
		files[i] = c.Path
	}
	return files, err
}

// entries keeps what a plan accepts; a name that it does not is covered by the
// folder around it.
func entries(proposed []string) []string {
	out := []string{}
	for _, entry := range proposed {
		for entry != "" && entry != "." {
			if _, err := plan.CompilePaths([]string{entry}); err == nil {
				out = append(out, entry)
				break
			}
			dir := filepath.ToSlash(filepath.Dir(strings.TrimSuffix(entry, "/")))
			if entry = dir + "/"; dir == "." {
				entry = ""
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func unusedReads(step *plan.Step, r *TraceReport) []string {
	unused := []string{}
	for _, entry := range step.Reads {
		p, err := plan.CompilePaths([]string{entry})
		if err == nil && !slices.ContainsFunc(r.Reads, p.Match) && !slices.ContainsFunc(r.Lists, func(dir string) bool { return p.Match(dir + "/any") }) {
			unused = append(unused, entry)
		}
	}
	return unused
}
