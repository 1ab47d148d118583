package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// discover asks with the caller's environment: GIT_DIR may be theirs.
func (r *Repo) discover(ctx context.Context, opts Options) error {
	r.Top = opts.Dir
	env := opts.Env
	if ofLinkedHook(opts) {
		env = childEnv(env)
	}
	c := &command{repo: r, env: env, deadline: time.Minute, args: append([]string{"rev-parse", "--path-format=absolute",
		"--is-bare-repository", "--show-object-format"}, places...)}
	out, code, err := c.answers(128, 129).run(ctx)
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	r.Top = ""
	if len(lines) < 4 || lines[0] != "true" && lines[0] != "false" { // an old git repeats options that it does not know
		return r.whyNot(ctx, opts, code)
	}
	bare := lines[0] == "true"
	r.Format = lines[1]
	if lines = lines[2:]; len(lines) > len(places) { // a newline in a path
		if lines, err = r.askEach(ctx, env, opts.Dir); err != nil {
			return err
		}
	}
	r.GitDir, r.CommonDir = lines[0], lines[1]
	if len(lines) == len(places) {
		r.Top = lines[2]
	}
	r.Inside = r.Top == "" && !bare
	if r.Inside {
		r.WorkTree = treeOf(r.GitDir)
	}
	return r.samePlace(opts.Dir)
}

// treeOf is the working tree of a git folder: the one around it, or the one that
// a linked working tree's folder names; "" where neither says.
func treeOf(gitDir string) string {
	link := gitDir
	if filepath.Base(gitDir) != ".git" {
		named, err := os.ReadFile(filepath.Join(gitDir, "gitdir"))
		if err != nil {
			return ""
		}
		link = strings.TrimSuffix(string(named), "\n")
	}
	if _, err := os.Lstat(link); err != nil {
		return ""
	}
	return filepath.Dir(link)
}

// places are what rev-parse is asked for; a bare repository has no last one.
var places = []string{"--absolute-git-dir", "--git-common-dir", "--show-toplevel"}

// askEach asks for one place at a time: each answer then ends with the output.
func (r *Repo) askEach(ctx context.Context, env []string, dir string) ([]string, error) {
	at := *r
	at.Top = dir
	var found []string
	for _, place := range places {
		c := &command{repo: &at, env: env, deadline: time.Minute, args: []string{"rev-parse", "--path-format=absolute", place}}
		out, code, err := c.answers(128).run(ctx)
		switch {
		case err != nil:
			return nil, err
		case code == 0:
			found = append(found, strings.TrimSuffix(string(out), "\n"))
		}
	}
	if len(found) < 2 {
		return nil, fmt.Errorf("%w: rev-parse names no git folder", ErrNotARepository)
	}
	return found, nil
}

// ofLinkedHook recognizes what git gives to a hook of a linked working tree: its
// GIT_DIR without a GIT_WORK_TREE. Asked with that, git takes the current folder
// for the top of the tree, be it a folder below or another repository (tested,
// 2.39); the folder alone gives the right answer in both.
func ofLinkedHook(opts Options) bool {
	dir := lookup(opts.Env, "GIT_DIR")
	if dir == "" || lookup(opts.Env, "GIT_WORK_TREE") != "" {
		return false
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(opts.Dir, dir)
	}
	_, err := os.Stat(filepath.Join(dir, "gitdir")) // gitrepository-layout(5)
	return err == nil
}

// whyNot tells "no repository here" from "git is too old for the question", and
// from one that git does not go near or cannot read.
func (r *Repo) whyNot(ctx context.Context, opts Options, code int) error {
	r.Top = opts.Dir
	if err := r.CheckVersion(ctx); err != nil {
		return err
	}
	c := &command{repo: r, env: append(childEnv(opts.Env), "LC_ALL=C"), deadline: time.Minute, args: []string{"rev-parse", "--git-dir"}}
	if _, _, err := c.run(ctx); err != nil {
		return noRepository(err)
	}
	return fmt.Errorf("%w: rev-parse gave no answer (exit %d)", ErrNotARepository, code)
}

func noRepository(err error) error {
	var said *Error
	if !errors.As(err, &said) || strings.Contains(said.Stderr, "not a git repository") {
		return fmt.Errorf("%w: %w", ErrNotARepository, err)
	}
	if _, trust, found := strings.Cut(said.Stderr, "git config --global --add safe.directory "); found {
		trust, _, _ = strings.Cut(trust, "\n")
		return &OwnedError{Err: err, Trust: "git config --global --add safe.directory " + trust}
	}
	return fmt.Errorf("look for the repository: %w", err)
}

// samePlace refuses the enclosing repository where dir was a working tree or
// clone of its own that lost its .git: its remains (our folder's log of it)
// would otherwise be worked on as part of somebody else's project.
func (r *Repo) samePlace(dir string) error {
	if r.Top == "" {
		return nil
	}
	if _, err := os.Stat(r.Top); err != nil {
		return fmt.Errorf("working tree: %w", err)
	}
	return nil
}
