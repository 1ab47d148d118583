// Package setup puts git agent into the settings of coding agents, and takes it
// out again: hooks, the skill, an MCP server.
//
// It only ever inserts into a file that is there, so that taking out is exact;
// what it inserted is noted in the person's own state folder. Where a file was
// edited since, the entries are found by what they say. It never grants a
// permission, never marks anything as trusted, starts no process and knows no git.
package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/hashicorp/go-multierror"
)

// Scope is for whom.
type Scope string

// The scopes; frozen.
const (
	User    Scope = "user"    // all sessions of this person
	Project Scope = "project" // this working tree, to be committed
)

// What was done with a file; frozen.
const (
	Made    = "made"    // it was not there
	Added   = "added"   // our entries were inserted
	Kept    = "kept"    // it has them already
	Removed = "removed" // ours were taken out; the file goes if it was made
	Nothing = "nothing" // it has none
	Left    = "left"    // ours once, edited since: not touched
)

// Done is what was, or with a dry run would be, done with one file.
type Done struct {
	Path string `json:"path"`
	What string `json:"what"` // hooks, skill, mcp, plugin, instructions, settings
	Did  string `json:"did"`
}

// Notes remembers what was inserted where; names are slash-separated.
type Notes interface {
	Read(name string) ([]byte, error)
	Write(name string, data []byte) error
	Remove(name string) error
}

// Setup knows the world.
type Setup struct {
	Kit   fs.FS  // contrib/agents
	Top   string // of the working tree, "" for none
	Home  string
	Env   func(string) string
	Notes Notes
	Dry   bool
}

// Refusal is why nothing was changed.
type Refusal struct {
	Err   error
	Hints []string
}

func (r *Refusal) Error() string { return r.Err.Error() + "; nothing was changed" }
func (r *Refusal) Unwrap() error { return r.Err }

func refuse(hint, format string, args ...any) error {
	r := &Refusal{Err: fmt.Errorf(format, args...)}
	if hint != "" {
		r.Hints = []string{hint}
	}
	return r
}

// Agents lists whom setup knows.
func Agents() []string {
	var names []string
	for _, a := range agents {
		names = append(names, a.name)
	}
	return names
}

// Scopes lists for whom an agent can be set up, the usual one first.
func Scopes(agent string) []Scope {
	i := slices.IndexFunc(agents, func(a agentKit) bool { return a.name == agent })
	if i < 0 {
		return nil
	}
	var scopes []Scope
	for _, s := range []Scope{User, Project} {
		if len(agents[i].parts[s]) > 0 {
			scopes = append(scopes, s)
		}
	}
	return scopes
}

// Caveats are what a person has to know or do after an install.
func Caveats(agent string, scope Scope) []string {
	i := slices.IndexFunc(agents, func(a agentKit) bool { return a.name == agent })
	if i < 0 {
		return nil
	}
	notes := slices.Clone(agents[i].caveats)
	if scope == Project {
		notes = append(notes, "these files are changes in the working tree: commit them before a run, or they are strays")
	}
	return notes
}

// Install puts an agent's parts into place. Everything is worked out before the
// first file is written: a refusal leaves all as it was.
func (s *Setup) Install(agent string, scope Scope, mcp bool) ([]Done, error) {
	return s.each(agent, scope, mcp, (*work).install)
}

// Undo takes them out again.
func (s *Setup) Undo(agent string, scope Scope) ([]Done, error) {
	return s.each(agent, scope, true, (*work).undo)
}

func (s *Setup) each(agent string, scope Scope, mcp bool, workOut func(*work, part) (did string, err error)) ([]Done, error) {
	parts, err := s.parts(agent, scope, mcp)
	if err != nil {
		return nil, err
	}
	files := map[string]*work{} // two parts may be in one file
	var order []*work
	var all []Done
	var faults *multierror.Error
	for _, p := range parts {
		at, err := s.place(p, scope)
		if err != nil {
			return nil, err
		}
		w := files[at.real]
		if w == nil {
			if w, err = s.begin(at); err != nil {
				return nil, err
			}
			files[at.real], order = w, append(order, w)
		}
		did, err := workOut(w, p)
		if err != nil {
			faults = multierror.Append(faults, err)
			continue
		}
		all = append(all, Done{Path: at.path, What: p.what, Did: did})
	}
	if err := joined(faults); err != nil || s.Dry {
		return all, err
	}
	var folders []string
	for _, w := range order {
		if err := w.carryOut(); err != nil {
			return nil, fmt.Errorf("%s: %w", w.at.path, err)
		}
		if w.gone {
			folders = append(folders, w.note.Folders...)
		}
	}
	removeEmpty(folders)
	return all, nil
}

// joined is one refusal with the hints of all.
func joined(faults *multierror.Error) error {
	if faults == nil {
		return nil
	}
	if len(faults.Errors) == 1 {
		return faults.Errors[0]
	}
	all := &Refusal{}
	var words []error
	for _, err := range faults.Errors {
		var r *Refusal
		if errors.As(err, &r) {
			all.Hints = append(all.Hints, r.Hints...)
			err = r.Err
		}
		words = append(words, err)
	}
	all.Err = fmt.Errorf("%w (and %d more)", words[0], len(words)-1)
	return all
}

func (s *Setup) parts(agent string, scope Scope, mcp bool) ([]part, error) {
	i := slices.IndexFunc(agents, func(a agentKit) bool { return a.name == agent })
	if i < 0 {
		return nil, refuse("git agent help setup", "no agent %q is known here", agent)
	}
	parts := agents[i].parts[scope]
	if len(parts) == 0 {
		other := Scopes(agent)[0]
		return nil, refuse(fmt.Sprintf("git agent setup %s --%s", agent, other), "%s has no place for %s settings", agent, scope)
	}
	var wanted []part
	for _, p := range parts {
		if p.what != "mcp" || mcp {
			wanted = append(wanted, p)
		}
	}
	return wanted, nil
}

func (s *Setup) kit(name string) ([]byte, error) { return fs.ReadFile(s.Kit, path.Clean(name)) }
