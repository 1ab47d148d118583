package bench

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/internal/git/gittest"
)

// most is what the issue allows for it, in seconds of any machine that is not
// worn out.
const most = 2

// preflight asks about one of many: whether a run is still to be done, or an
// item that no run has. What cannot be done without is a look at all refs and at
// the target's messages.
func preflight(args string) func(t *testing.T) measured {
	return func(t *testing.T) measured {
		c := crowdSize()
		w := crowded(t, c)
		m := versus(t, turns(11), w.act("git for-each-ref", "git log --format=%H%x00%B origin/main"), w.act("git-agent preflight "+args))
		if took := m.ours.wall.Seconds(); full && took > most {
			t.Errorf("%.2f s, at most %d", took, most)
		}
		return m.told("%d runs, %d commits on the target, %d processes of git", c.runs, c.commits, w.children("preflight "+args))
	}
}

// crowd is a remote with so many runs, and so many commits on its target since
// they began.
type crowd struct{ runs, commits int }

func crowdSize() crowd {
	if full {
		return crowd{2000, 10_000}
	}
	return crowd{20, 100}
}

// crowded is a clone of it; none of the runs is begun.
func crowded(t *testing.T, c crowd) *world {
	t.Helper()
	return &world{Repo: kept(t, c, func(k keeper) *gittest.Repo {
		hub := gittest.New(k, "--bare")
		hub.GitIn(targetStream(c.commits), "fast-import", "--quiet")
		hub.GitIn(runsStream(c.runs, hub.Git("rev-list", "--max-parents=0", "main")), "fast-import", "--quiet")
		hub.Git("gc", "-q")
		w := &world{Repo: hub.Clone("file://" + filepath.ToSlash(hub.Dir))}
		w.Env = append(w.Env, "PATH="+bin+string(filepath.ListSeparator)+pathOf(hub.Env))
		w.agent("preflight", "--item", "none") // fetches the plans
		return w.Repo
	})}
}

func pathOf(env []string) string {
	for _, v := range env {
		if value, ok := strings.CutPrefix(v, "PATH="); ok {
			return value
		}
	}
	return ""
}

func targetStream(commits int) string {
	var b strings.Builder
	for i := range commits + 1 {
		message, content := fmt.Sprintf("change %d\n\nand what it is good for\n", i), fmt.Sprintf("%d\n", i)
		fmt.Fprintf(&b, "commit refs/heads/main\ncommitter C <c@example.org> %d +0000\ndata %d\n%sM 100644 inline %s\ndata %d\n%s\n",
			begin+i, len(message), message, file(i%1000, perFolder), len(content), content)
	}
	return b.String()
}

// runsStream is a plan ref and a branch for each run, as `start` makes them.
func runsStream(runs int, base string) string {
	var b strings.Builder
	for i := range runs {
		id := fmt.Sprintf("r-%d", i)
		plan := fmt.Sprintf("title: run %d\nbase: main\ntarget: main\nsteps:\n  - {id: s01, title: it, item: ITEM-%d, touches: [d0000/f00], check: ['true']}\n", i, i)
		message := fmt.Sprintf("plan 1: run %d\n\nAgent-Run: %s\nAgent-Plan-Version: 1\nAgent-Base: %s\n", i, id, base)
		fmt.Fprintf(&b, "commit refs/agent/%s\ncommitter C <c@example.org> %d +0000\ndata %d\n%sM 100644 inline plan.yaml\ndata %d\n%s\n",
			id, begin+i, len(message), message, len(plan), plan)
		fmt.Fprintf(&b, "reset refs/heads/agent-run/%s\nfrom %s\n\n", id, base)
	}
	return b.String()
}
