package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/internal/manual"
	"github.com/git-agent/git-agent/pkg/run"
	"github.com/git-agent/git-agent/pkg/settings"
)

var (
	keyRead  = regexp.MustCompile(`(?:Config|ConfigBool|UserConfig|[cC]onfigured|setting)\(\s*"((?:agent|color|advice)\.[a-zA-Z.]+)"`)
	keyTold  = regexp.MustCompile("(?m)^`((?:agent|color)\\.[a-zA-Z.]+)`$")
	keyLoose = regexp.MustCompile(`"(agent\.[a-z]+)"`)
)

// TestConfig_everyKeyIsDocumented: a setting that the code reads has a
// paragraph in git-agent-config(5), and each paragraph is about one that is
// read.
func TestConfig_everyKeyIsDocumented(t *testing.T) {
	text, err := manual.Text("config.5")
	if err != nil {
		t.Fatal(err)
	}
	told := map[string]bool{}
	for _, m := range keyTold.FindAllStringSubmatch(text, -1) {
		told[strings.ToLower(m[1])] = true
	}
	read := map[string]string{}
	for _, dir := range []string{"internal", "pkg"} {
		err := filepath.WalkDir(filepath.Join("..", "..", dir), func(name string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") || strings.Contains(filepath.ToSlash(name), "pkg/settings/") {
				return err
			}
			source, err := os.ReadFile(name)
			for _, pattern := range []*regexp.Regexp{keyRead, keyLoose} {
				for _, m := range pattern.FindAllStringSubmatch(string(source), -1) {
					read[strings.ToLower(m[1])] = name
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for key, where := range read {
		if key != "color.ui" && !told[key] {
			t.Errorf("%s reads %s, which internal/manual/prose/config.5.md does not explain", where, key)
		}
	}
	for key := range told {
		if read[key] == "" {
			t.Errorf("internal/manual/prose/config.5.md explains %s, which nothing reads", key)
		}
	}
	for key := range told {
		if !slices.ContainsFunc(settings.All, func(s settings.Setting) bool { return strings.EqualFold(s.Key, key) }) {
			t.Errorf("pkg/settings has no %s: no value of it is refused", key)
		}
	}
	for _, s := range settings.All {
		if !told[strings.ToLower(s.Key)] {
			t.Errorf("internal/manual/prose/config.5.md does not explain %s", s.Key)
		}
	}
	if len(read) < 10 {
		t.Errorf("found %d keys: the pattern is out of date", len(read))
	}
}

// TestConfig_environmentIsDocumented: variables of ours that the code names.
func TestConfig_environmentIsDocumented(t *testing.T) {
	text, err := manual.Text("config.5")
	if err != nil {
		t.Fatal(err)
	}
	main, err := os.ReadFile(filepath.Join("..", "..", "man", "git-agent.1"))
	if err != nil {
		t.Fatal(err)
	}
	variable := regexp.MustCompile(`"(GIT_AGENT_[A-Z_]+)=?"`)
	var names []string
	for _, pattern := range []string{"*.go", "../../pkg/run/*.go", "../git/*.go", "../../pkg/check/*.go", "../../pkg/job/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range variable.FindAllStringSubmatch(string(source), -1) {
				names = append(names, m[1])
			}
		}
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if name != supervised && !strings.Contains(text, "`"+name+"`") && !strings.Contains(string(main), name) {
			t.Errorf("neither git-agent-config(5) nor git-agent(1) explains %s", name)
		}
	}
}

// TestAdvice_keys: git folds the case of its keys.
func TestAdvice_keys(t *testing.T) {
	for code, want := range map[string]string{"RUN_BUSY": "advice.agentrunbusy", "STRAYS": "advice.agentstrays"} {
		if got := adviceKey(code); got != want {
			t.Errorf("%s: %s, want %s", code, got, want)
		}
	}
}

// TestHowFar: what `status --exit-status` makes of a report.
func TestHowFar(t *testing.T) {
	for _, c := range []struct {
		statuses string
		want     int
	}{
		{"certified skipped", run.ExitDone}, {"certified pending", run.ExitNo}, {"running", run.ExitNo}, {"uncertified", run.ExitNo},
		{"pending regressed", run.ExitPerson}, {"environment certified", run.ExitPerson}, {"", run.ExitDone},
	} {
		r := &run.Report{}
		for status := range strings.FieldsSeq(c.statuses) {
			r.Steps = append(r.Steps, run.StepReport{Status: status})
		}
		if got := howFar(r); got != c.want {
			t.Errorf("%q: %d, want %d", c.statuses, got, c.want)
		}
	}
}

// supervised is between git agent and its own supervisor.
const supervised = "GIT_AGENT_SUPERVISED"
