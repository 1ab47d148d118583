package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// forbidden are the git commands that nothing here ever runs (the design,
// section 3): each would touch what is not ours, or overwrite without a
// compare-and-swap.
var forbidden = map[string]*regexp.Regexp{
	"the person's stash list":      regexp.MustCompile(`^git stash\b`),
	"git clean":                    regexp.MustCompile(`^git clean\b`),
	"a hard reset":                 regexp.MustCompile(`^git reset\b.* --(hard|merge|keep)\b`),
	"linked worktrees":             regexp.MustCompile(`^git worktree (add|prune|remove|move|repair)\b`),
	"git gc and its kind":          regexp.MustCompile(`^git (gc|prune|repack|maintenance|reflog expire)\b`),
	"a forced push":                regexp.MustCompile(`^git push\b.* (-[a-z]*f[a-z]*|--force|--force-if-includes|--mirror|--prune|--delete|-d|\+\S+)( |$)`),
	"a forced or pruning fetch":    regexp.MustCompile(`^git fetch\b.* (-f|--force|-p|--prune|--prune-tags|\+\S+)( |$)`),
	"a forced checkout or switch":  regexp.MustCompile(`^git (checkout|switch)\b.* (-f|--force|--discard-changes)( |$)`),
	"a forced or deleted branch":   regexp.MustCompile(`^git branch\b`),
	"a lease that names no lease":  regexp.MustCompile(`^git push\b.* --force-with-lease(=refs/heads/\S*|=?)( |$)`),
	"a deletion without its past":  regexp.MustCompile(`^git push\b((?: -[^-f\s]\S*| --[^f\s]\S*)*) [^-\s]\S* (.* )?:\S`),
	"history rewritten":            regexp.MustCompile(`^git (rebase|filter-branch|replace)\b`),
	"work in submodules":           regexp.MustCompile(`^git (submodule\b|(clone|fetch|push|checkout)\b.* --(recursive|recurse-submodules)\b)`),
	"a clone that links objects":   regexp.MustCompile(`^git clone( -q)? (--no-checkout|[^-])`),
	"a ref moved without its past": regexp.MustCompile(`^git update-ref (-d )?refs/\S+ \S+$`),
}

// message is the command in one line of a trace.
var message = regexp.MustCompile(` msg=("(?:[^"\\]|\\.)*"|\S+)`)

// offences lists the forbidden commands of a trace.
func offences(trace string) []string {
	var found []string
	for line := range strings.SplitSeq(trace, "\n") {
		m := message.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		for what, re := range forbidden {
			if said := strings.Trim(m[1], `"`); re.MatchString(said) {
				found = append(found, fmt.Sprintf("%s: %s", what, said))
			}
		}
	}
	return found
}

// traced has every git child of a script written to a file, and fails the
// script where one of them is forbidden. Files that a script traces to itself
// are read too, if they lie beside it and are named trace*.
func traced(env *testscript.Env) {
	env.Setenv("GIT_AGENT_TRACE", filepath.Join(env.WorkDir, "trace"))
	env.Defer(func() {
		files, _ := filepath.Glob(filepath.Join(env.WorkDir, "trace*"))
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				continue
			}
			for _, o := range offences(string(text)) {
				env.T().Log("forbidden: " + o)
				env.T().FailNow()
			}
		}
	})
}

func TestOffences(t *testing.T) {
	tests := map[string]bool{
		"git stash push -m x":                                     true,
		"git stash":                                               true,
		"git clean -fdx":                                          true,
		"git reset -q --hard abc":                                 true,
		"git reset -q abc":                                        false,
		"git worktree add x":                                      true,
		"git worktree list --porcelain -z":                        false,
		"git gc --auto":                                           true,
		"git push --porcelain -f origin x:y":                      true,
		"git push --porcelain --atomic origin a:b":                false,
		"git push --porcelain origin +a:b":                        true,
		"git push --force-with-lease origin a:b":                  true,
		"git push --force-with-lease=refs/heads/x:abc origin a:b": true,
		"git push --force-with-lease=refs/agent-lease/r-1:abc origin a:b":                                                false,
		"git push --force-with-lease=refs/agent-stash/r-1/s01/1:abc --end-of-options origin :refs/agent-stash/r-1/s01/1": false,
		"git push --porcelain --end-of-options origin :refs/agent-stash/r-1/s01/1":                                       true,
		"git push --porcelain --end-of-options origin a:b :refs/x":                                                       true,
		"git push --delete origin x":          true,
		"git push origin --no-follow-tags x":  false,
		"git fetch -q origin +refs/x:refs/y":  true,
		"git fetch -q origin refs/x:refs/y":   false,
		"git fetch --prune origin":            true,
		"git switch --no-guess agent-run/r-1": false,
		"git switch -f x":                     true,
		"git update-ref refs/x abc":           true,
		"git update-ref --stdin -z":           false,
	}
	for command, want := range tests {
		line := fmt.Sprintf("time=%q level=debug msg=%q err= took=1ms", "now", command)
		if got := len(offences(line)) > 0; got != want {
			t.Errorf("%s: forbidden %v, want %v", command, got, want)
		}
	}
}
