package compattest

import "strings"

func (c *compatClone) report() (cmdEnd, wrong) {
	a, w := c.agent("report", "r-1", "--json"), wrong{}
	w.want("names the steps", a.field("plan.#"), 6)
	return a, w
}

func (c *compatClone) check() (cmdEnd, wrong) {
	a, w := c.agent("check", "s02", "--run", "r-1", "--json"), wrong{}
	w.want("outcome", a.field("outcome"), "passed")
	return a, w
}

func (c *compatClone) logs() (cmdEnd, wrong) {
	a, w := c.agent("logs", "s03", "--run", "r-1", "--json"), wrong{}
	w.want("what the job printed", strings.Contains(a.out, `"text":"printed\n"`), true)
	return a, w
}

// say follows an attempt up that did half of the step and failed.
func (c *compatClone) say() (cmdEnd, wrong) {
	work := `what=half; ! test -e "$D/told" || what=done` + "\n" + strings.Replace(c.doing("s05", "$what"), "what=$what", ":", 1)
	first := c.agent("step", "s05", "--run", "r-1", "--json", "--", "sh", "-euc", work)
	c.must(`: > "$D/told"`)
	a, w := c.agent("say", "--run", "r-1", "--json", "the whole of it"), wrong{}
	if first.code != "CHECK_FAILED" {
		c.t.Logf("say: the attempt to follow up: %s", first.err)
	}
	c.certified(&w, &a, "s05", "s06")
	return a, w
}

// loop is an unattended run, to its end.
func (c *compatClone) loop() (cmdEnd, wrong) {
	a, w := c.agent("run", "r-1", "--json", "--agent", c.doing("$GIT_AGENT_STEP", "done")), wrong{}
	c.certified(&w, &a, "s06", "<nil>")
	return a, w
}

func (c *compatClone) audit() (cmdEnd, wrong) {
	a, w := c.agent("audit", "r-1", "--json"), wrong{}
	if a.exit == 0 {
		w.want("certificates", a.field("certificates.#"), c.count("rev-list --count --first-parent --grep=^Agent-Check: refs/heads/agent-run/r-1"))
		w.want("verdict", a.field("verdict"), "passed")
	}
	return a, w
}

func (c *compatClone) preflight() (cmdEnd, wrong) {
	a, w := c.agent("preflight", "r-1", "--json"), wrong{}
	w.want("verdict", a.field("verdict"), "dispatch")
	if verdict, _ := a.field("verdict").(string); a.exit != 0 && verdict != "" {
		a.code = verdict // it is an answer, not an error
	}
	return a, w
}

// land takes the run into main, which moved on since it began.
func (c *compatClone) land() (cmdEnd, wrong) {
	a, w := c.agent("land", "r-1", "--json"), wrong{}
	where := `--git-dir="$D/origin.git"`
	if c.shape.local {
		where = ""
	}
	w.want("verdict", a.field("verdict"), "landed")
	if a.did = a.field("verdict") == "landed"; a.did {
		w.want("the target", c.count(where+" rev-parse main"), a.field("commit"))
		w.want("holds the last step", c.count(where+" rev-list --count main..refs/heads/agent-run/r-1"), "0")
	}
	return a, w
}

func (c *compatClone) cancel() (cmdEnd, wrong) {
	a, w := c.agent("cancel", "r-1", "--json"), wrong{}
	w.want("run", a.field("run"), "r-1")
	w.want("stands", strings.Contains(c.agent("runs", "--json").out, `"cancelled":`), true)
	return a, w
}

// count is one line of what git answers.
func (c *compatClone) count(args string) string { return strings.TrimSpace(c.must("git " + args)) }
