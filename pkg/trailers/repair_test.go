package trailers_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/internal/git/gittest"
	"github.com/git-agent/git-agent/pkg/trailers"
)

// essay commits as the essay does: each trailer in an -m of its own.
func essay(t *testing.T, r *gittest.Repo, step string) string {
	t.Helper()
	r.Write(step, step+"\n")
	r.Git("add", step)
	r.Git("commit", "-q", "-m", step+": it's $HOME `x` \\n", "-m", "body 'quoted'\n\n  kept", "-m", "Agent-Run: r", "-m", "Agent-Step: "+step,
		"-m", "Agent-Check: sh -c 'exit 0' exit=0 secs=1", "-m", "Agent-Plan-Version: 3")
	return r.Git("rev-parse", "HEAD")
}

func message(r *gittest.Repo, rev string) string { return r.Git("log", "-1", "--format=%B", rev) }

func shell(t *testing.T, r *gittest.Repo, line string) {
	t.Helper()
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir, cmd.Env = r.Dir, r.Env
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", line, err, out)
	}
}

// The offered command works as pasted: one block, the same tree, and nothing
// of what is staged or edited goes along.
func TestRead_repairOfHEAD(t *testing.T) {
	r := gittest.NewWithFiles(t, map[string]string{"a": "a\n"})
	essay(t, r, "s1")
	r.Git("config", "commit.cleanup", "strip")
	r.Git("config", "core.commentChar", "A")
	r.Write("a", "staged\n")
	r.Git("add", "a")
	before := r.Git("rev-parse", "HEAD^{tree}") + r.Git("diff", "--cached")

	reading := trailers.Read(message(r, "HEAD"))
	if reading.Kind != trailers.Scattered || reading.Repair == "" {
		t.Fatalf("got %+v", reading)
	}
	shell(t, r, reading.Repair)
	text := message(r, "HEAD")
	if got := trailers.Read(text); got.Kind != trailers.Certificate || got.Evidence.Step != "s1" {
		t.Errorf("repaired to %v %q: %s", got.Kind, got.Faults, text)
	}
	if want, err := trailers.Repair(text); err == nil {
		t.Errorf("a sound message was repaired to %q", want)
	}
	if !strings.HasPrefix(text, "s1: it's $HOME `x` \\n\n\nbody 'quoted'\n\n  kept\n\nAgent-Run: r\n") {
		t.Errorf("the text changed: %q", text)
	}
	if after := r.Git("rev-parse", "HEAD^{tree}") + r.Git("diff", "--cached"); after != before {
		t.Errorf("tree or index moved: %s", after)
	}
}

func TestRepairCommand_olderCommit(t *testing.T) {
	r := gittest.NewWithFiles(t, map[string]string{"a": "a\n"})
	older := essay(t, r, "s1")
	r.Commit(format(t, "s2: next", evidence()))
	trees := r.Git("log", "--format=%T")
	command, err := trailers.RepairCommand(message(r, older), older[:10])
	if err != nil {
		t.Fatal(err)
	}
	shell(t, r, command)
	if got := trailers.Read(message(r, "HEAD^")); got.Kind != trailers.Certificate {
		t.Errorf("older: %v %q", got.Kind, got.Faults)
	}
	if got := trailers.Read(message(r, "HEAD")); got.Kind != trailers.Certificate {
		t.Errorf("newer: %v %q", got.Kind, got.Faults)
	}
	if got := r.Git("log", "--format=%T"); got != trees {
		t.Errorf("trees changed:\n%s\nwant\n%s", got, trees)
	}
}

func TestRepair_refusesWhatStaysDamaged(t *testing.T) {
	for _, message := range []string{
		"", "T\n", "T\n\n" + block,
		"T\n\nAgent-Run: r1\n\nAgent-Step: 2\n",
		"T\n\nAgent-Run: r1\n\nAgent-Step: 2\n\nAgent-Check: a\x01 exit=0 secs=1\n\nAgent-Plan-Version: 3\n",
	} {
		if got, err := trailers.Repair(message); err == nil {
			t.Errorf("%q: repaired to %q", message, got)
		}
		if _, err := trailers.RepairCommand(message, "HEAD"); err == nil {
			t.Errorf("%q: a command for what cannot be repaired", message)
		}
	}
	crlf := strings.ReplaceAll("T\n\nb\n\nAgent-Run: r1\n\nAgent-Step: 2\n\nAgent-Check: a exit=0 secs=1\n\nAgent-Plan-Version: 3\n", "\n", "\r\n")
	if got, err := trailers.Repair(crlf); err != nil || trailers.Read(got).Kind != trailers.Certificate {
		t.Errorf("CRLF: %q, %v", got, err)
	}
}
