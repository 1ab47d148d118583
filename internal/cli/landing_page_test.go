package cli

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/internal/testkit"
	"github.com/git-agent/git-agent/pkg/run"
)

// landingWorlds are a run of three certified steps, and what became of it.
var landingWorlds = map[string]string{
	"certified": "",
	"ff":        "git agent -q land r-1 > ../log",
	"merge":     "echo aside > aside; git add aside; git commit -q -m aside; git push -q origin main; git agent -q land r-1 --mode merge > ../log; git pull -q",
	"squash":    "echo aside > aside; git add aside; git commit -q -m aside; git push -q origin main; git agent -q land r-1 --mode squash > ../log; git pull -q",
}

// TestLanding_verdicts plays every row and compares verdict and evidence; the
// table in docs/landing.md is written from it (-update) and has to be fresh.
func TestLanding_verdicts(t *testing.T) {
	t.Parallel()
	worlds := landedWorlds(t)
	results := make([]*run.Preflight, len(landingRows))
	t.Run("rows", func(t *testing.T) {
		for i, row := range landingRows {
			if testing.Short() && i%6 != 0 {
				continue
			}
			t.Run(strings.NewReplacer("`", "", "/", " ").Replace(row.name), func(t *testing.T) {
				t.Parallel()
				results[i] = playLanding(t, worlds[row.world], row)
			})
		}
	})
	if !t.Failed() && !testing.Short() {
		compareTable(t, filepath.Join("..", "..", "docs", "landing.md"), landingTable(results))
	}
}

func landedWorlds(t *testing.T) map[string]*world {
	t.Helper()
	first := newWorld(t)
	first.must(`repo; seq 20 > a/one.txt; git commit -qam lines; git push -q origin main
		sed -i '1i base: main\ntarget: main' ../plan.yaml; sed -i 's|a/new03|a/one.txt|' ../plan.yaml
		git agent -q start ../plan.yaml --run r-1 > ../log; git agent -q trust r-1; one; two
		git agent -q step s03 -- sh -c 'echo more >> a/one.txt; echo done3 > a/s03.txt' > ../log; git checkout -q main`)
	worlds := map[string]*world{}
	for name, script := range landingWorlds {
		w := newWorld(t)
		w.copy(first.dir, w.dir)
		w.must("git remote set-url origin file://$W/work.git; " + script)
		worlds[name] = w
	}
	return worlds
}

// playLanding is one row in a copy of its world.
func playLanding(t *testing.T, from *world, row landingRow) *run.Preflight {
	w := newWorld(t)
	w.copy(from.dir, w.dir)
	w.must("git remote set-url origin file://$W/work.git; git checkout -q main; git pull -q\n" + landingWords + row.then)
	out, errs, code := w.sh("git agent preflight r-1 --json")
	var p run.Preflight
	if err := json.Unmarshal([]byte(out), &p); err != nil {
		t.Fatalf("exit %d, %v: %s%s", code, err, out, errs)
	}
	if p.Verdict != row.token || p.How != row.how || !regexp.MustCompile(row.says).MatchString(p.Text) {
		t.Errorf("%s (%s): %s, want %s (%s): %s\n%s", p.Verdict, p.How, p.Text, row.token, row.how, row.says, out)
	}
	want := map[string]int{"dispatch": 0, "already-landed": 1, "closed": 1, "already-open": 1, "landed-marker-stale": 3, "unknown": 7}[row.token]
	if code != want {
		t.Errorf("exit status %d, want %d", code, want)
	}
	return &p
}

var hexID = regexp.MustCompile(`\b[0-9a-f]{10,64}\b`)

func landingTable(results []*run.Preflight) string {
	var b strings.Builder
	b.WriteString("| what happened | verdict | how | in words |\n|---|---|---|---|\n")
	for i, row := range landingRows {
		p := results[i]
		how := p.How
		if how != "" {
			how = "`" + how + "`"
		}
		text := strings.ReplaceAll(hexID.ReplaceAllString(p.Text, "…"), "|", `\|`)
		text = regexp.MustCompile(`file://\S*/`).ReplaceAllString(text, "file://")
		if p.How == "no-answer" {
			text = `remote "origin" did not answer`
		}
		b.WriteString("| " + row.name + " | `" + p.Verdict + "` | " + how + " | " + text + " |\n")
	}
	return b.String()
}

// compareTable holds a table inside a page to what was seen.
func compareTable(t *testing.T, name, table string) {
	t.Helper()
	block := testkit.Block{Page: name, Begins: "<!-- table: written by TestLanding_verdicts -->", Ends: "<!-- table: end -->"}
	if *update {
		block.Write(t, table)
	}
	testkit.SameLines(t, name+", table", block.Text(t), table)
}
