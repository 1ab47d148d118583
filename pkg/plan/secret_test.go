package plan_test

import (
	"strings"
	"testing"

	"github.com/git-agent/git-agent/pkg/plan"
)

// Tokens are put together here, so that no scanner takes this file for a leak.
func random(n int) string { return strings.Repeat("aB3dE5gH7j", n/10+1)[:n] }

// TestThreat11_ParseNew_refusesSecrets: wherever a token stands it is a fault
// with its place, told without the token.
func TestThreat11_ParseNew_refusesSecrets(t *testing.T) {
	for what, token := range map[string]string{
		"a private key":     "-----BEGIN " + "OPENSSH PRIVATE KEY-----",
		"an AWS access key": "AKIA" + "QYLPMN5HZ7XW3VUT",
		"a GitHub token":    "ghp_" + random(36),
		"a GitHub token ":   "github_pat_" + random(40),
		"a GitLab token":    "glpat-" + random(20),
		"a Slack token":     "xoxb-" + random(24),
		"a Slack token ":    "hooks.slack.com/services/T0" + random(30),
		"an API key":        "sk-proj-" + random(40),
		"a Google API key":  "AIza" + random(35),
		"a Stripe key":      "sk_live_" + random(24),
		"an npm token":      "npm_" + random(36),
	} {
		for _, place := range []struct{ at, rest string }{
			{"6:", "check: ['curl -H \"X: " + token + "\" x']"},
			{"6:", "check: [{run: x, env: {K: '" + token + "'}}]"},
			{"6:", "check: [x] # " + token},
			{"7:", "check: [x]\n    do: 'K=" + token + " ./x'"},
			{"8:", "check: [x]\n    brief: |\n      with " + token},
		} {
			_, err := plan.ParseNew("p.yaml", []byte("title: t\nsteps:\n  - id: a\n    title: a\n    touches: [a]\n    "+place.rest+"\n"))
			if err == nil {
				t.Errorf("%s is taken in %q", what, place.rest)
				continue
			}
			if !strings.Contains(err.Error(), "p.yaml:"+place.at) || !strings.Contains(err.Error(), strings.TrimSpace(what)) || !strings.Contains(err.Error(), "environment") {
				t.Errorf("%s in %q: %v", what, place.rest, err)
			}
			if strings.Contains(err.Error(), token) {
				t.Errorf("the error repeats the token: %v", err)
			}
		}
	}
}

// TestThreat11_ParseNew_takesWords: what only resembles a token is a plan.
func TestThreat11_ParseNew_takesWords(t *testing.T) {
	for _, text := range []string{
		"AKIAIOSFODNN7" + "EXAMPLE", "sk-learn-with-a-very-long-package-name", "task-sk-1", "sk-" + strings.Repeat("1", 40),
		"ghp_short", "$GITHUB_TOKEN", "xoxb-1", "4b825dc642cb6eb9a060e54bf8d69288fbee4904", "-----BEGIN PUBLIC KEY-----",
		"npm_config_registry=https://example.org/a/very/long/path/to/somewhere",
	} {
		if _, err := plan.ParseNew("p.yaml", []byte("title: t\nsteps: [{id: a, title: a, touches: [a], check: ['echo "+text+"']}]\n")); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestThreat11_Parse_readsOldPlans: a run whose plan was stored before the rule
// stays readable.
func TestThreat11_Parse_readsOldPlans(t *testing.T) {
	if _, err := plan.Parse("p.yaml", []byte("title: t\nsteps: [{id: a, title: a, touches: [a], check: ['echo ghp_"+random(36)+"']}]\n")); err != nil {
		t.Error(err)
	}
}
