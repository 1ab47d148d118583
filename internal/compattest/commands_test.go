package compattest

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/git-agent/git-agent/internal/testkit"
)

// compatCommand is a column of the page: it runs the command in a clone and,
// where that ended well, says what is wrong there all the same.
type compatCommand struct {
	name string
	run  func(c *compatClone) (cmdEnd, wrong)
}

// compatCommands stand in the order in which they run.
var compatCommands = []compatCommand{
	{"resume", (*compatClone).resume},
	{"status", (*compatClone).status},
	{"log", (*compatClone).log},
	{"brief", (*compatClone).brief},
	{"runs", (*compatClone).runs},
	{"report", (*compatClone).report},
	{"doctor", (*compatClone).doctor},
	{"check", (*compatClone).check},
	{"step with a job", (*compatClone).stepJob},
	{"logs", (*compatClone).logs},
	{"step without", (*compatClone).stepPlain},
	{"audit", (*compatClone).audit},
	{"say", (*compatClone).say},
	{"rollback", (*compatClone).rollback},
	{"stash", (*compatClone).stash},
	{"run", (*compatClone).loop},
	{"preflight", (*compatClone).preflight},
	{"land", (*compatClone).land},
	{"cancel", (*compatClone).cancel},
	{"start", (*compatClone).start},
}

// commands runs them all and answers the cells of this clone's row.
func (c *compatClone) commands() map[string]string {
	cells := map[string]string{}
	for _, command := range compatCommands {
		a, faults := command.run(c)
		cells[command.name] = a.cell(command.name)
		if a.exit == 0 || a.did {
			faults.want("what lies elsewhere", c.elsewhere(), c.before)
		}
		if len(faults) > 0 && (a.exit == 0 || a.did) {
			c.t.Errorf("%s: %s\n%s%s", command.name, strings.Join(faults, "\n"), a.out, a.err)
		}
		if a.exit != 0 {
			c.t.Logf("%s: exit %d %s", command.name, a.exit, a.err)
		}
		if a.exit != 0 && a.code == "" {
			c.t.Errorf("%s: exit %d without a code\n%s%s", command.name, a.exit, a.out, a.err)
		}
		if a.exit == 2 || a.exit == -1 {
			c.t.Errorf("%s: crashed\n%s", command.name, a.err)
		}
		if command.name == "resume" && c.shape.later != "" {
			c.must(c.shape.later)
		}
	}
	return cells
}

func (a cmdEnd) cell(command string) string {
	switch {
	case a.note != "":
		return a.note
	case a.exit == 0:
		return "works"
	case a.exit == 5 && a.did:
		return "works, not pushed (5)"
	case command == "doctor" && a.code == "DOCTOR":
		return "finds: " + strings.Join(a.findings(), ", ")
	}
	return fmt.Sprintf("`%s` (%d)", a.code, a.exit)
}

// findings are what the doctor found wrong.
func (a cmdEnd) findings() (found []string) {
	for line := range strings.Lines(a.out) {
		var f struct {
			What string
			OK   bool
		}
		if json.Unmarshal([]byte(line), &f) == nil && !f.OK {
			found = append(found, f.What)
		}
	}
	return found
}

// field is a value of a report.
func (a cmdEnd) field(path string) any {
	var doc any
	if json.Unmarshal([]byte(strings.TrimSpace(a.out)), &doc) != nil {
		return nil
	}
	return testkit.Dig(doc, strings.Split(path, "."))
}

func (c *compatClone) resume() (cmdEnd, wrong) {
	a, w := c.agent("resume", "r-1", "--trust", "--json"), wrong{}
	w.want("next", a.field("next"), "s03")
	w.want("s01", a.field("steps.s01.status"), "certified")
	w.want("s01", a.field("steps.s01.how"), "touches")
	w.want("s02", a.field("steps.s02.how"), "tree")
	return a, w
}

func (c *compatClone) status() (cmdEnd, wrong) {
	a, w := c.agent("status", "r-1", "--json"), wrong{}
	w.want("next", a.field("next"), "s03")
	w.want("s02", a.field("steps.s02.status"), "certified")
	return a, w
}

func (c *compatClone) log() (cmdEnd, wrong) {
	a, w := c.agent("log", "r-1", "--json"), wrong{}
	w.want("certificates", strings.Count(a.out, `"format":1`), 2)
	return a, w
}

func (c *compatClone) brief() (cmdEnd, wrong) {
	a, w := c.agent("brief", "r-1", "--json"), wrong{}
	w.want("names the next step", strings.Contains(a.out, "s03"), true)
	return a, w
}

func (c *compatClone) runs() (cmdEnd, wrong) {
	a, w := c.agent("runs", "--json"), wrong{}
	if here := c.must("git for-each-ref refs/agent/"); here == "" && a.exit == 0 {
		a.note = "lists none"
	} else {
		w.want("lists the run", strings.Contains(a.out, `"r-1"`), true)
	}
	return a, w
}

func (c *compatClone) doctor() (cmdEnd, wrong) { return c.agent("doctor", "--json"), nil }

func (c *compatClone) stepJob() (cmdEnd, wrong) {
	a, w := c.agent("step", "s03", "--run", "r-1", "--json", "--", "sh", "-euc", "echo printed\n"+c.doing("s03", "done")), wrong{}
	c.certified(&w, &a, "s03", "s04")
	c.jobDone = a.did
	return a, w
}

// stepPlain certifies by hand what the job would have done, where it did not.
func (c *compatClone) stepPlain() (cmdEnd, wrong) {
	step, next := "s04", "s05"
	if !c.jobDone {
		step, next = "s03", "s04"
	}
	c.byHand(step, "done")
	a, w := c.agent("step", step, "--run", "r-1", "--json"), wrong{}
	c.certified(&w, &a, step, next)
	return a, w
}

func (c *compatClone) rollback() (cmdEnd, wrong) {
	c.byHand("s06", "half")
	a, w := c.agent("rollback", "s06", "--run", "r-1", "--json"), wrong{}
	if a.did = strings.Contains(a.out, `"refs/agent-stash/r-1/s06/1"`); a.did {
		w.want("half-done work", c.must("grep -rls half a || :"), "")
		w.want("what git says, but of a submodule's folder", c.must("git status --porcelain --ignore-submodules=all -- a/s06*"), "")
	}
	w.want("says what it did", a.did, a.exit == 0 || a.code == "NOT_PUSHED")
	return a, w
}

func (c *compatClone) stash() (cmdEnd, wrong) {
	a, w := c.agent("stash", "list", "r-1", "--json"), wrong{}
	if a.exit != 0 {
		return a, w
	}
	if !strings.Contains(a.out, "r-1/s06/1") {
		a.note = "lists none"
		return a, w
	}
	w.want("show", c.agent("stash", "show", "r-1/s06/1").exit, 0)
	applied := c.agent("stash", "apply", "r-1/s06/1")
	w.want("apply", applied.exit, 0)
	w.want("half-done work", strings.TrimSpace(c.must("cat a/s06.txt")), "half")
	w.want("drop", c.agent("stash", "drop", "r-1/s06/1").exit, 0)
	w.want("half-done work after another rollback", c.agent("rollback", "s06", "--run", "r-1").exit == 0 || c.shape.gone(), true)
	return a, w
}

// start begins another run; what a refused command left to a person is put away
// first, as a person would.
func (c *compatClone) start() (cmdEnd, wrong) {
	_, _ = c.sh("git checkout -q -f -- a; git clean -q -f -d a; git submodule --quiet update -- a")
	a, w := c.agent("start", c.dir+"/second.yaml", "--run", "r-2", "--json"), wrong{}
	w.want("next", a.field("next"), "s01")
	if a.did = a.field("next") == "s01"; a.did {
		w.want("HEAD", strings.TrimSpace(c.must("git symbolic-ref HEAD")), "refs/heads/agent-run/r-2")
	}
	return a, w
}

// certified requires that a step's certificate holds its paths alone, that git
// sees nothing left of it, and that it is on the remote, where one is.
func (c *compatClone) certified(w *wrong, a *cmdEnd, step, next string) {
	if a.did = a.field("steps."+step+".status") == "certified"; a.exit != 0 && !a.did {
		return
	}
	w.want("next", a.field("next"), next)
	w.want("status", a.field("steps."+step+".status"), "certified")
	for path := range strings.SplitSeq(strings.TrimSuffix(c.must("git diff-tree -r -z --name-only HEAD~1 HEAD | tr '\\0\\n' '\\n?'"), "\n"), "\n") {
		w.want("a path of the certificate is the step's", strings.HasPrefix(path, "a/"+step), true)
	}
	w.want("what git says", c.must("git status --porcelain -- a"), "")
	if pushed, _ := a.field("pushed").(bool); pushed {
		w.want("on the remote", strings.TrimSpace(c.must(`git --git-dir="$D/origin.git" rev-parse refs/heads/agent-run/r-1`)), strings.TrimSpace(c.must("git rev-parse HEAD")))
	} else {
		w.want("not pushed", a.exit == 5 || c.shape.local, true)
	}
}

// doing is a step's work, as a job or by hand; what tells whole from half.
func (c *compatClone) doing(step, what string) string {
	return fmt.Sprintf("s=%s what=%s\nmkdir -p a\necho $what > a/$s.txt; echo $what > a/$s-new\n%s", step, what, compatWork[c.shape.origin])
}

func (c *compatClone) byHand(step, what string) {
	if out, err := c.sh(c.doing(step, what)); err != nil {
		c.t.Logf("by hand: %v\n%s", err, out)
	}
}
