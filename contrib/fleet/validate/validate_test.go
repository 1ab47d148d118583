// Package validate checks the files of contrib/fleet against what reads them:
// the types of Kubernetes' API and actionlint. `make fleet-files` runs it; it
// is a module of its own, because it needs more code than git agent itself.
package validate

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/rhysd/actionlint"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	"sigs.k8s.io/json"
	"sigs.k8s.io/yaml"
)

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("../" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestKubernetes: every field is one that the API has. Values are compared with
// the API's own words where a misspelt one would be taken by the types.
func TestKubernetes(t *testing.T) {
	var job batch.Job
	if err := strict(read(t, "kubernetes/job.yaml"), &job); err != nil {
		t.Fatal(err)
	}
	if job.APIVersion != "batch/v1" || job.Kind != "Job" {
		t.Errorf("%s %s", job.APIVersion, job.Kind)
	}
	s := job.Spec
	if *s.CompletionMode != batch.IndexedCompletion || *s.PodReplacementPolicy != batch.Failed || s.Template.Spec.RestartPolicy != core.RestartPolicyNever {
		t.Errorf("modes: %v %v %v", *s.CompletionMode, *s.PodReplacementPolicy, s.Template.Spec.RestartPolicy)
	}
	containers := map[string]bool{}
	for _, c := range s.Template.Spec.Containers {
		containers[c.Name] = true
	}
	for _, r := range s.PodFailurePolicy.Rules {
		if r.Action != batch.PodFailurePolicyActionIgnore && r.Action != batch.PodFailurePolicyActionFailIndex {
			t.Errorf("action %q", r.Action)
		}
		if r.OnExitCodes != nil && (r.OnExitCodes.Operator != batch.PodFailurePolicyOnExitCodesOpIn || !containers[*r.OnExitCodes.ContainerName]) {
			t.Errorf("exit codes: %+v", r.OnExitCodes)
		}
		for _, p := range r.OnPodConditions {
			if p.Type != core.DisruptionTarget {
				t.Errorf("condition %q", p.Type)
			}
		}
	}
	mounts(t, s.Template.Spec)
}

// strict reads as the API server does: a field that it has not, or has in other
// letters, is an error.
func strict(text []byte, into any) error {
	asJSON, err := yaml.YAMLToJSONStrict(text)
	if err != nil {
		return err
	}
	strictly, err := json.UnmarshalStrict(asJSON, into)
	return errors.Join(append(strictly, err)...)
}

func mounts(t *testing.T, spec core.PodSpec) {
	t.Helper()
	volumes := map[string]bool{}
	for _, v := range spec.Volumes {
		volumes[v.Name] = true
	}
	for _, m := range spec.Containers[0].VolumeMounts {
		if !volumes[m.Name] {
			t.Errorf("there is no volume %q", m.Name)
		}
	}
}

// TestKubernetes_misspelt: the check can fail.
func TestKubernetes_misspelt(t *testing.T) {
	text := strings.Replace(string(read(t, "kubernetes/job.yaml")), "backoffLimitPerIndex:", "backOffLimitPerIndex:", 1)
	if err := strict([]byte(text), &batch.Job{}); err == nil {
		t.Error("a misspelt field is let through")
	}
}

func TestGitHub(t *testing.T) {
	faults := lint(t, read(t, "github/git-agent.yml"))
	for _, f := range faults {
		t.Errorf("%v", f)
	}
	if faults := lint(t, []byte(strings.Replace(string(read(t, "github/git-agent.yml")), "fail-fast:", "fail-fasst:", 1))); len(faults) == 0 {
		t.Error("a misspelt key is let through")
	}
}

func lint(t *testing.T, text []byte) []*actionlint.Error {
	t.Helper()
	linter, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	faults, err := linter.Lint("git-agent.yml", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	return faults
}
