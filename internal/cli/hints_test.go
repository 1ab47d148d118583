package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// refusal is one way to be refused: what leads to it, what is printed, and
// where its hints lead.
type refusal struct {
	name  string
	setup string // sh, in the world of refusalPrelude
	do    string // the command that is refused; `--json` is added to it
	code  string
	exit  int
	says  string // a regular expression: what it found
	hints int    // how many are printed
	// mends lists the hints (from 1) each of which alone makes `do` end with
	// 0; leads those that only have to end with 0 themselves. 0 in mends: all
	// hints, one after the other.
	mends, leads []int
	after        string // what has to be true at the end, sh
}

// TestHints provokes every refusal that has a code, and pastes every hint that
// is printed into a shell: it must exist, parse, and where it promises to
// mend, the refused command works afterwards.
func TestHints(t *testing.T) {
	first := newWorld(t)
	first.must("begin; git agent trust r-1") // everywhere: a copy is another clone
	for i, r := range refusals {
		if testing.Short() && i%8 != 0 {
			continue // the run without -short takes them all
		}
		t.Run(r.code+"/"+r.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.begun = first.dir
			w.must(r.setup)
			said := w.refused(r)
			if len(said.Hints) != r.hints {
				t.Errorf("%d hints, want %d: %q", len(said.Hints), r.hints, said.Hints)
			}
			w.save()
			for i, hint := range said.Hints {
				w.paste(hint, slices.Contains(r.leads, i+1), slices.Contains(r.mends, i+1), r)
			}
			if slices.Contains(r.mends, 0) {
				w.pasteAll(said.Hints, r)
			}
		})
	}
}

// TestHints_everyCodeIsProvoked reads the codes out of the source: a new
// refusal needs a scenario.
func TestHints_everyCodeIsProvoked(t *testing.T) {
	provoked := map[string]bool{}
	for _, r := range refusals {
		provoked[r.code] = true
	}
	for code, why := range unprovoked {
		if provoked[code] {
			t.Errorf("%s is provoked: drop it from unprovoked (%s)", code, why)
		}
		provoked[code] = true
	}
	for _, code := range codesInSource(t) {
		if !provoked[code] {
			t.Errorf("no scenario provokes %s", code)
		}
		delete(provoked, code)
	}
	for code := range provoked {
		t.Errorf("%s is nowhere in the source", code)
	}
}

func codesInSource(t *testing.T) []string {
	pattern := regexp.MustCompile(`(?:failf?\(|Code: |, )"([A-Z][A-Z_]{3,})", (?:Exit|run\.Exit)`)
	var codes []string
	for _, dir := range []string{".", "../../pkg/run"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no source in %s: %v", dir, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range pattern.FindAllStringSubmatch(string(text), -1) {
				codes = append(codes, m[1])
			}
		}
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

// world is a folder in which one scenario plays; it can be put back.
type world struct {
	t     *testing.T
	dir   string // holds work, work.git, plan.yaml, home
	saved string
	begun string // a world after begin, to copy: most scenarios start so
	moved bool   // something ran that may have changed it since save
	env   []string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Fatal("git is not installed")
	}
	top := t.TempDir()
	w := &world{t: t, dir: filepath.Join(top, "w"), saved: filepath.Join(top, "saved")}
	home := filepath.Join(w.dir, "home")
	w.env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_STATE_HOME=" + home + "/state", "XDG_CONFIG_HOME=" + home + "/config",
		"TMPDIR=" + os.TempDir(), "TZ=UTC", "LANG=C.UTF-8", "TERM=dumb", "GORACE=atexit_sleep_ms=0", "GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0", "GIT_TEMPLATE_DIR=", "W=" + w.dir,
		"GIT_AUTHOR_NAME=A U Thor", "GIT_AUTHOR_EMAIL=author@example.org", "GIT_COMMITTER_NAME=C O Mitter", "GIT_COMMITTER_EMAIL=committer@example.org"}
	if err := os.MkdirAll(filepath.Join(w.dir, "work"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(home, 0o755); err != nil {
		t.Fatal(err)
	}
	return w
}

// sh runs a script in the working tree; where there is none any more, above it.
func (w *world) sh(script string) (stdout, stderr string, code int) {
	w.t.Helper()
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir, cmd.Env = filepath.Join(w.dir, "work"), w.env
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		w.t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

func (w *world) must(script string) string {
	w.t.Helper()
	if rest, ok := strings.CutPrefix(script, "begin"); ok && w.begun != "" {
		w.copy(w.begun, w.dir)
		script = "git remote set-url origin file://$W/work.git" + rest
	}
	out, errs, code := w.sh("set -e\n" + refusalPrelude + script)
	if code != 0 {
		w.t.Fatalf("setup ends with %d:\n%s\n%s", code, out, errs)
	}
	return out
}

func (w *world) copy(from, to string) {
	w.t.Helper()
	if err := os.RemoveAll(to); err != nil {
		w.t.Fatal(err)
	}
	if out, err := exec.Command("cp", "-a", from, to).CombinedOutput(); err != nil {
		w.t.Fatalf("cp: %v: %s", err, out)
	}
}

func (w *world) save() { w.copy(w.dir, w.saved) }

// restore puts the world back, where anything but a look was taken since.
func (w *world) restore() {
	w.t.Helper()
	if w.moved {
		w.copy(w.saved, w.dir)
	}
	w.moved = false
}

// looks are the commands that change nothing.
var looks = regexp.MustCompile(`^git( -C \S+)? (status|log|show|diff|reflog|ls-remote|for-each-ref|branch --all|check-ignore|version|remote -v|agent (status|log|brief|help|version|stash list|plan (show|diff|schema)))\b[^>&|]*$`)

// answer is the error object of --json.
type answer struct {
	Code    string   `json:"code"`
	Message string   `json:"message"`
	Hints   []string `json:"hints"`
}

var reports = regexp.MustCompile(`git[ -]agent (-q )?(plan amend|stash list|start|step|resume|status|log|brief|rollback|verify)\b`)

// refused runs the command and requires the refusal, as JSON where the command
// reports, else as text.
func (w *world) refused(r refusal) answer {
	w.t.Helper()
	at := reports.FindStringIndex(r.do)
	if at == nil {
		return w.refusedText(r)
	}
	_, errs, code := w.sh(refusalPrelude + r.do[:at[1]] + " --json" + r.do[at[1]:])
	var doc struct {
		Format int    `json:"format"`
		Error  answer `json:"error"`
	}
	if err := json.Unmarshal([]byte(errs), &doc); err != nil || doc.Format != 1 {
		w.t.Fatalf("standard error is not one error object (%v), exit %d:\n%s", err, code, errs)
	}
	if doc.Error.Code != r.code || code != r.exit {
		w.t.Fatalf("%s, exit %d, want %s, exit %d: %s", doc.Error.Code, code, r.code, r.exit, doc.Error.Message)
	}
	w.says(r, doc.Error.Message)
	return doc.Error
}

func (w *world) refusedText(r refusal) answer {
	w.t.Helper()
	_, errs, code := w.sh(refusalPrelude + r.do)
	if code != r.exit {
		w.t.Fatalf("exit %d, want %d:\n%s", code, r.exit, errs)
	}
	w.says(r, errs)
	a := answer{Code: r.code}
	for line := range strings.Lines(errs) {
		if hint, ok := strings.CutPrefix(line, "git-agent: hint: "); ok {
			a.Hints = append(a.Hints, strings.TrimRight(hint, "\n"))
		}
	}
	return a
}

func (w *world) says(r refusal, message string) {
	w.t.Helper()
	if !regexp.MustCompile(r.says).MatchString(message) {
		w.t.Errorf("it says %q, want %q", message, r.says)
	}
	if strings.HasSuffix(message, ".") {
		w.t.Errorf("a full stop ends %q", message)
	}
}

// paste runs one hint as a person would, in the world as the refusal left it.
func (w *world) paste(hint string, leads, mends bool, r refusal) {
	w.t.Helper()
	w.restore()
	code := w.pasted(hint)
	if (leads || mends) && code != 0 {
		w.t.Errorf("hint %q ends with %d", hint, code)
	}
	if mends {
		w.works(fmt.Sprintf("after hint %q", hint), r)
	}
}

func (w *world) pasteAll(hints []string, r refusal) {
	w.t.Helper()
	w.restore()
	for _, hint := range hints {
		if code := w.pasted(hint); code != 0 {
			w.t.Errorf("hint %q ends with %d", hint, code)
		}
	}
	w.works("after all hints", r)
}

func (w *world) pasted(hint string) int {
	w.t.Helper()
	command, _, _ := strings.Cut(hint, "   # ")
	if strings.Contains(command, "<") {
		w.t.Errorf("hint %q cannot be pasted", hint)
	}
	w.moved = w.moved || !looks.MatchString(command)
	out, errs, code := w.sh(command)
	if code == 126 || code == 127 || code == 129 {
		w.t.Errorf("hint %q ends with %d:\n%s%s", hint, code, out, errs)
	}
	return code
}

func (w *world) works(when string, r refusal) {
	w.t.Helper()
	w.moved = true
	if out, errs, code := w.sh(refusalPrelude + r.do); code != 0 {
		w.t.Errorf("%s, the refused command ends with %d:\n%s%s", when, code, out, errs)
	}
	if r.after == "" {
		return
	}
	if out, errs, code := w.sh(refusalPrelude + r.after); code != 0 {
		w.t.Errorf("%s: %s ends with %d:\n%s%s", when, r.after, code, out, errs)
	}
}
