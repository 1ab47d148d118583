package run

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/plan"
)

// settleStrays applies the policy to what lies outside the step's touches. It
// returns the paths that go into the certificate all the same.
func (s *session) settleStrays(ctx context.Context, w *work, v *survey) (included []string, err error) {
	if len(v.all()) == 0 {
		return nil, nil
	}
	switch w.policy {
	case plan.StrayInclude:
		return v.all(), nil
	case plan.StraySetAside:
		if err := s.modulesBeside(w, v); err != nil {
			return nil, err
		}
		return nil, s.setAside(ctx, w, v)
	}
	if err := s.modulesBeside(w, v); err != nil {
		return nil, err
	}
	by := ""
	if s.bySetup(v.all()) {
		by = " (by the plan's setup)"
	}
	return nil, failf("STRAYS", ExitPerson, "step %s: %s outside its touches%s: %s; nothing was moved",
		w.step.ID, counted(len(v.all()), "changed path"), by, listPaths(v.all())).
		hint("git agent %s --stray set-aside", w.verb).hint("git agent %s --stray include", w.verb).
		hint("%s", s.editPlan("name them in touches"))
}

// editPlan is how a person changes the plan. The file lies beside the working
// tree: in it, it would be a stray itself.
func (s *session) editPlan(how string) string {
	file := quoteArg(filepath.Join(filepath.Dir(s.Place.Top), s.run+"-plan.yaml"))
	return fmt.Sprintf("git agent plan show %s > %s   # %s, then: git agent plan amend %s %s", s.run, file, how, s.run, file)
}

// setAside preserves the strays and moves them back to the boundary.
func (s *session) setAside(ctx context.Context, w *work, v *survey) error {
	if err := s.spareHidden(v, v.all(), w.verb); err != nil {
		return err
	}
	if err := s.roller.Refuse(ctx, w.boundary, v.all()); err != nil {
		return asRefusal(err)
	}
	ref, err := s.preserve(ctx, "strays", v.all(), fmt.Sprintf("%s strays of step %s, %s\n", s.run, w.step.ID, s.stamp()))
	if err != nil {
		return err
	}
	s.Fault("strays-preserved")
	if err := s.moveKept(ctx, ref, w.boundary, v.all()); err != nil {
		return err
	}
	s.Notify("%s: set aside %s at %s", w.step.ID, counted(len(v.all()), "stray path"), ref)
	return nil
}

// refuseIgnored stops where the plan names a file that git ignores: it could
// never be in a certificate.
func (s *session) refuseIgnored(ctx context.Context, w *work) error {
	status, err := s.status(ctx)
	if err != nil {
		return err
	}
	shown := map[string]bool{}
	for _, f := range status {
		shown[f.Path] = f.Staged != 'D' // what left the index may lie there ignored
	}
	var exact []string
	for _, t := range w.step.Touches {
		if w.touches.Exact(t) && !shown[t] { // git shows nothing that it ignores
			exact = append(exact, t)
		}
	}
	ignored, err := s.Git.Ignored(ctx, exact)
	if err == nil && len(ignored) > 0 {
		ignored, err = s.neverTracked(ctx, w.boundary, ignored)
	}
	if err != nil || len(ignored) == 0 {
		return err
	}
	return failf("IGNORED", ExitPerson, "step %s touches %s, which git ignores: it can be in no certificate; nothing was moved", w.step.ID, listPaths(ignored)).
		hint("git -C %s check-ignore -v -- %s", quoteArg(s.Place.Top), quoteArgs(ignored)).
		hint("%s", s.editPlan("name another path"))
}

// neverTracked are those of the ignored paths that neither the boundary nor the
// run's base holds; of the others a certificate can say, or says, that they left
// (git rm --cached).
func (s *session) neverTracked(ctx context.Context, boundary string, ignored []string) ([]string, error) {
	for _, commit := range []string{boundary, s.base} {
		entries, err := s.Git.EntriesAt(ctx, commit, ignored)
		if err != nil {
			return nil, err
		}
		ignored = nil
		for _, e := range entries {
			if e.Mode == object.ModeNone {
				ignored = append(ignored, e.Path)
			}
		}
	}
	return ignored, nil
}

// leftIndex are the paths that left the index while their files stay, ignored:
// they are in no tree any more, as `git commit -a` has it. git shows such a file
// only as deleted.
func (s *session) leftIndex(ctx context.Context, v *survey) (left []string, err error) {
	var there []string
	for _, f := range v.status {
		if f.Staged != 'D' {
			continue
		}
		if _, err := os.Lstat(s.at(f.Path)); err == nil {
			there = append(there, f.Path)
		}
	}
	if len(there) == 0 {
		return nil, nil
	}
	return s.Git.Ignored(ctx, there)
}

// standsFor reports whether a link lies where the step touches something
// below: its checks would look through it at what no certificate can hold.
func (s *session) standsFor(w *work, link string) bool {
	below := slices.ContainsFunc(w.step.Touches, func(t string) bool { return strings.HasPrefix(t, link+"/") })
	info, err := os.Lstat(filepath.Join(s.Place.Top, filepath.FromSlash(link)))
	return below && err == nil && info.Mode()&fs.ModeSymlink != 0
}
