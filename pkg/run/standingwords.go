package run

import "fmt"

// Words are for people: what is so, and never "not pushed" of what is there.
func (s Sync) Words() string {
	there := fmt.Sprintf("%q", s.Remote)
	behind := fmt.Sprintf("%s behind %s", counted(s.Behind, "commit"), there)
	text := ""
	switch s.State {
	case SyncNone:
		return "not pushed: there is no remote"
	case SyncUnknown:
		return "whether it is pushed is not known here" + s.told()
	case SyncBehind:
		text = "pushed, " + behind
	case SyncAhead:
		text = s.lacks()
	case SyncDiverged:
		text = s.lacks() + ", " + behind
	default:
		text = "pushed"
	}
	return text + s.planWords(there) + s.told()
}

func (s Sync) lacks() string {
	if s.Ahead == 0 {
		return "not pushed"
	}
	return "not pushed: " + counted(s.Ahead, "commit")
}

// planWords adds what the branch alone does not say.
func (s Sync) planWords(there string) string {
	switch s.Plan {
	case SyncBehind:
		return ", a newer plan on " + there
	case SyncAhead, SyncDiverged:
		if s.branchThere() {
			return ", its plan not"
		}
	case SyncUnknown:
		if s.branchThere() {
			return ", whether its plan is, is not known here"
		}
	}
	return ""
}

func (s Sync) told() string {
	switch {
	case !s.NoPush:
		return ""
	case s.Pushed():
		return ", and nothing more is (--no-push)"
	}
	return " (--no-push)"
}
