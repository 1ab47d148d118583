package run

import (
	"context"
	"fmt"
	"os"
)

// scratchpad keeps one scratch checkout per commit for the life of a command:
// a folder of its own below the run's private folder, a repository of its own
// that borrows our objects, never a linked worktree.
type scratchpad struct {
	s    *session
	dirs map[string]string
}

func (s *session) scratchpad() *scratchpad { return &scratchpad{s: s, dirs: map[string]string{}} }

// at is a checkout of exactly a commit.
func (p *scratchpad) at(ctx context.Context, commit string) (string, error) {
	if dir, ok := p.dirs[commit]; ok {
		return dir, nil
	}
	name := fmt.Sprintf("%s/scratch/%d-%s", p.s.run, os.Getpid(), short(commit))
	if err := p.s.State.RemoveAll(name); err != nil {
		return "", err
	}
	// git wants the folder above the new one; this makes it, within our root.
	if err := p.s.State.Write(p.s.run+"/scratch/.keep", nil); err != nil {
		return "", err
	}
	dir := p.s.State.Path(name)
	if err := p.s.Git.Scratch(ctx, dir, commit); err != nil {
		return "", fmt.Errorf("make a scratch checkout of %s: %w", short(commit), err)
	}
	p.dirs[commit], p.s.scratches[dir] = dir, commit
	return dir, nil
}

// ofTree is a checkout of a tree that no commit has yet.
func (p *scratchpad) ofTree(ctx context.Context, tree, parent string) (string, error) {
	commit, err := p.s.Git.WriteCommit(ctx, newCommit(tree, parent, "git-agent: tree under check\n"))
	if err != nil {
		return "", err
	}
	return p.at(ctx, commit)
}

// remove deletes every scratch checkout of the run, those of a killed command too.
func (p *scratchpad) remove() {
	for _, dir := range p.dirs {
		delete(p.s.scratches, dir)
		delete(p.s.grounds, dir)
		delete(p.s.prepared, dir)
	}
	p.dirs = map[string]string{}
	_ = p.s.State.RemoveAll(p.s.run + "/scratch")
}

// tmp is a private folder for index files under construction.
func (s *session) tmp() (string, error) {
	keep := s.run + "/tmp/.keep"
	if _, err := s.State.Read(keep); err != nil {
		if err := s.State.Write(keep, nil); err != nil {
			return "", err
		}
	}
	return s.State.Path(s.run + "/tmp"), nil
}
