package plan

import (
	"fmt"
	"strings"
)

// checkRevision refuses what git would take for an option; whether the
// revision exists is for git to say.
func (t *tree) checkRevision(v *value) {
	if s, ok := v.text(); ok && strings.HasPrefix(s, "-") {
		t.report(v, `%s %q begins with "-", which git would take for an option`, v.label(), s)
	}
}

// checkBranch holds a branch to the rules of git-check-ref-format(1).
func (t *tree) checkBranch(v *value) {
	t.checkRevision(v)
	if s, ok := v.text(); ok {
		if err := branchFault(s); err != "" {
			t.report(v, "%s %q is no branch name: %s", v.label(), s, err)
		}
	}
}

func branchFault(s string) string {
	if i := strings.IndexAny(s, " ~^:?*[\\"); i >= 0 {
		return fmt.Sprintf("it holds %q", s[i:i+1])
	}
	for _, part := range strings.Split(s, "/") {
		if part == "" || strings.HasPrefix(part, ".") || strings.HasSuffix(part, ".lock") {
			return `no part between slashes may be empty, begin with "." or end with ".lock"`
		}
	}
	if strings.Contains(s, "..") || strings.Contains(s, "@{") || strings.HasSuffix(s, ".") || s == "@" {
		return `it must not hold ".." or "@{", end with "." or be "@"`
	}
	return ""
}
