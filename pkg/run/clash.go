package run

import (
	"context"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/lease"
	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/stash"
)

// clashes reports whether git cannot have both refs: one would be a folder of
// the other.
func clashes(a, b string) bool {
	return strings.HasPrefix(a, b+"/") || strings.HasPrefix(b, a+"/")
}

// shared are the run's names on a remote; the rest are here alone.
func (s *session) shared() []string { return []string{PlanRef(s.run), s.branch, lease.Ref(s.run)} }

// noClash refuses, before a run's refs are made, a ref that stands where they
// have to be. Where they are there already nothing can stand in their place.
func (s *session) noClash(ctx context.Context) error {
	if s.planTip != "" && s.tip != "" {
		return nil
	}
	ours := append(s.shared(), stash.Root+s.run+"/-/1")
	if s.remote.name != "" {
		ours = append(ours, trackPlan(s.remote.name, s.run), trackBranch(s.remote.name, s.run), trackLease(s.remote.name, s.run))
	}
	for _, r := range s.around(ctx) {
		if slices.ContainsFunc(ours, func(name string) bool { return clashes(r.Name, name) }) {
			return failf("REF_IN_THE_WAY", ExitPerson, "%s is there, so git can make no ref of run %s beside it; nothing was made", r.Name, s.run).
				hint("%s   # then run this again", renameRef(r))
		}
	}
	return nil
}

// around are the refs here among which the run's are. Where git cannot tell,
// making them will.
func (e *Engine) around(ctx context.Context) []object.Ref {
	top, _, _ := strings.Cut(e.branchPrefix(), "/")
	var names []string
	for _, folder := range []string{planPrefix, lease.Prefix, stash.Root, trackPrefix, headsPrefix + top} {
		names = append(names, strings.TrimSuffix(folder, "/"))
	}
	refs, err := e.Git.Refs(ctx, names...)
	if err != nil {
		return nil
	}
	return refs
}

// renameRef gives a ref another name. A branch that somebody is on goes along.
func renameRef(r object.Ref) string {
	if short, is := strings.CutPrefix(r.Name, headsPrefix); is {
		return "git branch -m " + quoteArg(short) + " " + quoteArg(elsewhereName(short))
	}
	return "git update-ref " + quoteArg("refs/kept/"+elsewhereName(r.Name)) + " " + r.ID + " && git update-ref -d " + quoteArg(r.Name) + " " + r.ID
}

func elsewhereName(name string) string { return strings.ReplaceAll(name, "/", "-") + "-kept" }

// clashPatterns are the patterns by which a remote shows what clashes with the
// run's names on it.
func clashPatterns(names []string) []string {
	var all []string
	for _, name := range names {
		all = append(all, name+"/*")
		parts := strings.Split(name, "/")
		for i := 2; i < len(parts); i++ { // below refs and its kind there can be no ref
			all = append(all, strings.Join(parts[:i], "/"))
		}
	}
	return sortedUnion(all)
}

// noClashThere is noClash for the remote: a push would be refused for ever.
func (s *session) noClashThere(noPush bool) error {
	if noPush || s.local.NoPush || len(s.remote.clash) == 0 {
		return nil
	}
	r := s.remote.clash[0]
	return failf("REF_IN_THE_WAY", ExitPerson, "%q has %s, beside which it can have no ref of run %s; nothing was made or pushed", s.remote.name, r.Name, s.run).
		hint("%s   # once whoever uses it agrees, then run this again", renameThere(s.remote.name, r))
}

// clashing are those of a remote's refs that clash with the run's names.
func (s *session) clashing(there map[string]string) []object.Ref {
	var found []object.Ref
	for name, id := range there {
		if slices.ContainsFunc(s.shared(), func(ours string) bool { return clashes(name, ours) }) {
			found = append(found, object.Ref{Name: name, ID: id})
		}
	}
	slices.SortFunc(found, func(a, b object.Ref) int { return strings.Compare(a.Name, b.Name) })
	return found
}

// renameThere fetches a remote's ref, pushes it under another name and deletes
// the first, if it is still what was seen. A server takes no push for refs/agent
// and its like ("funny refname"): only who keeps it can rename those.
func renameThere(remote string, r object.Ref) string {
	remote, name := quoteArg(remote), quoteArg(r.Name)
	if strings.Count(r.Name, "/") < 2 {
		return "git ls-remote " + remote + " " + name + "   # only on the server: " + renameRef(r)
	}
	to := "refs/kept/" + elsewhereName(r.Name)
	if short, is := strings.CutPrefix(r.Name, headsPrefix); is {
		to = headsPrefix + elsewhereName(short)
	}
	return "git fetch --refmap= " + remote + " " + name + " && git push " + remote + " " + r.ID + ":" + quoteArg(to) +
		" && git push --force-with-lease=" + name + ":" + r.ID + " " + remote + " " + quoteArg(":"+r.Name)
}

// seeRefs names refs that stand where the runs' are.
func (e *Engine) seeRefs(ctx context.Context) []Finding {
	folders := []string{planPrefix, lease.Prefix, stash.Root, headsPrefix + e.branchPrefix()}
	for _, remote := range e.Git.Remotes() {
		folders = append(folders, trackPlan(remote, ""), trackBranch(remote, ""), trackLease(remote, ""))
	}
	var bad []Finding
	for _, r := range e.around(ctx) {
		for _, folder := range folders {
			if clashes(r.Name, folder+"-") && !strings.HasPrefix(r.Name, folder) || deep(r.Name, folder) {
				bad = append(bad, wrong("refs", renameRef(r), "%s stands where refs of runs have to be", r.Name))
			}
		}
	}
	return bad
}

// deep: below a run's branch, plan or lease no ref can be.
func deep(name, folder string) bool {
	rest, below := strings.CutPrefix(name, folder)
	return below && strings.Contains(rest, "/") && folder != stash.Root
}
