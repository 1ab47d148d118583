package hooks

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/internal/git/gittest"
)

func installer(r *gittest.Repo) *Installer {
	opened := r.Open()
	return &Installer{Git: opened, Top: opened.Top, GitDir: opened.CommonDir}
}

func one(t *testing.T, all []Hook, err error) Hook {
	t.Helper()
	if err != nil || len(all) != 1 {
		t.Fatalf("%+v, %v", all, err)
	}
	return all[0]
}

// A text that was shipped once is replaced by today's, chained hook and mode
// kept; one that never was is left alone.
func TestInstaller_upgradesOnlyWhatWasShipped(t *testing.T) {
	r := gittest.New(t)
	ctx, event := context.Background(), "pre-push"
	old := header(event) + " An earlier one.\necho old\n"
	r.Write(".git/hooks/pre-push", old)
	r.Write(".git/hooks/pre-push.chained", "#!/bin/sh\necho theirs\n")
	i := installer(r)
	all, err := i.Install(ctx, []string{event})
	var refused *Refusal
	if !errors.As(err, &refused) || refused.Shown != old || r.Read(".git/hooks/pre-push") != old {
		t.Fatalf("unknown text: %+v, %v", all, err)
	}
	i.shipped = shippedLine(old, event, "whole")
	if h := one(t, must(i.Status(ctx))[:1], nil); h.State != Outdated {
		t.Fatalf("%+v", h)
	}
	all, err = i.Install(ctx, []string{event})
	if h := one(t, all, err); h.Did != "upgraded" || h.State != Installed || h.Chained == "" || r.Read(".git/hooks/pre-push") != Text(event) {
		t.Errorf("%+v", h)
	}
	all, err = i.Uninstall(ctx, []string{event})
	if h := one(t, all, err); h.Did != "removed" || r.Read(".git/hooks/pre-push") != "#!/bin/sh\necho theirs\n" || r.Exists(".git/hooks/pre-push.chained") {
		t.Errorf("%+v", h)
	}
}

func must(all []Hook, err error) []Hook {
	if err != nil {
		panic(err)
	}
	return all
}

func TestInstaller_upgradesLinesInAForeignScript(t *testing.T) {
	r := gittest.New(t)
	ctx, event := context.Background(), "commit-msg"
	begin, end := marks(event)
	foreign := "#!/bin/bash\n" + "echo theirs\n"
	r.Write(".husky/_/h", "")
	r.Write(".husky/commit-msg", "#!/bin/bash\n"+begin+"echo old\n"+end+"echo theirs\n")
	r.Git("config", "core.hooksPath", ".husky/_")
	i := installer(r)
	i.shipped = shippedLine(begin+"echo old\n"+end, event, "block")
	all, err := i.Install(ctx, []string{event})
	if h := one(t, all, err); h.Did != "upgraded" || h.How != ByBlock || r.Read(".husky/commit-msg") != withBlock(foreign, event) {
		t.Errorf("%+v\n%s", h, r.Read(".husky/commit-msg"))
	}
	all, err = i.Uninstall(ctx, []string{event})
	if h := one(t, all, err); h.State != Foreign || r.Read(".husky/commit-msg") != foreign {
		t.Errorf("%+v\n%s", h, r.Read(".husky/commit-msg"))
	}
}

// A hook that is a link stays one, to the same place.
func TestInstaller_chainsALink(t *testing.T) {
	r := gittest.New(t)
	ctx := context.Background()
	r.Write("scripts/push", "#!/bin/sh\nexit 0\n")
	link := r.Path(".git/hooks/pre-push")
	if err := os.Symlink("../../scripts/push", link); err != nil {
		t.Fatal(err)
	}
	i := installer(r)
	all, err := i.Install(ctx, []string{"pre-push"})
	if h := one(t, all, err); h.State != Installed || r.Read("scripts/push") != "#!/bin/sh\nexit 0\n" {
		t.Fatalf("%+v", h)
	}
	if out, err := exec.Command(link, "origin").CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if _, err := i.Uninstall(ctx, Events); err != nil {
		t.Fatal(err)
	}
	if to, err := os.Readlink(link); err != nil || to != "../../scripts/push" {
		t.Errorf("%q, %v", to, err)
	}
}

// A folder that cannot be written leaves everything as it is.
func TestInstaller_cannotWrite(t *testing.T) {
	if os.Getuid() == 0 {
		t.Log("root writes anywhere: a file where the folder would be stands in")
	}
	r := gittest.New(t)
	r.Write("file", "x")
	r.Git("config", "core.hooksPath", "file/hooks")
	if all, err := installer(r).Install(context.Background(), []string{"pre-push"}); err == nil {
		t.Errorf("%+v", all)
	}
	if r.Read("file") != "x" {
		t.Error("the file in the way is gone")
	}
	left, _ := filepath.Glob(r.Path("*git-agent*"))
	if len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

func TestInstaller_linkedWorktreeSharesTheHooks(t *testing.T) {
	r := gittest.NewWithFiles(t, map[string]string{"a": "1"})
	r.Git("worktree", "add", "-q", "../linked")
	linked := &gittest.Repo{T: t, Dir: filepath.Join(filepath.Dir(r.Dir), "linked"), Env: r.Env}
	all, err := installer(linked).Install(context.Background(), []string{"pre-push"})
	if h := one(t, all, err); !strings.HasSuffix(h.Path, "/work/.git/hooks/pre-push") || h.Note != "" {
		t.Errorf("%+v", h)
	}
}

// The scripts are what a linter for shells accepts.
func TestTexts_shellcheck(t *testing.T) {
	tool, err := exec.LookPath("shellcheck")
	if err != nil {
		t.Skip("shellcheck is not installed")
	}
	for _, event := range Events {
		cmd := exec.Command(tool, "-s", "sh", "-")
		cmd.Stdin = strings.NewReader(Text(event))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %s", event, out)
		}
	}
}
