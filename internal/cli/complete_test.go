package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/internal/git/gittest"
)

// completing is a repository with a run of two steps, the completions
// installed below its home.
func completing(t *testing.T) *gittest.Repo {
	t.Helper()
	r := gittest.NewWithFiles(t, map[string]string{"README": "hello\n"})
	r.AddRemote()
	plan := filepath.Join(filepath.Dir(r.Dir), "plan.yaml")
	text := "title: x\nsteps:\n" +
		"  - {id: s01, title: 'first; `rm x`', touches: [a], check: ['test -f a']}\n" +
		"  - {id: s02, title: second, touches: [b], check: ['test -f b']}\n"
	if err := os.WriteFile(plan, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"start", plan, "--run", "r-1"}, {"install-docs"}} {
		c := exec.Command("git-agent", args...)
		c.Dir, c.Env = r.Dir, r.Env
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git agent %v: %v\n%s", args, err, out)
		}
	}
	return r
}

// TestComplete_words asks as a shell does.
func TestComplete_words(t *testing.T) {
	r := completing(t)
	for _, c := range []struct {
		words string
		want  string // the words offered, or some of them before "…"
	}{
		{"sta", "start stash status"},
		{"status ", "r-1"},
		{"step ", "s01 s02"},
		{"step s", "s01 s02"},
		{"step --stray ", "refuse set-aside include"},
		{"step --stray=s", "--stray=set-aside"},
		{"step --run r-1 s02 ", ""},
		{"rev --run r-9 ", ""},
		{"--run ", "r-1"},
		{"step --remote=", "--remote=origin"},
		{"trust ", "grant list revoke r-1"},
		{"trust revoke ", "r-1"},
		{"completion z", "zsh"},
		{"help comp", "completion"},
		{"plan validate ", ""},
		{"step -- ", ""},
		{"step -q --no-", "--no-pager --no-push"},
		{"__", ""},
		{"nonsense ", ""},
	} {
		words := strings.Split(c.words, " ")
		cmd := exec.Command("git-agent", append([]string{"__complete"}, words...)...)
		cmd.Dir, cmd.Env = r.Dir, r.Env
		var errs strings.Builder
		cmd.Stderr = &errs
		out, err := cmd.Output()
		if err != nil || errs.Len() > 0 {
			t.Errorf("%q: %v, says %q", c.words, err, errs.String())
		}
		var got []string
		for line := range strings.Lines(string(out)) {
			word, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
			got = append(got, word)
		}
		want := strings.Fields(c.want)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%q: offered %q, want %q", c.words, got, want)
		}
	}
}

// shell needs the program, or the test is left out by name.
func shell(t *testing.T, name string, files ...string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("%s is not installed", name)
	}
	for _, f := range files {
		if _, err := os.Stat(f); err != nil {
			t.Skipf("%s is not installed (%v)", name, err)
		}
	}
}

func shellOutput(t *testing.T, r *gittest.Repo, script string, argv ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), argv[0], append(argv[1:], file)...)
	c.Dir, c.Env = r.Dir, append(r.Env, "TERM=dumb", "HOME="+home(r))
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", argv, err, out)
	}
	return string(out)
}

func home(r *gittest.Repo) string {
	for _, kv := range r.Env {
		if value, ok := strings.CutPrefix(kv, "HOME="); ok {
			return value
		}
	}
	return ""
}

const (
	bashCompletion = "/usr/share/bash-completion/bash_completion"
	bashGit        = "/usr/share/bash-completion/completions/git"
)

// TestComplete_bash: git's own completion finds _git_agent in the file that
// install-docs wrote, and the program's own name completes too.
func TestComplete_bash(t *testing.T) {
	shell(t, "bash", bashCompletion, bashGit)
	out := shellOutput(t, completing(t), `
source `+bashCompletion+`
try() {
	COMP_LINE="$1"; COMP_POINT=${#1}; shift
	COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
	_completion_loader "$1"
	local f=$(complete -p "$1" | sed 's/.*-F \([^ ]*\).*/\1/')
	"$f" "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
	echo "$COMP_LINE: ${COMPREPLY[*]}"
}
try "git agent sta" git agent sta
try "git -C . agent step " git -C . agent step ''
try "git-agent step " git-agent step ''
try "git agent --run=" git agent --run =
try "git-agent step --stray=s" git-agent step --stray = s
`, "bash", "--norc")
	for _, want := range []string{
		"git agent sta: start  status  stash ", "git -C . agent step : s01  s02 ", "git-agent step : s01  s02 ",
		"git agent --run=: r-1 ", "git-agent step --stray=s: set-aside ",
	} {
		if !strings.Contains(out, want+"\n") {
			t.Errorf("bash does not print %q:\n%s", want, out)
		}
	}
}

func TestComplete_fish(t *testing.T) {
	shell(t, "fish")
	out := shellOutput(t, completing(t), `
for line in 'git-agent sta' 'git agent sta' 'git -C . agent step ' 'git-agent rev s02'
    echo "$line:" (complete -C $line)
end
`, "fish")
	for _, want := range []string{"git-agent sta: start\tBegin", "git agent sta: start\tBegin", "git -C . agent step : s01\tfirst; `rm x` s02\tsecond", "git-agent rev s02: s02\tsecond"} {
		if !strings.Contains(out, want) {
			t.Errorf("fish does not print %q:\n%s", want, out)
		}
	}
}

// TestComplete_zsh types into a zsh of its own and waits for what it shows.
func TestComplete_zsh(t *testing.T) {
	shell(t, "zsh")
	out := shellOutput(t, completing(t), `
zmodload zsh/zpty || exit 3
zpty z zsh -f -i
zpty -w z 'PS1=; stty -echo; fpath=($HOME/.local/share/zsh/site-functions $fpath); autoload -U compinit; compinit -u -D; echo now_${:-ready}'
zpty -r z seen '*now_ready*' || exit 4
try() {
	zpty -w -n z "$1"$'\t\t'
	zpty -r z seen "$2" || exit 5
	print -r -- "$1: shown"
	zpty -w -n z $'\x15'
}
try 'git-agent sta' '*status*Which steps*'
try 'git agent sta' '*status*Which steps*'
try 'git agent step ' '*s02*second*'
try 'git ag' '*Begin a run*'
zpty -d z
`, "timeout", "20", "zsh", "-f")
	if n := strings.Count(out, ": shown\n"); n != 4 {
		t.Errorf("zsh shows %d of 4:\n%s", n, out)
	}
}
