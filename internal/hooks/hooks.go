// Package hooks installs git agent's own hooks, takes them out again, and says
// what is where.
//
// It knows every text it ever shipped and replaces only those. A hook of
// somebody else is called after ours (kept beside, or with our lines between
// two markers) or, where that is not possible, left alone and shown; nothing is
// overwritten, and taking ours out gives back the same bytes. Git is reached
// through [Git]; no process is started here.
package hooks

import (
	"context"
	"fmt"
	"slices"
)

// Git is what installing asks of git.
type Git interface {
	// HooksDir is where git looks for hooks, "" where they are switched off.
	HooksDir(ctx context.Context) (string, error)
	Version(ctx context.Context) (string, error)
	Config(key string) (value string, ok bool)
	SetConfig(ctx context.Context, key, value string) error
	UnsetSection(ctx context.Context, section string) error
}

// Events are the hooks there are, those of a client first.
var Events = []string{"pre-push", "commit-msg", "pre-receive", "update"}

// State is how things stand with one hook.
type State string

// The states; frozen.
const (
	Absent    State = "absent"    // no hook is there
	Installed State = "installed" // ours, as this version ships it
	Outdated  State = "outdated"  // ours, as an earlier version shipped it
	Changed   State = "changed"   // ours once, edited since
	Foreign   State = "foreign"   // somebody else's
	Off       State = "off"       // core.hooksPath switches hooks off
)

// How a hook is, or would be, installed; frozen.
const (
	ByFile     = "file"     // a script of ours, which calls the one that was there
	ByBlock    = "block"    // our lines between markers in somebody's script
	ByLegacy   = "legacy"   // beside pre-commit's script, which calls it
	ByLefthook = "lefthook" // an entry of lefthook's local configuration
	ByConfig   = "config"   // hook.git-agent.* in the repository's configuration
)

// Hook is one hook as it is, and what was just done about it.
type Hook struct {
	Event   string `json:"event"`
	State   State  `json:"state"`
	How     string `json:"how"`
	Path    string `json:"path"`           // the file, or the section of the configuration
	Chained string `json:"chained"`        // the hook that ours calls, "" for none
	Did     string `json:"did,omitempty"`  // installed, upgraded, removed, kept, nothing
	Note    string `json:"note,omitempty"` // what a person should know about the place
}

// Refusal is a place that is left as it is.
type Refusal struct {
	Path  string
	Why   string
	Shown string // the text in question, or the lines to add
	Hints []string
}

func (r *Refusal) Error() string { return fmt.Sprintf("%s: %s; nothing was changed", r.Path, r.Why) }

// Installer works on one repository.
type Installer struct {
	Git Git
	// Top is the top of the working tree, "" where bare; GitDir the common
	// git folder.
	Top, GitDir string
	// Configured: git takes hooks from its configuration (2.54 and newer).
	Configured bool

	shipped string // tests: another list of what was ever shipped
}

// method is one way in which a hook can be there.
type method interface {
	look() (Hook, error)
	install(context.Context) error
	uninstall(context.Context) error
}

// Status says for each event what is where.
func (i *Installer) Status(ctx context.Context) ([]Hook, error) {
	var all []Hook
	for _, event := range Events {
		_, h, err := i.find(ctx, event)
		if err != nil {
			return nil, err
		}
		all = append(all, h)
	}
	return all, nil
}

// Install puts hooks in place, or brings them up to date. What was done before
// an error is in the answer.
func (i *Installer) Install(ctx context.Context, events []string) ([]Hook, error) {
	return i.each(ctx, events, func(m method, h Hook) (string, error) {
		switch h.State {
		case Installed:
			return "kept", nil
		case Outdated:
			return "upgraded", m.install(ctx)
		}
		return "installed", m.install(ctx)
	})
}

// Uninstall takes hooks of ours out; everybody else's are as they were before.
func (i *Installer) Uninstall(ctx context.Context, events []string) ([]Hook, error) {
	return i.each(ctx, events, func(m method, h Hook) (string, error) {
		switch h.State {
		case Foreign, Off:
			return "nothing", nil
		case Absent:
			if h.Chained == "" {
				return "nothing", nil
			} // an install was killed: what it set aside goes back
		}
		return "removed", m.uninstall(ctx)
	})
}

func (i *Installer) each(ctx context.Context, events []string, do func(method, Hook) (string, error)) ([]Hook, error) {
	var all []Hook
	for _, event := range events {
		if !slices.Contains(Events, event) {
			return all, fmt.Errorf("there is no hook %q: %q", event, Events)
		}
		m, before, err := i.find(ctx, event)
		if err != nil {
			return all, err
		}
		did, err := do(m, before)
		if err != nil {
			return all, err
		}
		after, err := m.look()
		if err != nil {
			return all, err
		}
		after.Did, after.Note = did, before.Note
		all = append(all, after)
	}
	return all, nil
}
