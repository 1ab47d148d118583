package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/git-agent/git-agent/internal/git"
	"github.com/git-agent/git-agent/pkg/run"
	"github.com/git-agent/git-agent/pkg/verify"
)

// verifyRange judges a run, the branch of one, or <from>..<to>.
func (a *app) verifyRange(arg string) (*verify.Report, error) {
	repo, err := a.repo()
	if err != nil {
		return nil, err
	}
	v, err := a.verifier(repo)
	if err != nil {
		return nil, err
	}
	req, err := a.rangeOf(repo, arg)
	if err != nil {
		return nil, err
	}
	report, err := v.Range(a.ctx, req)
	if errors.Is(err, verify.ErrNoBase) {
		return nil, a.noBase(repo, req.Run, err)
	}
	return report, err
}

// noBase: a cut history is never "nothing there"; else there is no run to judge
// until its plan is fetched.
func (a *app) noBase(repo *git.Repo, id string, why error) error {
	shallow, err := repo.IsShallow(a.ctx)
	switch {
	case err != nil:
		return errors.Join(why, err)
	case shallow:
		return fmt.Errorf("%w: %w", verify.ErrTruncated, why)
	}
	f := &run.Failure{Code: "NO_RUN", Exit: run.ExitFatal, Err: why}
	for _, remote := range repo.Remotes() {
		f.Hints = append(f.Hints, fmt.Sprintf("git fetch %s %s:%[2]s", remote, run.PlanRef(id)))
	}
	f.Hints = append(f.Hints, "git log --oneline   # where it began, then: git agent verify <that commit>..HEAD")
	return f
}

func (a *app) rangeOf(repo *git.Repo, arg string) (req verify.RangeRequest, err error) {
	from, to, isRange := strings.Cut(arg, "..")
	if strings.HasPrefix(to, ".") {
		return req, usageFor("verify", "%q: a range has two dots", arg)
	}
	if !isRange {
		from, to = "", arg
	}
	if isRange && from == "" {
		from = "HEAD"
	}
	if from != "" {
		if req.Base, err = a.commitOf(repo, from); err != nil {
			return req, err
		}
	}
	if req.Run, err = a.runOf(repo, to, isRange); err != nil {
		return req, err
	}
	if req.Run != "" {
		req.Ref = heads(repo) + req.Run
		if !isRange || a.grammar.Run == "" { // else it was said whose all of them are
			req.Elsewhere = elsewhere(repo, req.Run)
		}
	}
	if to == "" && !isRange {
		to = req.Ref
	}
	if to == "" {
		to = "HEAD"
	}
	req.Tip, err = a.commitOf(repo, to)
	return req, err
}

// elsewhere are the refs that say what other branches than a run's own have: on
// the remotes, as a push there asks, or here where there is none.
func elsewhere(repo *git.Repo, id string) []string {
	own := heads(repo) + id
	if len(repo.Remotes()) == 0 {
		return []string{"^" + own, "refs/heads/*"}
	}
	return []string{"^refs/remotes/*/" + run.ShortBranch(own), "^refs/agent-remote/*/branch/" + id, "refs/remotes/*", "refs/agent-remote/*"}
}

// runOf is the run that a range is about: --run, the branch that its end
// names, or where HEAD is. A range may be about none, a run's branch must not.
func (a *app) runOf(repo *git.Repo, to string, isRange bool) (string, error) {
	e := run.New(run.Deps{Git: repo, Config: repo, Env: a.Env})
	named := a.grammar.Run
	for _, prefix := range []string{heads(repo), run.ShortBranch(heads(repo))} {
		if id, ok := strings.CutPrefix(to, prefix); ok && named == "" {
			named = id
		}
	}
	if isRange && named == "" && a.env("GIT_AGENT_RUN") == "" {
		head, err := repo.Head(a.ctx)
		id, ok := strings.CutPrefix(head.Branch, heads(repo))
		if err != nil || !ok || to != "" && to != "HEAD" {
			return "", err
		}
		named = id
	}
	return e.WhichRun(a.ctx, named)
}

// commitOf takes the name of a run's branch for that branch: git would take a
// tag of the same name before it (gitrevisions(7)), which anybody may push.
func (a *app) commitOf(repo *git.Repo, rev string) (string, error) {
	if strings.HasPrefix(rev, run.ShortBranch(heads(repo))) {
		rev = "refs/heads/" + rev
	}
	id, err := repo.Resolve(a.ctx, rev)
	if errors.Is(err, git.ErrMissing) {
		return "", usageFor("verify", "%w", err)
	}
	return id, err
}
