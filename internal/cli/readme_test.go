package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/internal/git/gittest"
)

// block is a fenced block of the README and the comment above it, which says
// what this test does with it.
type block struct{ mark, text string }

var fenced = regexp.MustCompile("(?ms)^<!-- ([a-z: ]+) -->\n```[a-z]+\n(.*?)^```$")

func readme(t *testing.T) []block {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var found []block
	for _, m := range fenced.FindAllStringSubmatch(string(text), -1) {
		found = append(found, block{m[1], m[2]})
	}
	return found
}

// TestReadme_blocksRun types in what the README says, in a repository of the
// test's own and then in a fresh clone with another home.
func TestReadme_blocksRun(t *testing.T) {
	here := gittest.NewWithFiles(t, map[string]string{"README": "hello\n"})
	bare := here.AddRemote()
	there := here.Clone("file://" + bare)
	there.Env = gittest.Env(t)
	ran := 0
	for _, b := range readme(t) {
		repo := map[string]*gittest.Repo{"run: quick": here, "run: fresh": there}[b.mark]
		if repo == nil {
			continue
		}
		ran++
		out := typed(t, repo, b.text)
		if repo == there && !strings.Contains(out, "every step is certified") {
			t.Errorf("the fresh clone does not have the step:\n%s", out)
		}
	}
	if ran < 3 {
		t.Errorf("ran %d blocks: their marks are gone", ran)
	}
	if got := here.Read("NOTES.md"); got == "" {
		t.Error("the quick start made no NOTES.md")
	}
}

func typed(t *testing.T, r *gittest.Repo, script string) string {
	t.Helper()
	c := exec.Command("sh", "-e", "-c", script)
	c.Dir, c.Env = r.Dir, append(r.Env, "EDITOR=true", "GIT_PAGER=cat")
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v in\n%s\n%s", err, script, out)
	}
	return string(out)
}

// TestReadme_demoIsReal: what the README shows is what the demo prints, but for
// times, ids and what it leaves out at each `…`.
func TestReadme_demoIsReal(t *testing.T) {
	command := "go run ./cmd/git-agent demo"
	if !strings.Contains(docText(t, "README.md"), "```sh\n"+command+"\n```") {
		t.Errorf("the README does not begin with %s", command)
	}
	c := exec.Command("sh", "-c", command)
	c.Dir, c.Env = projectTop, gittest.Env(t, goPlaces(t)...)
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", command, err, out)
	}
	rest := plain(string(out))
	shown := 0
	for _, b := range readme(t) {
		if b.mark != "demo" {
			continue
		}
		for part := range strings.SplitSeq(plain(b.text), "…\n") {
			shown++
			_, after, ok := strings.Cut(rest, part)
			if !ok {
				t.Errorf("the demo does not print, or not in this place:\n%s", part)
				continue
			}
			rest = after
		}
	}
	if shown < 2 {
		t.Error("the README shows no demo")
	}
	if t.Failed() {
		t.Logf("it prints:\n%s", out)
	}
}

// goPlaces let a home that is empty build as this one does.
func goPlaces(t *testing.T) []string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE").Output()
	if err != nil {
		t.Fatalf("go env: %v", err)
	}
	places := strings.Fields(string(out))
	return []string{"GOCACHE=" + places[0], "GOMODCACHE=" + places[1], "GOFLAGS=-buildvcs=false"}
}

var (
	ids   = regexp.MustCompile(`\b([0-9a-f]{40}|[0-9a-f]{10})\b`)
	times = regexp.MustCompile(`\b[0-9]+(\.[0-9]+)?s\b|secs=[0-9.]+`)
	pids  = regexp.MustCompile(`kill -9 [0-9 ]+`)
	gaps  = regexp.MustCompile(` {2,}`)
	local = regexp.MustCompile(`\(cached\)`)
)

func plain(text string) string {
	text = times.ReplaceAllString(ids.ReplaceAllString(text, "ID"), "TIME")
	text = local.ReplaceAllString(pids.ReplaceAllString(text, "kill -9 PID"), "TIME")
	return gaps.ReplaceAllString(text, " ")
}
