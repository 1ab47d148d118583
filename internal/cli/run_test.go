package cli

import (
	"strings"
	"testing"

	"github.com/git-agent/git-agent/internal/git/gittest"
)

// The one object at the end of `run --json` is the report that resume prints.
func TestContract_run(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.must("begin")
	doc := w.object("git agent run --agent 'echo done${GIT_AGENT_STEP#s0} > a/$GIT_AGENT_STEP.txt' --until s02 --json")
	pin(t, "run", reportFields, doc)
	steps, _ := doc["steps"].([]any)
	pinAll(t, "run: steps", stepFields, steps)
	if doc["next"] != "s03" || len(steps) != 3 {
		t.Errorf("next %v, %d steps", doc["next"], len(steps))
	}
	out, errs, code := w.sh("git agent run --json")
	pin(t, "run that stops", reportFields, decode(t, "run", out))
	body, _ := decode(t, "run", errs)["error"].(map[string]any)
	pin(t, "run that stops", errorFields, body)
	if code != 3 {
		t.Errorf("exit %d", code)
	}
}

// TestReadme_loop types in what the README says of an unattended run.
func TestReadme_loop(t *testing.T) {
	r := gittest.NewWithFiles(t, map[string]string{"README": "hello\n"})
	r.AddRemote()
	typed(t, r, `cat > ../plan.yaml <<-'END'
		title: unattended
		steps: [{id: s01, title: one, touches: [one], check: test -f one}, {id: s02, title: two, touches: [two], check: test -f two}]
		END
		case $(cat ../plan.yaml) in *steps*) ;; *) exit 1 ;; esac
		sed -i 's/^[[:space:]]*//' ../plan.yaml
		printf 'test "$GIT_AGENT_STEP" = s01 && echo > one || echo > two\n' > ../agent
		git agent start ../plan.yaml --run r-1`)
	ran := 0
	for _, b := range readme(t) {
		if b.mark != "run: loop" {
			continue
		}
		ran++
		if out := typed(t, r, b.text); !strings.Contains(out, "every step is certified") {
			t.Errorf("%s", out)
		}
	}
	if ran != 1 {
		t.Errorf("ran %d blocks", ran)
	}
}
