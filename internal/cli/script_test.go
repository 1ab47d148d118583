package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/internal/testkit"
	"github.com/rogpeppe/go-internal/testscript"
)

// TestScripts runs testdata/script/*.txtar: real git, the real binary, an
// environment built from nothing. See testdata/script/README.md.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Files:               scripts(t),
		Setup:               hermetic,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Condition:           condition,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"code": cmdCode, "json": cmdJSON, "repo": cmdRepo, "plan": cmdPlan, "count": cmdCount, "fresh": cmdFresh, "oldgit": cmdOldGit,
		},
	})
}

// scripts are all of them or, with -short (the race detector's run, which looks
// for races and not for faults), every eighth and the main job.
func scripts(t *testing.T) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join("testdata", "script", "*.txtar"))
	if err != nil || len(all) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	if !testing.Short() {
		return all
	}
	some := []string{filepath.Join("testdata", "script", "main_job.txtar")}
	for i := 0; i < len(all); i += 8 {
		if all[i] != some[0] {
			some = append(some, all[i])
		}
	}
	t.Logf("-short: %d of %d scripts", len(some), len(all))
	return some
}

func hermetic(env *testscript.Env) error {
	home := filepath.Join(env.WorkDir, "home")
	env.Vars = append(env.Vars,
		"HOME="+home, "XDG_STATE_HOME="+filepath.Join(home, "state"), "XDG_CONFIG_HOME="+filepath.Join(home, "config"),
		"TZ=UTC", "LANG=C.UTF-8", "TERM=dumb", "GORACE=atexit_sleep_ms=0", "GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0",
		"GIT_AUTHOR_NAME=A U Thor", "GIT_AUTHOR_EMAIL=author@example.org",
		"GIT_COMMITTER_NAME=C O Mitter", "GIT_COMMITTER_EMAIL=committer@example.org",
		"COUNT="+filepath.Join(env.WorkDir, "count"), "KILL_AT=", "CODE=")
	if err := os.MkdirAll(filepath.Join(env.WorkDir, "count"), 0o755); err != nil {
		return err
	}
	traced(env)
	return os.MkdirAll(home, 0o755)
}

// cmdCode: `code N command…` runs a command and requires exactly exit status N.
func cmdCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code <status> <command>…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	if got := exitStatus(err); got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

func exitStatus(err error) int {
	if err == nil {
		return 0
	}
	var status interface{ ExitCode() int }
	if e, ok := err.(interface{ ExitCode() int }); ok {
		status = e
		return status.ExitCode()
	}
	return -2
}

// cmdJSON: `json stdout|stderr <path> <value>` requires a value in the last
// command's JSON (the last line): steps.s03.status, next, error.code, steps.#.
func cmdJSON(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: json stdout|stderr <path> <value>")
	}
	text := strings.TrimSpace(ts.ReadFile(args[0]))
	if i := strings.LastIndexByte(text, '\n'); i >= 0 {
		text = text[i+1:]
	}
	var doc any
	ts.Check(json.Unmarshal([]byte(text), &doc))
	got := fmt.Sprint(testkit.Dig(doc, strings.Split(args[1], ".")))
	if (got == args[2]) == neg {
		ts.Fatalf("%s is %q (want it: %v %q) in\n%s", args[1], got, !neg, args[2], indented(text))
	}
}

func indented(text string) string {
	var out bytes.Buffer
	if json.Indent(&out, []byte(text), "", "  ") != nil {
		return text
	}
	return out.String()
}

// cmdRepo: `repo [name]` makes name (work) with a commit on main and a bare
// remote name.git as origin, and goes there.
func cmdRepo(ts *testscript.TestScript, _ bool, args []string) {
	name := "work"
	if len(args) > 0 {
		name = args[0]
	}
	dir, bare := ts.MkAbs(name), ts.MkAbs(name+".git")
	run := func(args ...string) { ts.Check(ts.Exec("git", args...)) }
	run("init", "-q", "-b", "main", dir)
	ts.Check(os.MkdirAll(filepath.Join(dir, "a"), 0o755))
	ts.Check(os.WriteFile(filepath.Join(dir, "README"), []byte("hello\n"), 0o644))
	ts.Check(os.WriteFile(filepath.Join(dir, "a", "one.txt"), []byte("1\n"), 0o644))
	run("-C", dir, "add", "-A")
	run("-C", dir, "commit", "-q", "-m", "base")
	run("init", "-q", "--bare", "-b", "main", bare)
	run("-C", dir, "remote", "add", "origin", "file://"+bare)
	run("-C", dir, "push", "-q", "-u", "origin", "main")
	ts.Check(ts.Chdir(dir))
}

// cmdPlan: `plan N file [step.key=value]…` writes a plan of N steps s01…; step
// i touches a/s<i>.txt and a/new<i>; its check counts itself and requires
// done<i> in a/s<i>.txt. The words add keys to a step, or (without a dot
// before =) to the plan.
func cmdPlan(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	extra := map[string][]string{}
	top := "title: black box\nbase: main\ntarget: main\n"
	for _, word := range args[2:] {
		key, value, _ := strings.Cut(word, "=")
		if step, field, ok := strings.Cut(key, "."); ok {
			extra[step] = append(extra[step], field+": "+value)
		} else {
			top += key + ": " + value + "\n"
		}
	}
	var b strings.Builder
	b.WriteString(top + "steps:\n")
	for i := 1; i <= n; i++ {
		id := fmt.Sprintf("s%02d", i)
		fmt.Fprintf(&b, "  - id: %s\n    title: write file %d\n", id, i)
		if !has(extra[id], "touches") {
			fmt.Fprintf(&b, "    touches: [a/s%02d.txt, a/new%02d]\n", i, i)
		}
		if !has(extra[id], "check") {
			fmt.Fprintf(&b, "    check: ['echo x >> $COUNT/%s; grep -q done%d a/s%02d.txt']\n", id, i, i)
		}
		for _, line := range extra[id] {
			b.WriteString("    " + line + "\n")
		}
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(b.String()), 0o644))
}

func has(lines []string, key string) bool {
	for _, l := range lines {
		if strings.HasPrefix(l, key+":") {
			return true
		}
	}
	return false
}

// cmdCount: `count step N` requires that the step's check ran N times so far.
func cmdCount(ts *testscript.TestScript, neg bool, args []string) {
	data, err := os.ReadFile(filepath.Join(ts.Getenv("COUNT"), args[0]))
	if err != nil && !os.IsNotExist(err) {
		ts.Check(err)
	}
	if got := strconv.Itoa(strings.Count(string(data), "x")); (got == args[1]) == neg {
		ts.Fatalf("the check of %s ran %s times, want %s", args[0], got, args[1])
	}
}

// cmdFresh: `fresh name [clone option]…` makes a brand-new clone of work.git
// with a home of its own, as in another container, and goes there.
func cmdFresh(ts *testscript.TestScript, _ bool, args []string) {
	name := args[0]
	home := ts.MkAbs("../home-" + name)
	if base := filepath.Base(ts.MkAbs(".")); base == filepath.Base(ts.Getenv("WORK")) {
		home = ts.MkAbs("home-" + name)
	}
	ts.Check(os.MkdirAll(home, 0o755))
	ts.Setenv("HOME", home)
	ts.Setenv("XDG_STATE_HOME", filepath.Join(home, "state"))
	dir := filepath.Join(ts.Getenv("WORK"), name)
	remote := "file://" + filepath.Join(ts.Getenv("WORK"), "work.git")
	ts.Check(ts.Exec("git", append(append([]string{"clone", "-q"}, args[1:]...), remote, dir)...))
	ts.Check(ts.Chdir(dir))
}
