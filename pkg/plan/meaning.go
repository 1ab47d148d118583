package plan

import (
	"strconv"
	"time"
)

// maxTimeout is the longest that one check may be given.
const maxTimeout = 168 * time.Hour

// checkMeaning reports what the schema cannot say, or cannot say as well.
// Values that are missing or of another type are left to the schema.
func (t *tree) checkMeaning() {
	for _, key := range []string{"title", "base", "target"} {
		t.checkLine(t.root.field(key))
	}
	t.checkRevision(t.root.field("base"))
	t.checkBranch(t.root.field("target"))
	each(t.root.field("setup"), t.checkCommand)
	each(t.root.field("fingerprint"), t.checkCommand)
	each(t.root.field("pass_env"), t.checkVariable)
	steps := t.root.field("steps").list()
	order := t.checkIDs(steps)
	for i, step := range steps {
		t.checkStep(step)
		t.checkUntil(step.field("until"), i, steps, order)
	}
}

func each(list *value, check func(*value)) {
	for _, item := range list.list() {
		check(item)
	}
}

// checkIDs judges every step's id and answers where each id first stands.
func (t *tree) checkIDs(steps []*value) map[string]int {
	first := map[string]int{}
	for i, step := range steps {
		v := step.field("id")
		id, ok := v.text()
		if !ok {
			continue
		}
		earlier, again := first[id]
		switch {
		case reservedUse[id] != "":
			t.report(v, "the id %q is taken: git agent keeps %s under that name", id, reservedUse[id])
		case again:
			line := steps[earlier].field("id").position().Line
			t.report(v, "the id %q is used twice, first on line %d", id, line)
		default:
			if err := validID(id); err != nil {
				t.report(v, "%v", err)
			}
		}
		if !again {
			first[id] = i
		}
	}
	return first
}

// reservedUse says what the names below refs/agent-stash/<run>/ that are no
// step's are for.
var reservedUse = map[string]string{"strays": "changes outside touches", "lost": "work that lost a race"}

func (t *tree) checkStep(v *value) {
	t.checkLine(v.field("title"))
	t.checkLine(v.field("item"))
	each(v.field("touches"), t.checkPath)
	each(v.field("reads"), t.checkPath)
	t.checkCommand(v.field("do"))
	t.checkCommand(v.field("check"))
	each(v.field("check"), t.checkCheck)
	t.checkFree(v.field("brief"))
}

func (t *tree) checkCheck(v *value) {
	t.checkCommand(v)
	t.checkCommand(v.field("run"))
	t.checkTimeout(v.field("timeout"))
	if dir, ok := v.field("dir").text(); ok {
		if err := checkDir(dir); err != nil {
			t.report(v.field("dir"), "dir %q %v", dir, err)
		}
	}
	env := v.field("env")
	if env == nil {
		return
	}
	for name, text := range env.fields {
		if !envName().MatchString(name) {
			t.reportKey(text, "env: %q is no variable name; %s", name, envHint)
		}
		t.checkShown(text, "the variable's value")
	}
}

const envHint = "write letters, digits and underscores, not beginning with a digit"

func (t *tree) checkVariable(v *value) {
	if name, ok := v.text(); ok && !envName().MatchString(name) {
		t.report(v, "pass_env: %q is no variable name; %s", name, envHint)
	}
}

func (t *tree) checkPath(v *value) {
	if path, ok := v.text(); ok {
		if err := checkPattern(path); err != nil {
			t.report(v, "%s: %q %v", v.label(), path, err)
		}
	}
}

func (t *tree) checkTimeout(v *value) {
	text, ok := v.text()
	if !ok {
		return
	}
	switch d, err := time.ParseDuration(text); {
	case err != nil:
		t.report(v, "timeout %q is not a duration; write a number with its unit, such as 90s, 2m or 1h30m", text)
	case d <= 0:
		t.report(v, "timeout %q must be more than zero; leave it out for the default", text)
	case d > maxTimeout:
		t.report(v, "timeout %q is more than %dh, the longest that a check may take", text, int(maxTimeout.Hours()))
	}
}

// checkUntil holds step i to name a step behind itself.
func (t *tree) checkUntil(v *value, i int, steps []*value, order map[string]int) {
	until, ok := v.text()
	if !ok {
		return
	}
	switch later, known := order[until]; {
	case !known:
		var ids []string
		for _, step := range steps {
			ids = append(ids, str(step.field("id")))
		}
		t.report(v, "until names no step of this plan: %q%s", until, didYouMean(until, ids))
	case later == i:
		t.report(v, "until names the step itself; name the later step that ends what this check expects")
	case later < i:
		t.report(v, "until names %q, an earlier step; name the later step that ends what this check expects", until)
	}
}

func didYouMean(word string, allowed []string) string {
	if near := suggest(word, allowed); near != "" {
		return "; did you mean " + strconv.Quote(near) + "?"
	}
	return ""
}
