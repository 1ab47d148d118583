package forgetest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/pkg/forge"
)

// TestForge_pullRequestOnce: git-agent is killed when the forge has opened the
// pull request and nobody here knows: run again, it is found, not opened twice.
func TestForge_pullRequestOnce(t *testing.T) {
	each(t, func(w *world) {
		w.certified()
		c, stdout, stderr := w.agent("land", "--mode", "pr")
		w.opened = func() {
			if c.Process != nil {
				_ = c.Process.Kill()
			}
		}
		w.check(c.Start())
		if err := c.Wait(); err == nil {
			w.t.Fatalf("it was not killed: %s%s", stdout, stderr)
		}
		w.mu.Lock()
		w.opened = nil
		w.mu.Unlock()
		w.want("pull requests", len(w.pulls), 1)
		w.want("marker", w.marker(), "")
		r := w.must(0, "land", "--mode", "pr", "--json")
		w.want("verdict", r["verdict"], "opened")
		w.want("number", r["pr"], 1.0)
		w.want("pull requests", len(w.pulls), 1)
		w.want("marker", w.marker(), "opened PR #1, run r-1")
		w.want("verdict", w.must(0, "land", "--mode", "pr", "--json")["verdict"], "already-open")

		p := w.pulls[0]
		w.want("title", p.title, `two files, $(touch pwned) & "more"`)
		w.want("branches", p.head+" "+p.base, "agent-run/r-1 main")
		if !strings.HasPrefix(p.body, "For #15\n\n* s01: the first\n* s02: the second\n\nAgent-Run: r-1\nAgent-Step: s01\n") {
			w.t.Errorf("its body is %q", p.body)
		}
		w.want("closes the issue", p.closes(15), false)
		w.want("issue closed", w.issues[15].closed, false)
		w.want("comments", len(w.issues[15].comments), 0)
	})
}

// TestForge_lostAnswer: the forge opened it and its answer was lost on the way.
func TestForge_lostAnswer(t *testing.T) {
	each(t, func(w *world) {
		w.certified()
		w.drop = true
		w.want("number", w.must(0, "land", "--mode", "pr", "--json")["pr"], 1.0)
		w.want("pull requests", len(w.pulls), 1)
	})
}

// TestForge_commentIsOne: one comment of ours on an issue, found again by its key
// however many others there are, and never somebody else's; its marker reads back
// as what it says; the issue is closed when the work is in the target.
func TestForge_commentIsOne(t *testing.T) {
	each(t, func(w *world) {
		w.certified()
		key := "<!-- git-agent run r-1 -->"
		w.comment(15, stranger, key+"\nmine, all mine")
		for range 2 * page {
			w.comment(15, me, "something else\n"+key)
		}
		r := w.must(0, "land", "--mode", "pr", "--comment", "--json")
		w.want("told", fmt.Sprint(r["told"]), "[15]")
		w.must(0, "land", "--mode", "pr", "--comment", "--json")
		comments := w.issues[15].comments
		w.want("comments", len(comments), 2+2*page)
		ours := comments[len(comments)-1]
		w.want("its text", strings.TrimSpace(ours.body), key+"\norchestrate: opened PR #1, run r-1")
		w.want("issue closed", w.issues[15].closed, false)

		w.squashed(w.pulls[0])
		r = w.must(0, "land", "r-1", "--comment", "--json")
		w.want("verdict", r["verdict"], "already-landed")
		w.want("how", r["how"], "trailers")
		w.must(0, "land", "r-1", "--comment", "--json")
		w.want("comments", len(w.issues[15].comments), 2+2*page)
		w.want("issue closed", w.issues[15].closed, true)
		w.want("the stranger's", w.issues[15].comments[0].body, key+"\nmine, all mine")
		main := w.git("--git-dir", w.bare, "rev-parse", "main")
		w.want("its text", strings.TrimSpace(ours.body), key+"\norchestrate: landed "+main+" on main, run r-1")
		w.write("comment", ours.body, 0o600)
		m := w.must(0, "marker", "parse", "--json", filepath.Join(w.dir, "comment"))
		w.want("marker", fmt.Sprint(m["verb"], m["sha"], m["branch"], m["run"]), fmt.Sprint("landed", main, "main", "r-1"))
		w.want("pull requests", len(w.pulls), 1)
		if _, err := os.Stat(filepath.Join(w.work, "pwned")); err == nil {
			w.t.Error("a shell read the title")
		}
	})
}

// squashed presses the forge's button, which makes the message of title and body.
func (w *world) squashed(p *pull) {
	w.t.Helper()
	there := filepath.Join(w.dir, "there")
	w.git("clone", "-q", "--template=", w.bare, there)
	w.git("-C", there, "merge", "-q", "--squash", "origin/"+p.head)
	w.git("-C", there, "commit", "-q", "-m", fmt.Sprintf("%s (#%d)\n\n%s\n\n---------\n\nCo-authored-by: X <x@example.org>\n", p.title, p.number, p.body))
	w.git("-C", there, "push", "-q", "origin", "main")
	p.state = "merged"
}

// TestForge_preflight: what the forge knows about an item decides, and what it
// does not answer is unknown.
func TestForge_preflight(t *testing.T) {
	each(t, func(w *world) {
		ask := func(item, verdict string, status int) {
			w.t.Helper()
			w.want("item "+item, w.must(status, "preflight", "--item", item, "--json")["verdict"], verdict)
		}
		ask("16", "dispatch", 0)
		w.want("requests", len(w.asked), 0)
		w.git("config", "agent.preflightForge", "true")
		ask("15", "dispatch", 0)
		ask("16", "closed", 1)
		ask("JIRA-8", "dispatch", 0)
		for range 2 * page {
			w.add("see also #15 and #155", "Fixes #155", "feature", "main")
		}
		ask("15", "dispatch", 0)
		p := w.add("x", "y\n\nFixes #15\n", "feature", "main")
		ask("15", "already-open", 1)
		p.state = "closed"
		ask("#15", "dispatch", 0)
		p = w.add("x", "For #15\n", "agent-run/r-9", "main")
		got := w.must(1, "preflight", "--item", "15", "--json")
		w.want("evidence", fmt.Sprint(got["evidence"]), fmt.Sprintf("map[pr:%d rival:r-9 rival_ref:refs/heads/agent-run/r-9]", p.number))
		p.state = "merged"
		ask("99", "unknown", 7)
		w.broken = true
		ask("15", "unknown", 7)
	})
}

// TestCase135_forge_secondRunSkips: an item for which another run's pull request
// is open is not begun, though nothing but the forge knows of that run.
func TestCase135_forge_secondRunSkips(t *testing.T) {
	each(t, func(w *world) {
		w.git("config", "agent.preflightForge", "true")
		w.add("x", "For #15", "agent-run/r-9", "main")
		r := w.must(0, "start", filepath.Join(w.dir, "plan.yaml"), "--run", "r-1", "--json")
		w.want("started", r["branch"], "refs/heads/agent-run/r-1") // its second step is another item's
		w.must(0, "step", "--", "sh", "-c", "echo done > a/s02.txt")
		w.want("certified", strings.Count(w.git("log", "--format=%B", "agent-run/r-1"), "Agent-Step: s02"), 1)
		w.want("the other's item", strings.Count(w.git("log", "--format=%B", "agent-run/r-1"), "Agent-Step: s01"), 0)
	})
}

// TestScripts_whereAndWhat: from URL and item to the request, or exit 2 where the
// item is none of the forge's.
func TestScripts_whereAndWhat(t *testing.T) {
	worlds := map[string]*world{}
	for _, k := range kinds {
		if _, err := exec.LookPath(k.needs()); err == nil {
			worlds[k.name] = newWorld(t, k)
		}
	}
	for _, tt := range []struct{ kind, remote, item, env, want string }{
		{"github", "git@forge.example:o/r.git", "15", "", "GET forge.example/api/v3/repos/o/r/issues/15"},
		{"github", "https://u:p@forge.example/o/r/", "#15", "", "GET forge.example/api/v3/repos/o/r/issues/15"},
		{"github", "ssh://git@forge.example:2222/o/r.git", "o/r#15", "", "GET forge.example/api/v3/repos/o/r/issues/15"},
		{"github", "git@work:me/fork.git", "15", "GH_REPO=forge.example/o/r", "GET forge.example/api/v3/repos/o/r/issues/15"},
		{"github", "git@forge.example:o/r.git", "x/y#15", "", "GET forge.example/api/v3/repos/x/y/issues/15"},
		{"github", "git@forge.example:o/r.git", "https://forge.example/o/r/issues/15", "", "GET forge.example/api/v3/repos/o/r/issues/15"},
		{"github", "git@forge.example:o/r.git", "https://elsewhere.example/o/r/issues/15", "", ""},
		{"github", "git@forge.example:o/r.git", "JIRA-15", "", ""},
		{"github", "git@forge.example:o/r.git", "15;x", "", ""},
		{"github", "git@forge.example:o/r.git", "../x/y#15", "", ""},
		{"gitlab", "git@forge.example:g/sub/r.git", "15", "", "GET forge.example/api/v4/projects/g%2Fsub%2Fr/issues/15"},
		{"gitlab", "https://forge.example:8443/o/r", "#15", "", "GET forge.example/api/v4/projects/o%2Fr/issues/15"},
		{"gitlab", "git@work:o/r.git", "15", "GITLAB_HOST=forge.example", "GET forge.example/api/v4/projects/o%2Fr/issues/15"},
		{"gitlab", "git@forge.example:o/r.git", "g/sub/x#15", "", "GET forge.example/api/v4/projects/g%2Fsub%2Fx/issues/15"},
		{"gitlab", "git@forge.example:o/r.git", "https://forge.example/o/r/-/issues/15", "", "GET forge.example/api/v4/projects/o%2Fr/issues/15"},
		{"gitlab", "git@forge.example:o/r.git", "JIRA-15", "", ""},
		{"gitea", "https://u@forge.example/o/r.git", "15", "", "GET forge.example/api/v1/repos/o/r/issues/15"},
		{"gitea", "ssh://git@forge.example:2222/o/r", "#15", "GITEA_LOGIN=other", "GET other.example/api/v1/repos/o/r/issues/15"},
		{"gitea", "git@forge.example:o/r.git", "https://forge.example/o/r/issues/15", "", "GET forge.example/api/v1/repos/o/r/issues/15"},
		{"gitea", "git@forge.example:o/r.git", "JIRA-15", "", ""},
	} {
		t.Run(tt.kind+" "+tt.remote+" "+tt.item, func(t *testing.T) {
			w := worlds[tt.kind]
			if w == nil {
				t.Skip("neither gh nor jq is here")
			}
			c := exec.Command(w.script)
			c.Dir, c.Env = w.work, append(slices.Clone(w.env), tt.env)
			for name, value := range (forge.Question{Op: forge.ItemState, Run: "r-1", Remote: tt.remote, Item: tt.item}).Environ() {
				c.Env = append(c.Env, name+"="+value)
			}
			out, err := c.CombinedOutput()
			if got := strings.Join(w.asked, ", "); got != tt.want {
				t.Errorf("it asked %q, want %q", got, tt.want)
			}
			w.asked = nil
			if foreign := c.ProcessState.ExitCode() == forge.Foreign; foreign != (tt.want == "") {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// TestScripts_shellcheck: they are for any sh.
func TestScripts_shellcheck(t *testing.T) {
	need(t, "shellcheck")
	for _, k := range kinds {
		if out, err := exec.Command("shellcheck", "--shell=sh", filepath.Join("..", "..", "contrib", "forge", k.name)).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", k.name, err, out)
		}
	}
}
