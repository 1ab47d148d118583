package cli

import "testing"

// The frozen fields of landing's commands: fields are only added.
var (
	preflightFields = fields{"format": "number", "item": "string", "verdict": "string", "how": "string", "text": "string", "evidence": "object"}
	landFields      = fields{"format": "number", "run": "string", "verdict": "string", "how": "string", "mode": "string", "target": "string", "commit": "string",
		"certificate": "string", "steps": "list", "marker": "string", "pushed": "bool", "dry_run": "bool"}
	markerFields = fields{"format": "number", "verb": "string", "run": "string"}
)

func TestContract_landing(t *testing.T) {
	t.Parallel()
	w := contractWorld(t)
	pin(t, "preflight", preflightFields, w.object("git agent preflight --json --onto main"))
	pin(t, "preflight --item", preflightFields, w.object("git agent preflight --json --item 15"))
	doc := w.object("git agent land --json --onto main --through s01")
	pin(t, "land", landFields, doc)
	if doc["verdict"] != "landed" || doc["dry_run"] != false || doc["pushed"] != true {
		t.Errorf("%v", doc)
	}
	pin(t, "land, again", landFields, w.object("git agent land --json --onto main --through s01"))
	pin(t, "marker parse", markerFields, w.object("git agent marker format --run r-1 --opened 3 | git agent marker parse --json"))
	out, errs, code := w.sh("git agent preflight --json --onto main --step s01")
	if code != 1 || errs != "" {
		t.Errorf("a verdict to skip: exit %d, standard error %q", code, errs)
	}
	pin(t, "preflight, skip", preflightFields, decode(t, "preflight", out))
}
