package plan

import "time"

// plan makes the plan of a document that has no problem.
func (t *tree) plan() *Plan {
	v := t.root
	p := &Plan{
		Title:       str(v.field("title")),
		Base:        str(v.field("base")),
		Target:      str(v.field("target")),
		Setup:       strs(v.field("setup")),
		Fingerprint: strs(v.field("fingerprint")),
		Stray:       str(v.field("stray")),
		PassEnv:     strs(v.field("pass_env")),
	}
	for _, step := range v.field("steps").list() {
		p.Steps = append(p.Steps, buildStep(step))
	}
	return p
}

func buildStep(v *value) Step {
	return Step{
		ID:          str(v.field("id")),
		Title:       str(v.field("title")),
		Item:        str(v.field("item")),
		Touches:     strs(v.field("touches")),
		Reads:       strs(v.field("reads")),
		Check:       checks(v.field("check")),
		Do:          str(v.field("do")),
		Brief:       str(v.field("brief")),
		Until:       str(v.field("until")),
		Confirm:     number(v.field("confirm"), 1),
		Retry:       number(v.field("retry"), 1),
		Fixpoint:    flag(v.field("fixpoint")),
		KeepPartial: flag(v.field("keep_partial")),
		Isolate:     flag(v.field("isolate")),
		Land:        flag(v.field("land")),
	}
}

// checks reads the list of checks, or the one check that was not written as a
// list.
func checks(v *value) []Check {
	if run, ok := v.text(); ok {
		return []Check{{Run: run}}
	}
	var out []Check
	for _, entry := range v.list() {
		out = append(out, buildCheck(entry))
	}
	return out
}

func buildCheck(v *value) Check {
	if run, ok := v.text(); ok {
		return Check{Run: run}
	}
	timeout, _ := time.ParseDuration(str(v.field("timeout"))) // "" is 0, the default
	c := Check{Run: str(v.field("run")), Timeout: timeout, Dir: str(v.field("dir"))}
	if env := v.field("env"); env != nil && len(env.fields) > 0 {
		c.Env = make(map[string]string, len(env.fields))
		for name, text := range env.fields {
			c.Env[name] = str(text)
		}
	}
	return c
}

func str(v *value) string {
	s, _ := v.text()
	return s
}

func strs(v *value) []string {
	var out []string
	for _, item := range v.list() {
		out = append(out, str(item))
	}
	return out
}

func flag(v *value) bool {
	return v != nil && v.plain == true
}

// number reads a whole number, which YAML may also spell 1.0.
func number(v *value, otherwise int) int {
	if v == nil {
		return otherwise
	}
	switch n := v.plain.(type) {
	case int64:
		return int(n)
	case float64:
		return int(n)
	}
	return otherwise
}
