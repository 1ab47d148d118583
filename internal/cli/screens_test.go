package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-agent/git-agent/internal/git/gittest"
	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/trailers"
)

// story is a run in the middle of its life, the same bytes every time: two days,
// six steps, failed attempts, work set aside, a commit that is nobody's, a
// landing. Evidence is written as git agent writes it, with times of its own.
type story struct {
	*gittest.Repo
	t   *testing.T
	now time.Time
}

const storyPlan = `title: Extract auth into a package
base: main
target: main
steps:
  - {id: s01, title: describe what auth does today, touches: [docs/auth.md], check: ['test -s docs/auth.md']}
  - {id: s02, title: move session middleware registration into auth.Register, item: "15", touches: [auth/register.go, api/main.go], reads: [go.mod], check: ['go test ./auth/... -count=1', './scripts/lint.sh auth']}
  - {id: s03, title: 'password hashing: bcrypt → argon2id, "old" hashes go on working', touches: [auth/hash.go], check: ['go test ./auth/... -run Hash']}
  - {id: s04, title: rate limit logins, touches: [auth/limit.go], check: [{run: 'go test ./auth/... -run Limit', timeout: 2m}]}
  - {id: s05, title: drop the old package, touches: [session/**], check: ['go build ./...', 'go test ./...']}
  - {id: s06, title: <script>alert("not here")</script> & release notes, touches: [NOTES.md], check: ['grep -q auth NOTES.md']}
`

func newStory(t *testing.T) *story {
	t.Helper()
	s := &story{Repo: gittest.NewWithFiles(t, map[string]string{"README": "hello\n", "go.mod": "module x\n"}), t: t}
	s.AddRemote()
	t.Chdir(s.Dir)
	s.at("2026-11-26T09:00:00Z")
	plan := filepath.Join(t.TempDir(), "plan.yaml")
	if err := os.WriteFile(plan, []byte(storyPlan), 0o644); err != nil {
		t.Fatal(err)
	}
	s.agent(0, "start", plan, "--run", "auth")
	s.logged("s01", 1, "2026-11-26T09:01:20Z")
	s.certify("2026-11-26T09:14:10Z", "docs/auth.md", trailers.Evidence{Step: "s01", Attempt: 1, Checks: ranCheck("test -s docs/auth.md", 0, "0.1")})
	s.fail("2026-11-26T09:31:05Z", trailers.Evidence{Step: "s02", Attempt: 1, Checks: ranCheck("go test ./auth/... -count=1", 1, "31.2")})
	s.half("2026-11-26T09:31:06Z", "s02", "auth/register.go")
	s.certify("2026-11-26T09:52:40Z", "auth/register.go", trailers.Evidence{Step: "s02", Attempt: 2, Notes: []string{"sessions are keyed by user id now"},
		Strays: []string{"api/routes.go"}, Checks: append(ranCheck("go test ./auth/... -count=1", 0, "30.9"), ranCheck("./scripts/lint.sh auth", 0, "4.2")...)})
	s.at("2026-11-26T10:05:00Z")
	s.commit("README", "hello, world\n", "README: greet everybody\n")
	s.landed("2026-11-26T10:20:00Z", "s02")
	s.logged("s03", 1, "2026-11-27T08:31:00Z")
	s.certify("2026-11-27T08:40:00Z", "auth/hash.go", trailers.Evidence{Step: "s03", Attempt: 1, Checks: ranCheck("go test ./auth/... -run Hash", 0, "192.4")})
	s.logged("s04", 1, "2026-11-27T08:41:00Z")
	s.fail("2026-11-27T08:58:00Z", trailers.Evidence{Step: "s04", Attempt: 1, Checks: []trailers.Check{{Command: "go test ./auth/... -run Limit", Outcome: trailers.Outcome{Kind: trailers.Timeout}, Secs: "120.0"}}})
	s.half("2026-11-27T08:58:02Z", "s04", "auth/limit.go")
	s.Git("push", "-q", "origin", "agent-run/auth", "refs/agent/auth")
	s.at("2026-11-27T09:05:00Z")
	s.Git("update-ref", "refs/agent-remote/origin/branch/auth", "agent-run/auth") // as a push of ours would have
	s.Git("update-ref", "refs/agent-remote/origin/plan/auth", "refs/agent/auth")
	return s
}

func ranCheck(command string, exit int, secs string) []trailers.Check {
	return []trailers.Check{{Command: command, Outcome: trailers.Outcome{Kind: trailers.Exit, Code: exit}, Secs: secs}}
}

// at sets the clock of everybody.
func (s *story) at(moment string) {
	now, err := time.Parse(time.RFC3339, moment)
	if err != nil {
		s.t.Fatal(err)
	}
	s.now = now
	s.Env = append(s.Env, "GIT_COMMITTER_DATE="+moment, "GIT_AUTHOR_DATE="+moment)
}

// agent runs a command line of ours in this process, as wide a terminal as is
// said (0: a pipe), and answers what it printed.
func (s *story) agent(columns int, args ...string) string {
	s.t.Helper()
	out, code := s.run(columns, args...)
	if code != 0 {
		s.t.Fatalf("git agent %q ends with %d:\n%s", args, code, out)
	}
	return out
}

func (s *story) run(columns int, args ...string) (string, int) {
	s.t.Helper()
	file, err := os.Create(filepath.Join(s.t.TempDir(), "out"))
	if err != nil {
		s.t.Fatal(err)
	}
	defer file.Close()
	null, err := os.Open(os.DevNull)
	if err != nil {
		s.t.Fatal(err)
	}
	defer null.Close()
	env := append(s.Env[:len(s.Env):len(s.Env)], "NO_COLOR=1")
	if columns > 0 {
		env = append(env, "GIT_PAGER_IN_USE=1", fmt.Sprintf("COLUMNS=%d", columns))
	}
	code := Main(World{Args: args, Env: env, In: null, Out: file, Err: file, Now: func() time.Time { return s.now }})
	text, err := os.ReadFile(file.Name())
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text), code
}

// commit puts a file's new content on the branch.
func (s *story) commit(path, content, message string) {
	s.t.Helper()
	s.Write(path, content)
	s.Git("add", "--", path)
	tree := strings.TrimSpace(s.Git("write-tree"))
	message = strings.ReplaceAll(message, "TREE", tree)
	id := strings.TrimSpace(s.GitIn(message, "commit-tree", tree, "-p", "HEAD"))
	s.Git("update-ref", "HEAD", id)
}

func (s *story) certify(moment, path string, e trailers.Evidence) {
	s.t.Helper()
	s.at(moment)
	e.Run, e.PlanVersion, e.Tree = "auth", 1, strings.Repeat("0", 40)
	block, err := e.Trailers()
	if err != nil {
		s.t.Fatal(err)
	}
	text, err := trailers.Format(trailers.Message{Subject: e.Step + ": " + s.title(e.Step), Trailers: block})
	if err != nil {
		s.t.Fatal(err)
	}
	s.commit(path, e.Step+"\n", strings.ReplaceAll(text, e.Tree, "TREE"))
}

func (s *story) title(step string) string {
	p, err := plan.Parse("plan", []byte(storyPlan))
	if err != nil {
		s.t.Fatal(err)
	}
	one, _ := p.Step(step)
	return one.Title
}

// record puts a commit on the plan ref.
func (s *story) record(message string) {
	s.t.Helper()
	id := strings.TrimSpace(s.GitIn(message, "commit-tree", "refs/agent/auth^{tree}", "-p", "refs/agent/auth"))
	s.Git("update-ref", "refs/agent/auth", id)
}

func (s *story) fail(moment string, e trailers.Evidence) {
	s.t.Helper()
	s.at(moment)
	e.Run, e.PlanVersion, e.Tree = "auth", 1, strings.TrimSpace(s.Git("rev-parse", "HEAD^{tree}"))
	text, err := plan.FailureMessage(e)
	if err != nil {
		s.t.Fatal(err)
	}
	s.record(text)
}

// half leaves a half-done step, preserved and taken back.
func (s *story) half(moment, step, path string) {
	s.t.Helper()
	s.at(moment)
	s.Write(path, "half\n")
	s.agent(0, "rollback", step)
}

func (s *story) landed(moment, step string) {
	s.t.Helper()
	s.at(moment)
	value := "landed " + strings.TrimSpace(s.Git("rev-parse", "HEAD~1")) + " on main, run auth"
	text, err := trailers.Format(trailers.Message{Subject: value, Trailers: []trailers.Trailer{
		{Key: trailers.KeyRun, Value: "auth"}, {Key: trailers.KeyStep, Value: step}, {Key: trailers.KeyLanded, Value: value}}})
	if err != nil {
		s.t.Fatal(err)
	}
	s.record(text)
}

// logged leaves what this clone knows of an attempt's beginning.
func (s *story) logged(step string, number int, opened string) {
	s.t.Helper()
	dir := s.Path(fmt.Sprintf(".git/agent/auth/logs/%s-%d-00000000", step, number))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		s.t.Fatal(err)
	}
	text, err := json.Marshal(map[string]any{"run": "auth", "step": step, "number": number, "opened": opened})
	if err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "attempt.json"), text, 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// TestScreens: what commands show at 80 and 120 columns, and without Unicode,
// is kept below docs/img to be looked at. With -update it is written anew.
func TestScreens(t *testing.T) {
	s := newStory(t)
	for _, screen := range [][]string{{"status"}, {"status", "--compact"}, {"log"}, {"log", "--graph"}, {"runs"}, {"help", "log"}, {"stash", "list"}} {
		for _, columns := range []int{80, 120} {
			s.kept(fmt.Sprintf("%s-%d.txt", strings.ReplaceAll(strings.Join(screen, "-"), "--", "-"), columns), s.agent(columns, screen...), columns)
		}
	}
	s.Env = append(s.Env, "LC_ALL=C")
	s.kept("log-graph-ascii.txt", s.agent(80, "log", "--graph"), 80)
	s.kept("report.md", s.agent(0, "report", "--md"), 0)
	for _, b := range docBlocks(t) {
		if b.doc == "docs/img/report.md" {
			typed(t, s.Repo, b.text)
		}
	}
}

// kept compares a screen with the one that is committed.
func (s *story) kept(name, text string, columns int) {
	s.t.Helper()
	for line := range strings.Lines(text) {
		if columns > 0 && len([]rune(line)) > columns+1 && !strings.Contains(line, "http") {
			s.t.Logf("%s: wider than %d columns: %q", name, columns, line)
		}
	}
	path := filepath.Join(imgDir, strings.ReplaceAll(name, "--", "-"))
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			s.t.Fatal(err)
		}
	}
	have, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(have, []byte(text)) {
		s.t.Errorf("docs/img/%s is not what is shown now (%v); with -update it is written anew:\n%s", name, err, text)
	}
}

// imgDir is found before a test goes elsewhere.
var imgDir, _ = filepath.Abs(filepath.Join("..", "..", "docs", "img"))
