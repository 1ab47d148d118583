package git_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/internal/git"
	"github.com/git-agent/git-agent/internal/git/gittest"
)

// changers are settings that change what git's own commands of reading say, each
// with a value that does. Not those of trailers: how git reads them under the
// person's is asked for (ledger.Differs).
var changers = []string{
	"log.follow=true", "log.diffMerges=combined", "log.diffMerges=off", "log.diffMerges=remerge", "log.showRoot=false", "log.showSignature=true",
	"log.decorate=full", "log.date=relative", "log.mailmap=true", "log.abbrevCommit=true", "log.excludeDecoration=*",
	"format.pretty=oneline", "core.abbrev=4", "core.quotePath=false", "core.notesRef=refs/notes/x", "notes.displayRef=*", "i18n.logOutputEncoding=ISO-8859-1",
	"status.showStash=true", "status.short=true", "status.branch=true", "status.renames=copies", "status.relativePaths=true",
	"status.showUntrackedFiles=no", "status.aheadBehind=true", "status.submoduleSummary=true", "column.ui=always", "color.ui=always", "color.status=always", "color.diff=always",
	"diff.renames=copies", "diff.relative=true", "diff.noprefix=true", "diff.mnemonicPrefix=true", "diff.external=false", "diff.ignoreSubmodules=all",
	"diff.orderFile=/nonexistent", "diff.submodule=log", "diff.context=0", "diff.interHunkContext=9", "diff.algorithm=patience", "diff.wordRegex=.",
	"diff.colorMoved=zebra", "diff.wsErrorHighlight=all", "diff.suppressBlankEmpty=true", "diff.indentHeuristic=false", "diff.statGraphWidth=5",
	"diff.autoRefreshIndex=false", "diff.dirstat=lines", "diff.srcPrefix=x/", "diff.dstPrefix=y/", "diff.statNameWidth=5", "versionsort.suffix=-x", "branch.sort=-refname", "tag.sort=-refname",
	"core.warnAmbiguousRefs=false", "core.commentChar=A", "submodule.recurse=true", "core.whitespace=tab-in-indent",
}

// TestPlumbing_settingsChangeNoAnswer: under each setting the answers are those
// without it. A git that does not know one does not mind it.
func TestPlumbing_settingsChangeNoAnswer(t *testing.T) {
	t.Parallel()
	r := gittest.NewWithFiles(t, map[string]string{"a": "1\n\n2\n", "d/b": "1\n"})
	base := r.Git("rev-parse", "HEAD")
	r.Git("checkout", "-q", "-b", "side")
	r.Write("d/b", "2\n")
	r.Commit("side\n\nKey: value\n")
	r.Git("checkout", "-q", "main")
	r.Write("a", "1\n\n3\n")
	r.Commit("one é\n\nKey: value\n")
	r.Git("mv", "a", "c")
	r.Commit("two\n")
	r.Git("merge", "-q", "--no-edit", "side")
	r.Write("c", "stashed\n")
	r.Git("stash", "-q")
	r.Write("c", "changed\n")
	r.Write("new/é", "x\n")
	plain := answers(t, r, base, "")
	for _, kv := range changers {
		under := answers(t, r, base, kv)
		for question, want := range plain {
			if got := under[question]; got != want {
				t.Errorf("%s: %s answers\n%s\nand without it\n%s", kv, question, got, want)
			}
		}
	}
}

func answers(t *testing.T, r *gittest.Repo, base, kv string) map[string]string {
	t.Helper()
	env := r.Env
	if key, value, ok := strings.Cut(kv, "="); ok {
		env = append(env[:len(env):len(env)], "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0="+key, "GIT_CONFIG_VALUE_0="+value)
	}
	repo, err := git.Open(ctx, git.Options{Dir: r.Dir, Env: env})
	if err != nil {
		t.Fatalf("%s: %v", kv, err)
	}
	said := map[string]string{}
	says := func(question string, answer any, err error) { said[question] = fmt.Sprintf("%+v, %v", answer, err) }
	chain, err := repo.Chain(ctx, base, "main")
	says("Chain", chain, err)
	whole, err := repo.Chain(ctx, "", "main")
	says("Chain from the root", whole, err)
	tip, root, end := r.Git("rev-parse", "main"), r.Git("rev-parse", base+"^{tree}"), r.Git("rev-parse", "main^{tree}")
	chains, err := repo.Chains(ctx, base, []string{tip})
	says("Chains", chains, err)
	history, err := repo.History(ctx, base, "main")
	says("History", history, err)
	scan, err := repo.Scan(ctx, base, "main", 10)
	says("Scan", scan, err)
	touching, err := repo.Touching(ctx, base, "main", []string{"c"}, 10)
	says("Touching", touching, err)
	commits, err := repo.Commits(ctx, []string{tip})
	says("Commits", commits, err)
	changed, err := repo.DiffTrees(ctx, base, tip)
	says("DiffTrees", changed, err)
	var patch strings.Builder
	err = repo.Patches(ctx, [][2]string{{root, end}}, func(int) io.Writer { return &patch })
	says("Patches", patch.String(), err)
	status, err := repo.Status(ctx)
	says("Status", status, err)
	flagged, _, err := repo.Flagged(ctx)
	says("Flagged", flagged, err)
	entries, err := repo.EntriesAt(ctx, "main", []string{"c", "d/b"})
	says("EntriesAt", entries, err)
	refs, err := repo.Refs(ctx, "refs")
	says("Refs", refs, err)
	ahead, behind, err := repo.AheadBehind(ctx, "main", "side")
	says("AheadBehind", [2]int{ahead, behind}, err)
	return said
}
