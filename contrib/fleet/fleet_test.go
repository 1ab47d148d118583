// Package fleet holds no code: these tests hold the files beside them to what
// docs/fleet.md and the exit statuses of `git agent run` promise.
package fleet

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// The exit statuses that the files speak of (the design, section 13).
const (
	exitDone        = 0
	exitNo          = 1
	exitPerson      = 3
	exitBusy        = 6
	exitInterrupted = 75
	exitFatal       = 128
	exitUsage       = 129
)

// terminal are the exit statuses after which another try would end the same.
var terminal = []int{exitNo, exitPerson, exitFatal, exitUsage}

func text(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.FromSlash(name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestKubernetes reads the job as far as exit statuses go; the rest is checked
// against the types of Kubernetes' API by `make fleet-files`.
func TestKubernetes(t *testing.T) {
	var job struct {
		Spec struct {
			CompletionMode       string `yaml:"completionMode"`
			BackoffLimitPerIndex int    `yaml:"backoffLimitPerIndex"`
			PodReplacementPolicy string `yaml:"podReplacementPolicy"`
			PodFailurePolicy     struct {
				Rules []struct {
					Action      string `yaml:"action"`
					OnExitCodes struct {
						ContainerName string `yaml:"containerName"`
						Operator      string `yaml:"operator"`
						Values        []int  `yaml:"values"`
					} `yaml:"onExitCodes"`
				} `yaml:"rules"`
			} `yaml:"podFailurePolicy"`
			Template struct {
				Spec struct {
					RestartPolicy string `yaml:"restartPolicy"`
					Grace         int    `yaml:"terminationGracePeriodSeconds"`
				} `yaml:"spec"`
			} `yaml:"template"`
		} `yaml:"spec"`
	}
	if err := yaml.Unmarshal([]byte(text(t, "kubernetes/job.yaml")), &job); err != nil {
		t.Fatal(err)
	}
	s := job.Spec
	if s.CompletionMode != "Indexed" || s.BackoffLimitPerIndex < 1 || s.PodReplacementPolicy != "Failed" || s.Template.Spec.RestartPolicy != "Never" || s.Template.Spec.Grace < 60 {
		t.Errorf("the job: %+v", s)
	}
	codes := map[string][]int{}
	for _, r := range s.PodFailurePolicy.Rules {
		codes[r.Action] = append(codes[r.Action], r.OnExitCodes.Values...)
	}
	if !slices.Equal(codes["Ignore"], []int{exitInterrupted}) || !slices.Equal(codes["FailIndex"], terminal) {
		t.Errorf("exit statuses: %v", codes)
	}
}

func TestSystemd_exitStatuses(t *testing.T) {
	unit := text(t, "systemd/git-agent@.service")
	want := []string{"RestartForceExitStatus=" + strconv.Itoa(exitInterrupted) + "\n", "RestartPreventExitStatus=" + numbers(terminal) + "\n", "KillMode=mixed\n", "Restart=on-failure\n"}
	for _, line := range want {
		if !strings.Contains(unit, "\n"+line) {
			t.Errorf("git-agent@.service has no %q", line)
		}
	}
}

func numbers(list []int) string {
	var words []string
	for _, n := range list {
		words = append(words, strconv.Itoa(n))
	}
	return strings.Join(words, " ")
}

// TestSystemd_verify has systemd read the units, with the programs that they
// start put where a test may put them.
func TestSystemd_verify(t *testing.T) {
	analyze := need(t, "systemd-analyze")
	dir := t.TempDir()
	for _, name := range []string{"worker", "systemd/start-runs"} {
		write(t, filepath.Join(dir, filepath.Base(name)), text(t, name), 0o755)
	}
	var units []string
	for _, name := range []string{"git-agent@.service", "git-agent-fleet.service", "git-agent-fleet.timer"} {
		unit := strings.ReplaceAll(text(t, "systemd/"+name), "/usr/local/libexec/git-agent", dir)
		unit = strings.ReplaceAll(unit, "EnvironmentFile=/etc/git-agent/fleet.env", "Environment=REPOSITORY=x")
		units = append(units, filepath.Join(dir, strings.ReplaceAll(name, "@.", "@r-1.")))
		write(t, filepath.Join(dir, name), unit, 0o644)
	}
	out, err := exec.Command(analyze, append([]string{"verify", "--man=no"}, units...)...).CombinedOutput()
	var ours []string
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, "git-agent") {
			ours = append(ours, line)
		}
	}
	if err != nil || len(ours) > 0 {
		t.Errorf("systemd-analyze verify: %v\n%s", err, out)
	}
}

// TestShell: every script is sound to shellcheck, where it is installed, and to
// its shell.
func TestShell(t *testing.T) {
	scripts := map[string]string{"worker": "sh", "systemd/start-runs": "sh", "slurm/git-agent.sbatch": "bash"}
	for name, shell := range scripts {
		if out, err := exec.Command(need(t, shell), "-n", filepath.FromSlash(name)).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
		if shellcheck, err := exec.LookPath("shellcheck"); err == nil {
			if out, err := exec.Command(shellcheck, "--shell", shell, filepath.FromSlash(name)).CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", name, err, out)
			}
		}
	}
}

// TestGitHub reads the workflow as far as it calls git agent; the rest is
// checked by actionlint in `make fleet-files`.
func TestGitHub(t *testing.T) {
	var workflow struct {
		Jobs map[string]struct {
			Concurrency struct {
				Cancel *bool `yaml:"cancel-in-progress"`
			} `yaml:"concurrency"`
			Steps []struct {
				Run string `yaml:"run"`
			} `yaml:"steps"`
		} `yaml:"jobs"`
	}
	if err := yaml.Unmarshal([]byte(text(t, "github/git-agent.yml")), &workflow); err != nil {
		t.Fatal(err)
	}
	job := workflow.Jobs["run"]
	if cancel := job.Concurrency.Cancel; cancel == nil || *cancel {
		t.Error("a second workflow would end the first one")
	}
	calls := 0
	for _, s := range slices.Concat(workflow.Jobs["list"].Steps, job.Steps) {
		if out, err := exec.Command(need(t, "bash"), "-n", "-c", s.Run).CombinedOutput(); err != nil {
			t.Errorf("%v: %s\n%s", err, out, s.Run)
		}
		if strings.Contains(s.Run, "git-agent run") {
			calls++
		}
	}
	if calls != 2 {
		t.Errorf("%d steps call git-agent run and runs, want 2", calls)
	}
}

// TestDocs: the table of docs/fleet.md says what the files do.
func TestDocs(t *testing.T) {
	row := regexp.MustCompile(`(?m)^\| ([0-9, ]+)[^|]*\|[^|]*\|[^|]*\| ([^|]*) \|[^|]*\|[^|]*\| ([^|]*) \|$`)
	kubernetes, systemd := map[int]string{}, map[int]string{}
	for _, m := range row.FindAllStringSubmatch(text(t, "../../docs/fleet.md"), -1) {
		for word := range strings.FieldsFuncSeq(m[1], func(r rune) bool { return r == ',' || r == ' ' }) {
			code, err := strconv.Atoi(word)
			if err != nil {
				t.Fatal(err)
			}
			kubernetes[code], systemd[code] = m[2], m[3]
		}
	}
	for code, says := range kubernetes {
		want, unit := "again, later", "again"
		switch {
		case code == exitDone:
			want, unit = "the index is complete", "inactive"
		case code == exitInterrupted, code == exitBusy: // of which worker makes 75
			want = "again"
		case slices.Contains(terminal, code):
			want, unit = "the index fails", "failed"
		}
		if says != want || systemd[code] != unit {
			t.Errorf("exit %d: Kubernetes %q, want %q; systemd %q, want %q", code, says, want, systemd[code], unit)
		}
	}
	if len(kubernetes) < 11 {
		t.Errorf("the table has %d statuses", len(kubernetes))
	}
}

// need finds a program, or skips the test and names it.
func need(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("there is no %s here", name)
	}
	return path
}

func write(t *testing.T, name, content string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(name, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
}
