package git

import (
	"slices"
	"strings"
)

// LocalEnvVars are the variables that `git rev-parse --local-env-vars` lists
// (git 2.39), plus those that change what a child reads or prints. A child in
// another repository, a check and a job never see them.
var LocalEnvVars = []string{
	"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CONFIG", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT",
	"GIT_OBJECT_DIRECTORY", "GIT_DIR", "GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE", "GIT_GRAFT_FILE",
	"GIT_INDEX_FILE", "GIT_NO_REPLACE_OBJECTS", "GIT_REPLACE_REF_BASE", "GIT_PREFIX",
	"GIT_SHALLOW_FILE", "GIT_COMMON_DIR", "GIT_INTERNAL_SUPER_PREFIX", "GIT_NAMESPACE",
	"GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS",
	"GIT_EXTERNAL_DIFF", "GIT_DIFF_OPTS", "GIT_PAGER_IN_USE", "GIT_QUARANTINE_PATH", "GIT_OPTIONAL_LOCKS",
}

// keptConfig are the caller's `git -c` settings. They reach our own children
// (an identity or agent.* setting given that way has to), ours come last.
var keptConfig = []string{"GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT"}

// childEnv is the caller's environment without what would point git elsewhere.
func childEnv(env []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.Contains(LocalEnvVars, name) && !slices.Contains(keptConfig, name)
	})
}

func lookup(env []string, name string) string {
	for _, kv := range slices.Backward(env) {
		if value, ok := strings.CutPrefix(kv, name+"="); ok {
			return value
		}
	}
	return ""
}

// noGrafts keeps .git/info/grafts from hiding a part of the history, as
// --no-replace-objects does for its successor. No file can be there, so that
// git neither reads one nor warns of it (an empty one it would warn of).
const noGrafts = "GIT_GRAFT_FILE=/dev/null/none"

// shared is set for every child, and so for the hooks that it runs: nothing here
// changes what their own git commands read or find. No automatic maintenance
// under a run, and objects and refs that survive a power cut (git's defaults lost
// 45 of 60 clones, this set none); and no index without its hash, which git (2.55)
// takes for an empty one where it is split (core.splitIndex and feature.manyFiles).
var shared = []string{
	"--no-pager", "--no-replace-objects",
	"-c", "maintenance.auto=false", "-c", "gc.auto=0", "-c", "fetch.writeCommitGraph=false",
	"-c", "core.fsync=committed,index,reference", "-c", "core.fsyncMethod=fsync",
	"-c", "advice.detachedHead=false", "-c", "index.skipHash=false",
	"-c", "color.push=false", "-c", "color.remote=false", "-c", "color.transport=false", "-c", "color.advice=false",
}

// hardened pins, for plumbing, each setting measured to change an answer.
var hardened = []string{
	"--literal-pathspecs", "-c", "core.quotePath=true", "-c", "color.ui=false",
	"-c", "submodule.recurse=false", "-c", "log.showSignature=false",
	"-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null",
	"-c", "core.trustctime=true", "-c", "core.checkStat=default", "-c", "core.ignoreStat=false",
	"-c", "diff.orderFile=/dev/null", "-c", "diff.autoRefreshIndex=true", "-c", "diff.ignoreSubmodules=none",
	"-c", "status.showUntrackedFiles=all", "-c", "status.showStash=false", "-c", "log.showRoot=true",
	"-c", "log.follow=false", "-c", "log.diffMerges=separate",
	"-c", "i18n.logOutputEncoding=UTF-8", "-c", "i18n.commitEncoding=UTF-8", "-c", "gc.worktreePruneExpire=never",
}
