package verify_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/internal/git"
	"github.com/git-agent/git-agent/internal/git/gittest"
	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/verify"
)

var _ verify.Git = (*git.Repo)(nil)

// counting counts the calls; each is one child of git.
type counting struct {
	*git.Repo
	calls []string
}

func (c *counting) Refs(ctx context.Context, under ...string) ([]object.Ref, error) {
	c.calls = append(c.calls, "refs")
	return c.Repo.Refs(ctx, under...)
}

func (c *counting) Peel(ctx context.Context, ids []string) (map[string]string, error) {
	if len(ids) > 0 {
		c.calls = append(c.calls, "peel")
	}
	return c.Repo.Peel(ctx, ids)
}

func (c *counting) Unpublished(ctx context.Context, tips, known, patterns []string, each func(object.Commit)) error {
	c.calls = append(c.calls, "log")
	return c.Repo.Unpublished(ctx, tips, known, patterns, each)
}

func (c *counting) CommonAncestor(ctx context.Context, ids []string) (string, error) {
	c.calls = append(c.calls, "merge-base")
	return c.Repo.CommonAncestor(ctx, ids)
}

const block = "\n\nAgent-Run: %s\nAgent-Step: s01\nAgent-Check: true exit=0 secs=0.1\nAgent-Plan-Version: 1\n"

// runs makes n run branches above main, each with a plan and a certificate; of
// bad ones the certificate names another run.
func runs(t *testing.T, r *gittest.Repo, n int, bad ...int) (updates []verify.Update) {
	t.Helper()
	return namedRuns(t, r, "r-", n, bad...)
}

func namedRuns(t *testing.T, r *gittest.Repo, name string, n int, bad ...int) (updates []verify.Update) {
	t.Helper()
	tree, main := r.Git("rev-parse", "HEAD^{tree}"), r.Git("rev-parse", "HEAD")
	var in strings.Builder
	fmt.Fprintf(&in, "feature done\n")
	write := func(ref, message string, parent string) {
		fmt.Fprintf(&in, "commit %s\ncommitter A <a@b> 1900000000 +0000\ndata %d\n%s\n", ref, len(message), message)
		if parent != "" {
			fmt.Fprintf(&in, "from %s\n", parent)
		}
		fmt.Fprintf(&in, "M 040000 %s \"\"\n", tree)
	}
	for i := range n {
		run := fmt.Sprintf("%s%d", name, i)
		of := run
		if slices.Contains(bad, i) {
			of = "other"
		}
		write("refs/agent/"+run, fmt.Sprintf("plan\n\nAgent-Run: %s\nAgent-Plan-Version: 1\nAgent-Base: %s\n", run, main), "")
		write("refs/heads/agent-run/"+run, "s01: x"+fmt.Sprintf(block, of), main)
	}
	in.WriteString("done\n")
	r.GitIn(in.String(), "-c", "core.fsync=none", "fast-import", "--quiet")
	for line := range strings.Lines(r.Git("for-each-ref", "--format=%(objectname) %(refname)", "refs/heads/agent-run")) {
		id, ref, _ := strings.Cut(strings.TrimSpace(line), " ")
		updates = append(updates, verify.Update{Label: ref, Ref: ref, New: id})
	}
	return updates
}

func verifier(r *gittest.Repo) (*verify.Verifier, *counting) {
	c := &counting{Repo: r.Open()}
	return &verify.Verifier{Git: c, Heads: "refs/heads/agent-run/", Policy: verify.Format}, c
}

// 1,500 refs in one push take no more children of git than one does.
func TestVerifier_Push_manyRefs(t *testing.T) {
	r := gittest.NewWithFiles(t, map[string]string{"a": "1"})
	updates := runs(t, r, 1500, 7)
	v, c := verifier(r)
	report, err := v.Push(context.Background(), updates, verify.Side{Known: []string{"refs/remotes/*"}})
	if err != nil || len(report.Branches) != 1500 {
		t.Fatalf("%d branches, %v", len(report.Branches), err)
	}
	if len(report.Faults) != 1 || report.Faults[0].Ref != "refs/heads/agent-run/r-7" || report.OK {
		t.Errorf("%+v", report.Faults)
	}
	if len(c.calls) > 6 {
		t.Errorf("children: %q", c.calls)
	}
}

// Runs that began at different commits are read together, and each ends at its
// own base.
func TestVerifier_Push_severalBases(t *testing.T) {
	r := gittest.NewWithFiles(t, map[string]string{"a": "1"})
	namedRuns(t, r, "early-", 2)
	r.Git("commit", "-q", "--allow-empty", "-m", "main went on"+fmt.Sprintf(block, "landed"))
	updates := namedRuns(t, r, "late-", 2)
	v, c := verifier(r)
	report, err := v.Push(context.Background(), updates, verify.Side{Known: []string{"refs/remotes/*"}})
	if err != nil || !report.OK || len(report.Branches) != 4 || !slices.Contains(c.calls, "merge-base") {
		t.Fatalf("%+v, %v %q", report, err, c.calls)
	}
	for _, b := range report.Branches {
		if b.Commits != 1 {
			t.Errorf("%s: %d commits, want 1", b.Ref, b.Commits)
		}
	}
}

func TestVerifier_Push_othersPass(t *testing.T) {
	r := gittest.NewWithFiles(t, map[string]string{"a": "1"})
	v, c := verifier(r)
	head := r.Git("rev-parse", "HEAD")
	report, err := v.Push(context.Background(), []verify.Update{{Ref: "refs/heads/main", New: head}, {Ref: "refs/heads/agent-run/r-1", Old: head},
		{Ref: "refs/heads/agent-run/Not a run", New: head}, {Ref: "refs/tags/agent-run/r-1", New: head}}, verify.Side{})
	if err != nil || !report.OK || len(c.calls) > 0 || len(report.Notes) != 1 {
		t.Errorf("%+v, %v, %q", report, err, c.calls)
	}
}

func TestVerifier_Push_everyMissingObjectIsTold(t *testing.T) {
	r := gittest.NewWithFiles(t, map[string]string{"a": "1"})
	v, _ := verifier(r)
	_, err := v.Push(context.Background(), []verify.Update{{Ref: "refs/heads/agent-run/r-1", New: strings.Repeat("a", 40)},
		{Ref: "refs/heads/agent-run/r-2", New: r.Git("rev-parse", "HEAD^{tree}")}}, verify.Side{})
	if err == nil || strings.Count(err.Error(), "is no commit in this repository") != 2 {
		t.Errorf("%v", err)
	}
}

// A branch that was rebased onto a target where another run landed brings that
// one's certificates along: known to the receiver, they are no fault.
func TestVerifier_Push_landedRunsBelow(t *testing.T) {
	r := gittest.NewWithFiles(t, map[string]string{"a": "1"})
	runs(t, r, 1)
	landed := r.Git("commit-tree", "-p", "HEAD", "-m", "s01: x"+fmt.Sprintf(block, "landed"), "HEAD^{tree}")
	tip := r.Git("commit-tree", "-p", landed, "-m", "s01: x"+fmt.Sprintf(block, "r-0"), "HEAD^{tree}")
	update := []verify.Update{{Ref: "refs/heads/agent-run/r-0", New: tip}}
	v, _ := verifier(r)
	side := verify.Side{Known: []string{"refs/remotes/origin/*"}}
	if report, err := v.Push(context.Background(), update, side); err != nil || len(report.Faults) != 1 {
		t.Fatalf("unknown to the receiver: %+v, %v", report, err)
	}
	r.Git("update-ref", "refs/remotes/origin/main", landed)
	if report, err := v.Push(context.Background(), update, side); err != nil || !report.OK || len(report.Notes) != 1 {
		t.Errorf("%+v, %v", report, err)
	}
}

func TestVerifier_Range_truncated(t *testing.T) {
	r := gittest.NewWithFiles(t, map[string]string{"a": "1"})
	base := r.Git("rev-parse", "HEAD")
	for range 5 {
		r.Git("commit", "-q", "--allow-empty", "-m", "s01: x"+fmt.Sprintf(block, "r-1"))
	}
	clone := r.Clone("file://"+r.Dir, "--depth", "2")
	v, _ := verifier(clone)
	tip := clone.Git("rev-parse", "HEAD")
	if _, err := v.Range(context.Background(), verify.RangeRequest{Tip: tip, Base: base}); !errors.Is(err, verify.ErrTruncated) {
		t.Errorf("%v", err)
	}
	if report, err := v.Range(context.Background(), verify.RangeRequest{Tip: tip, Base: clone.Git("rev-parse", "HEAD~1")}); err != nil || !report.OK {
		t.Errorf("what is here can be judged: %+v, %v", report, err)
	}
	if _, err := v.Range(context.Background(), verify.RangeRequest{Tip: tip, Run: "r-1"}); !errors.Is(err, verify.ErrNoBase) {
		t.Errorf("without a plan: %v", err)
	}
}

// Nothing is written: not an object, not a ref, not a file of ours.
func TestVerifier_Push_writesNothing(t *testing.T) {
	r := gittest.NewWithFiles(t, map[string]string{"a": "1"})
	updates := runs(t, r, 2, 1)
	before := listing(t, r.Path(".git"))
	v, _ := verifier(r)
	if _, err := v.Push(context.Background(), updates, verify.Side{Known: []string{"*"}}); err != nil {
		t.Fatal(err)
	}
	if after := listing(t, r.Path(".git")); after != before {
		t.Errorf("before\n%s\nafter\n%s", before, after)
	}
}

func listing(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := walk(dir, func(path string, info os.FileInfo) {
		fmt.Fprintf(&b, "%s %d %v\n", path, info.Size(), info.ModTime())
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func walk(dir string, visit func(string, os.FileInfo)) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		info, errInfo := e.Info()
		if errInfo != nil {
			return errInfo
		}
		path := dir + "/" + e.Name()
		if visit(path, info); e.IsDir() {
			if err := walk(path, visit); err != nil {
				return err
			}
		}
	}
	return err
}
