package run

import (
	"os"
	"path/filepath"
	"strings"
)

// needWorkTree refuses a bare repository, and the inside of one that has a
// working tree.
func (e *Engine) needWorkTree() error {
	err := e.Git.NeedWorkTree()
	switch {
	case err == nil:
		return nil
	case e.Place.Inside:
		return fail("NO_WORK_TREE", ExitFatal, err, e.toWorkTree())
	}
	return fail("BARE", ExitFatal, err, e.toWorkTree())
}

// toWorkTree is the command that leads to a working tree.
func (e *Engine) toWorkTree() string {
	switch {
	case e.calledBare():
		return "git config core.bare false   # it has a working tree"
	case !e.Place.Inside:
		return cloneOf(e.Place.GitDir)
	case e.Place.Outside == "":
		return "git rev-parse --absolute-git-dir   # the working tree that has it is where to go"
	}
	return "cd " + quoteArg(e.Place.Outside) + " && git agent status"
}

// calledBare: somebody set core.bare in a clone with a working tree. What is bare
// has no index.
func (e *Engine) calledBare() bool {
	if bare, _ := e.Config.Config("core.bare"); bare != "true" || filepath.Base(e.Place.GitDir) != ".git" {
		return false
	}
	_, err := os.Stat(filepath.Join(e.Place.GitDir, "index"))
	return err == nil
}

// cloneOf makes a working tree beside a bare repository.
func cloneOf(gitDir string) string {
	dir := quoteArg(strings.TrimSuffix(gitDir, ".git") + "-work")
	return "git clone " + quoteArg(gitDir) + " " + dir + " && cd " + dir
}
