package run

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/trailers"
)

// StartRequest begins a run.
type StartRequest struct {
	File   string // the plan's name, for errors
	Text   []byte
	Run    string // "": made from the title
	Base   string // overrides the plan's
	NoPush bool
	Beside string // the folder of the clone that it is made in, where it was made for it
	From   Origin // what that clone is of; nil: unknown, or there is no clone
}

// Start pins the plan and the base, makes plan ref and branch, puts HEAD on
// the branch and pushes both. Killed anywhere, it can be run again.
func (e *Engine) Start(ctx context.Context, req StartRequest) (*Report, error) {
	p, run, err := req.parse()
	if err != nil {
		return nil, err
	}
	if err := e.readyToCommit(ctx); err != nil {
		return nil, err
	}
	unlock, err := e.lock(ctx, run, "start")
	if err != nil {
		return nil, err
	}
	defer unlock()
	return e.start(ctx, req, run, p)
}

// ID is the id of the run that the request begins.
func (req StartRequest) ID() (string, error) {
	_, run, err := req.parse()
	return run, err
}

func (req StartRequest) parse() (p *plan.Plan, run string, err error) {
	if p, err = plan.ParseNew(req.File, req.Text); err != nil {
		return nil, "", fail("PLAN_INVALID", ExitUsage, err, "git agent plan schema")
	}
	if run = req.Run; run == "" {
		run = slug(p.Title)
	}
	if err := trailers.ValidID(run); err != nil {
		return nil, "", fail("USAGE", ExitUsage, fmt.Errorf("run %q: %w", run, err), req.Again("r-1"))
	}
	return p, run, nil
}

// readyToCommit refuses what would fail only after the work is done.
func (e *Engine) readyToCommit(ctx context.Context) error {
	if err := e.needWorkTree(); err != nil {
		return err
	}
	if err := e.Git.KnowsCommitter(ctx); err != nil {
		return e.noIdentity(err)
	}
	if _, err := pickRemote(e.Git, e.Config, e.Remote); err != nil {
		return err
	}
	if what, end := e.Git.Operation(); what != "" {
		return failf("OPERATION", ExitPerson, "%s is under way in this working tree; nothing was touched", what).
			hint("git status").hint("%s   # or finish it", end)
	}
	return nil
}

// noIdentity names author.name and the like too, where they are set: git prefers them.
func (e *Engine) noIdentity(cause error) error {
	f := failf("NO_IDENTITY", ExitFatal, "git does not know who commits: %w", cause)
	for _, who := range []string{"user", "author", "committer"} {
		for part, example := range map[string]string{"name": `"Your Name"`, "email": "you@example.org"} {
			if value, set := e.Config.Config(who + "." + part); !namesSomebody(value) && (set || who == "user") {
				f = f.hint("git config %s.%s %s", who, part, example)
			}
		}
	}
	if len(f.Hints) == 0 {
		return f.hint("git var GIT_AUTHOR_IDENT; git var GIT_COMMITTER_IDENT; env | grep ^GIT_   # a variable says otherwise")
	}
	slices.Sort(f.Hints)
	return f
}

// namesSomebody: git strips marks and blanks from a name (ident.c).
func namesSomebody(value string) bool {
	return strings.ContainsFunc(value, func(c rune) bool { return c > ' ' && !strings.ContainsRune(`.,:;<>"\'`, c) })
}

func (e *Engine) start(ctx context.Context, req StartRequest, run string, p *plan.Plan) (*Report, error) {
	s, err := e.lookAround(ctx, run, false)
	if err != nil {
		return nil, err
	}
	if err := s.noClashThere(req.NoPush); err != nil {
		return nil, err
	}
	if err := s.adoptSame(ctx, req); err != nil {
		return nil, err
	}
	if err := s.sameBase(ctx, req); err != nil {
		return nil, err
	}
	if err := s.noOwnTarget(p.Target); err != nil {
		return nil, err
	}
	if s.planTip == "" {
		if r, err := s.takenItems(ctx, p); err != nil || r != nil {
			return r, err
		}
		if err := s.create(ctx, req, p); err != nil {
			return nil, err
		}
	}
	return s.startBranch(ctx, req)
}

// adoptSame goes on with a run of this id that exists, here or on the remote,
// if it is the same plan; another plan under the id is refused.
func (s *session) adoptSame(ctx context.Context, req StartRequest) error {
	if err := s.followPlan(ctx); err != nil {
		return err
	}
	if s.planTip == "" {
		return nil
	}
	if err := s.readPlan(ctx); err != nil {
		return err
	}
	name := s.chain.Versions[0].Commit + ":" + planFile
	texts, err := s.Git.Blobs(ctx, []string{name})
	if err != nil {
		return err
	}
	if !bytes.Equal(texts[name], req.Text) {
		file := quoteArg(first(req.File, "-"))
		return failf("RUN_EXISTS", ExitPerson, "run %q exists with another plan; nothing was changed", s.run).
			hint("git agent plan diff %s %d %s", s.run, s.version, file).
			hint("git agent plan amend %s %s   # the same run goes on with it", s.run, file).
			hint("%s   # another run", req.another(s.run))
	}
	return nil
}

// create makes plan version 1. Trust comes first: a kill leaves trust in a
// plan that nobody has, never a plan of one's own that asks for trust.
func (s *session) create(ctx context.Context, req StartRequest, p *plan.Plan) error {
	base, err := s.resolveBase(ctx, req, p.Base)
	if err != nil {
		return err
	}
	if err := s.needNoBranch(ctx, req, base); err != nil {
		return err
	}
	if err := s.needClean(ctx, req); err != nil {
		return err
	}
	if err := s.asNew(ctx, req); err != nil {
		return err
	}
	if err := s.mayLeaveRun(ctx); err != nil {
		return err
	}
	if err := s.mayLeave(ctx, base); err != nil {
		return err
	}
	if err := s.mayEnter(ctx, base); err != nil {
		return err
	}
	tmp, err := s.tmp()
	if err != nil {
		return err
	}
	tree, err := s.planTree(ctx, tmp, req.Text)
	if err != nil {
		return err
	}
	message, err := plan.VersionMessage(s.run, 1, base, p.Title)
	if err != nil {
		return fail("PLAN_INVALID", ExitUsage, err)
	}
	first := newCommit(tree, "", message)
	first.Sign = s.Git.SignsCommits()
	commit, err := s.writeCommit(ctx, first)
	if err != nil {
		return err
	}
	s.plan, s.version, s.base = p, 1, base
	if err := s.grant(s.Place.CommonDir); err != nil {
		return err
	}
	if err := s.keepHere(req.NoPush); err != nil {
		return err
	}
	s.Fault("start-plan")
	return s.Git.UpdateRefs(ctx, s.why("start", ""), object.RefUpdate{Name: PlanRef(s.run), New: commit})
}

// needClean refuses tracked changes: they would be taken for a step's work.
func (s *session) needClean(ctx context.Context, req StartRequest) error {
	status, err := s.status(ctx)
	if err != nil {
		return err
	}
	if err := unmerged(status); err != nil {
		return err
	}
	var dirty []string
	for _, f := range status {
		if f.Tracked() {
			dirty = append(dirty, f.Path)
		}
	}
	if len(dirty) == 0 {
		return nil
	}
	req.Beside = filepath.Join(filepath.Dir(s.Place.Top), s.run)
	f := failf("DIRTY_TREE", ExitPerson, "the working tree has uncommitted changes (%s); nothing was touched", listPaths(dirty)).
		hint("%s", req.Again(s.run))
	return s.putAway(f, status, dirty)
}

func slug(title string) string {
	var b strings.Builder
	for _, c := range strings.ToLower(title) {
		switch {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			b.WriteRune(c)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	return strings.Trim(b.String()[:min(b.Len(), 40)], "-")
}

// listPaths names a few paths and counts the rest.
func listPaths(paths []string) string {
	const most = 5
	quoted := make([]string, 0, most)
	for _, p := range paths[:min(len(paths), most)] {
		quoted = append(quoted, quoteArg(p))
	}
	if more := len(paths) - most; more > 0 {
		quoted = append(quoted, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(quoted, ", ")
}
