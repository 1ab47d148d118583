package killat

import "slices"

// scene is a command to be harmed, the state it begins from, and what goes on
// afterwards.
type scene struct {
	name    string
	prepare func(w *world) // once, before the world is copied
	begin   func(w *world) // in each copy: what cannot be copied, a process
	release func(w *world) // lets what was begun end
	command []string       // for git-agent
	shell   string         // runs first, in the same process
	again   []call         // what goes on in the same clone; else resume
	fresh   []call         // what goes on in a brand-new one; else resume --trust
	rest    func(w *world) // what is left to do by then; else the second step
	steps   []string       // certified at the end, newest first; else s02 s01
	check   func(w *world) // of the scene's own, once in each clone that went on
}

// call is one command that goes on, and how it has to end.
type call struct {
	exit int
	args []string
}

func ok(args ...string) call { return call{args: args} }

var (
	resumed = ok("resume", "r-1", "--trust")
	undo    = ok("rollback", "s02", "--yes")
	start   = ok("start", "../plan.yaml", "--run", "r-1")
	amend   = ok("plan", "amend", "r-1", "../amended.yaml")
	landing = ok("land", "r-1", "--mode", "merge")
	loop    = ok("run", "r-1", "--agent", agent)
	cancel  = ok("cancel", "r-1")
)

// agent does whatever step it is asked for.
const agent = `cat > /dev/null; s=$GIT_AGENT_STEP; echo done > a/$s.txt; echo new > a/new-$s; rm -f $s/old; mkdir -p $s/deep; echo deep > $s/deep/new`

// scenes are what a run is made of. The first is the one that CI has in full.
var scenes = []scene{
	{name: "job", command: append([]string{"step", "s02", "--"}, job("s02", "done")...)},
	{name: "by hand", prepare: func(w *world) { w.byHand("s02", "done") }, command: []string{"step", "s02"}},
	{name: "unrecorded", prepare: func(w *world) { w.byHand("s02", "done") }, command: []string{"resume"}},
	{name: "half", prepare: (*world).half, command: []string{"resume"}},
	{name: "fresh", prepare: (*world).fresh, command: resumed.args, again: []call{resumed}},
	{name: "follow", prepare: (*world).follow, command: []string{"resume"}},
	{name: "undo", prepare: (*world).done, command: undo.args, again: []call{undo}, fresh: []call{resumed, undo}, rest: nothing, check: (*world).undone},
	{name: "start", prepare: (*world).unstarted, command: start.args, again: []call{start}, fresh: []call{start}, rest: nothing, steps: []string{}},
	{name: "amend", prepare: (*world).amended, command: amend.args, again: []call{amend}, fresh: []call{resumed, amend}, check: (*world).version2},
	{name: "land", prepare: (*world).finished, command: landing.args, again: []call{landing}, fresh: []call{ok("land", "r-1", "--mode", "merge", "--trust")},
		rest: nothing, steps: all, check: (*world).landed},
	{name: "run", prepare: (*world).begun, command: loop.args, rest: func(w *world) { w.goesOn([]call{loop}) }, steps: all},
	{name: "drain", begin: (*world).detached, release: (*world).letGo, shell: "touch ../go", command: []string{"resume"}, check: (*world).logged},
	{name: "cancel", begin: (*world).detached, command: cancel.args, again: []call{cancel, {3, []string{"resume", "r-1"}}, ok("resume", "r-1", "--takeover")},
		fresh: []call{cancel, {3, resumed.args}, ok("resume", "r-1", "--trust", "--takeover")}},
}

var all = []string{"s03", "s02", "s01"}

func nothing(*world) {}

// argv is what killat is to run.
func (s scene) argv() []string {
	argv := append([]string{"git-agent"}, s.command...)
	if s.shell == "" {
		return argv
	}
	return append([]string{"sh", "-c", s.shell + ` && exec "$@"`, "sh"}, argv...)
}

// goesOn are the commands after the harm.
func (s scene) goesOn(elsewhere bool) []call {
	calls, usual := s.again, ok("resume")
	if elsewhere {
		calls, usual = s.fresh, resumed
	}
	if calls == nil {
		return []call{usual}
	}
	return slices.Clone(calls)
}

func (s scene) certified() []string {
	if s.steps == nil {
		return []string{"s02", "s01"}
	}
	return s.steps
}
