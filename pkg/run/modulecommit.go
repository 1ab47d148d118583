package run

import (
	"context"
	"path"
	"path/filepath"
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
)

// heldSomewhere refuses a certificate that names a commit of another repository
// which, as far as is known here, nobody else has: no clone could check it
// again, and what the checks saw would be gone with this folder. It is asked
// once the checks have passed; work that fails is taken back without it.
func (s *session) heldSomewhere(ctx context.Context, w *work, c *candidate) error {
	var modules map[string]string
	for _, ch := range c.changed {
		if ch.NewMode != object.ModeGitlink {
			continue
		}
		if modules == nil {
			var err error
			if modules, err = s.Git.Modules(ctx, c.tree); err != nil {
				return err
			}
		}
		url, named := modules[ch.Path]
		m, err := s.Git.ModuleCommit(ctx, ch.Path, ch.NewID)
		switch {
		case err != nil:
			return err
		case !named:
			return s.embedded(w, ch.Path, m)
		case !m.Here:
			return failf("REFUSED", ExitPerson, "step %s: commit %s of submodule %s is not in this clone, so whether anybody has it cannot be told; nothing was certified",
				w.step.ID, short(ch.NewID), quoteArg(ch.Path)).hint("git -C %s submodule update --init -- %s", quoteArg(s.Place.Top), quoteArg(ch.Path)).hint("git agent %s", w.verb)
		case !m.Published:
			return s.unpublished(ctx, w, ch, url, m)
		}
	}
	return nil
}

// unpublished: the submodule's own commit has to be pushed first.
func (s *session) unpublished(ctx context.Context, w *work, ch object.Change, url string, m object.ModuleCommit) error {
	in := "git -C " + quoteArg(s.at(ch.Path))
	where := "on none of its remote-tracking branches"
	if m.Remote == "" {
		where = "in this clone only: it has no remote"
	}
	f := failf("REFUSED", ExitPerson, "step %s: commit %s of submodule %s is %s; no other clone could check it out, and nothing was certified",
		w.step.ID, short(ch.NewID), quoteArg(ch.Path), where)
	if m.Remote == "" {
		m.Remote, m.Tracked = "origin", true
		f = f.hint("%s remote add origin %s", in, quoteArg(s.moduleURL(ctx, url)))
	}
	branch := strings.TrimPrefix(s.branch, "refs/heads/")
	push := in + " push " + quoteArg(m.Remote) + " " + ch.NewID + ":refs/heads/" + quoteArg(branch)
	if !m.Tracked {
		push += " && " + in + " fetch " + quoteArg(m.Remote) + " refs/heads/" + quoteArg(branch) + ":refs/remotes/" + quoteArg(m.Remote+"/"+branch)
	}
	return f.hint("%s   # or to another branch of it", push).hint("git agent %s   # then", w.verb)
}

// moduleURL is a submodule's URL in full: a relative one counts from that of
// the remote here, or from this working tree (gitmodules(5)).
func (s *session) moduleURL(ctx context.Context, url string) string {
	if !strings.HasPrefix(url, "./") && !strings.HasPrefix(url, "../") {
		return url
	}
	from := s.Place.Top
	if there, err := s.Git.RemoteURL(ctx, s.remote.name); err == nil && s.remote.name != "" {
		from = strings.TrimRight(there, "/")
	}
	for {
		if rest, up := strings.CutPrefix(url, "../"); up {
			url, from = rest, from[:max(strings.LastIndexAny(from, "/:"), 0)]
		} else if url, up = strings.CutPrefix(url, "./"); !up {
			return from + "/" + url
		}
	}
}

// embedded: git add made an entry of a repository that lies there, and no clone
// will know where its content is.
func (s *session) embedded(w *work, at string, m object.ModuleCommit) error {
	top, word := quoteArg(s.Place.Top), quoteArg(at)
	f := failf("REFUSED", ExitPerson, "step %s: %s is a repository of its own that no .gitmodules names: a certificate would hold the id of its commit and nothing of its content; nothing was certified",
		w.step.ID, word)
	if !m.Here {
		return f.hint("git -C %s rm -q --cached -- %s", top, word).hint("git agent %s   # then", w.verb)
	}
	aside := filepath.Join(filepath.Dir(s.Place.Top), s.run+"-"+path.Base(at)+".git")
	f = f.hint("mv -- %s %s && git -C %s rm -q --cached -- %s   # its files become this repository's",
		quoteArg(filepath.Join(s.at(at), ".git")), quoteArg(aside), top, word)
	if m.Remote != "" {
		f = f.hint(`git -C %s submodule add --force -- "$(git -C %s remote get-url %s)" %s   # or it becomes a submodule; touches has to name .gitmodules`,
			top, quoteArg(s.at(at)), quoteArg(m.Remote), word)
	}
	return f.hint("git agent %s   # then", w.verb)
}
