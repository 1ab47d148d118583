package landing

import (
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
)

// Token is the answer of a preflight (frozen words).
type Token string

// The verdicts, and what whoever asked has to do.
const (
	Dispatch      Token = "dispatch"            // the work is still to be done
	AlreadyLanded Token = "already-landed"      // skip
	Closed        Token = "closed"              // skip
	AlreadyOpen   Token = "already-open"        // skip
	MarkerStale   Token = "landed-marker-stale" // park for a person, never rebuild
	Unknown       Token = "unknown"             // stop: it cannot be told
)

// Skips reports whether the work is not to be done and nothing is wrong.
func (t Token) Skips() bool { return t == AlreadyLanded || t == Closed || t == AlreadyOpen }

// The ways in which a verdict came about (frozen words, like the tokens).
const (
	ByMarker      = "marker"        // a marker, and its commit is in the target
	ByAncestry    = "ancestry"      // no marker, but the certificate is in the target
	ByTrailers    = "trailers"      // the target's messages name run and step
	ByTree        = "tree"          // a commit of the target has the very tree
	ByPatch       = "patch-id"      // a commit of the target makes the very change
	ByIssue       = "issue"         // the item is closed on the forge
	ByPull        = "pull-request"  // one is open
	ByRun         = "run"           // an older live run has the item
	NotAncestor   = "not-ancestor"  // the marker's commit is not in the target
	Reverted      = "reverted"      // it is, and so is a commit that takes it back
	NewerRecords  = "newer-records" // steps that landed were certified again since
	Unexplained   = "unexplained-commits"
	Truncated     = "truncated"         // the history here is cut, or longer than the scan
	NoAncestry    = "no-ancestry"       // git could not answer
	MarkerUnread  = "marker-unreadable" // what stands for a marker is none
	BranchGone    = "branch-gone"       // a plan without its branch and without a marker
	NoTarget      = "no-target"         // the branch to land on is not there
	NoRemote      = "no-answer"         // the remote did not answer
	NothingOfThat = ""
)

// Doubt is a question that could not be answered.
type Doubt struct {
	How    string // one of the words above
	Text   string // for a person
	Commit string // of the target, that may be it; "" for none
}

// MarkerFact is a landing marker that is about what was asked.
type MarkerFact struct {
	Marker
	Commit string // on the plan ref
	Step   string // the last step that landed, "" for all
	// Ancestor: the marker's commit is in the target's history.
	Ancestor bool
	// RevertedBy is a commit of the target that takes it back, "" for none.
	RevertedBy string
	// Newer are certificates of steps that landed, made after the landing.
	Newer []string
	// Unexplained are other commits above a landing of the whole run.
	Unexplained []string
}

// Found is a landing without a marker: what was asked about is in the target.
type Found struct {
	How        string
	Commits    []string // of the target, oldest first
	RevertedBy string
	// Newer are certificates made after what landed.
	Newer []string
}

// Rival is what has the item as well: an older live run, or an open pull
// request, of a run or of a person.
type Rival struct {
	Run, Ref string // "" where it is a person's
	PR       int    // its open pull request, 0 for none
}

// Facts are what a verdict rests on, about one step, one item or a whole run.
type Facts struct {
	Doubts []Doubt
	Marker *MarkerFact
	Found  *Found
	Closed string // the item that is closed on the forge, "" for none
	PR     int    // an open pull request of the run's own, 0 for none
	Rival  *Rival
}

// Verdict is the answer: a frozen token, how it came about, and a line for a
// person.
type Verdict struct {
	Token Token
	How   string
	Text  string
}

// Decide is the table of the design, section 10, first row that fits: unknown,
// stale, already landed, closed, already open, dispatch. It has no other input
// than the facts.
func Decide(f Facts) Verdict {
	if len(f.Doubts) > 0 {
		return Verdict{Unknown, f.Doubts[0].How, doubts(f.Doubts)}
	}
	if v, stale := decideStale(f); stale {
		return v
	}
	switch {
	case f.Marker != nil:
		return Verdict{AlreadyLanded, ByMarker, "landed as " + object.Short(f.Marker.SHA) + " on " + f.Marker.Branch}
	case f.Found != nil:
		return Verdict{AlreadyLanded, f.Found.How, "in the target as " + list(f.Found.Commits)}
	case f.Closed != "":
		return Verdict{Closed, ByIssue, "item " + f.Closed + " is closed"}
	case f.PR > 0:
		return Verdict{AlreadyOpen, ByPull, "pull request #" + itoa(f.PR) + " is open"}
	case f.Rival != nil:
		return Verdict{AlreadyOpen, rivalHow(f.Rival), rivalText(f.Rival)}
	}
	return Verdict{Dispatch, NothingOfThat, "still to be done"}
}

func decideStale(f Facts) (Verdict, bool) {
	stale := func(how, text string) (Verdict, bool) { return Verdict{MarkerStale, how, text}, true }
	switch m := f.Marker; {
	case m == nil && f.Found != nil && f.Found.RevertedBy != "":
		return stale(Reverted, "it was in the target as "+list(f.Found.Commits)+", and "+object.Short(f.Found.RevertedBy)+" took it back")
	case m == nil && f.Found != nil && len(f.Found.Newer) > 0:
		return stale(NewerRecords, "certified again since it landed as "+list(f.Found.Commits)+": "+list(f.Found.Newer))
	case m == nil:
	case !m.Ancestor:
		return stale(NotAncestor, "the marker says "+object.Short(m.SHA)+", which "+m.Branch+" does not contain"+elsewhere(f.Found))
	case m.RevertedBy != "":
		return stale(Reverted, "it landed as "+object.Short(m.SHA)+", and "+object.Short(m.RevertedBy)+" took it back")
	case len(m.Newer) > 0:
		return stale(NewerRecords, "certified again since it landed: "+list(m.Newer))
	case len(m.Unexplained) > 0:
		return stale(Unexplained, "the run's branch went on after it landed: "+list(m.Unexplained))
	}
	return Verdict{}, false
}

func elsewhere(f *Found) string {
	if f == nil {
		return ""
	}
	return "; the change is there as " + list(f.Commits)
}

func rivalHow(r *Rival) string {
	if r.PR > 0 {
		return ByPull
	}
	return ByRun
}

func rivalText(r *Rival) string {
	if r.Run == "" {
		return "pull request #" + itoa(r.PR) + " is open for it"
	}
	if r.PR > 0 {
		return "run " + r.Run + " has pull request #" + itoa(r.PR) + " open for it"
	}
	return "run " + r.Run + " is at work on it, at " + r.Ref
}

func doubts(all []Doubt) string {
	var texts []string
	for _, d := range all {
		texts = append(texts, d.Text)
	}
	return strings.Join(texts, "; ")
}

// list names a few commits and counts the rest.
func list(ids []string) string {
	const most = 5
	var names []string
	for _, id := range ids[:min(len(ids), most)] {
		names = append(names, object.Short(id))
	}
	text := strings.Join(names, ", ")
	if more := len(ids) - most; more > 0 {
		text += " and " + itoa(more) + " more"
	}
	return text
}
