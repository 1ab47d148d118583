package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-agent/git-agent/internal/testkit"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// client starts `git agent mcp` in the world, as a client would, with the sdk's
// own client in front of it.
func (w *world) client() *sdk.ClientSession {
	w.t.Helper()
	cmd := exec.Command("git", "agent", "mcp")
	cmd.Dir, cmd.Env = filepath.Join(w.dir, "work"), w.env
	ctx, stop := context.WithTimeout(w.t.Context(), time.Minute)
	w.t.Cleanup(stop)
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx, &sdk.CommandTransport{Command: cmd}, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		if err := session.Close(); err != nil {
			w.t.Errorf("the server does not end with its input: %v", err)
		}
	})
	return session
}

// call calls a tool; doc is its structured answer, text what a model reads.
func (w *world) call(s *sdk.ClientSession, tool string, args map[string]any) (doc map[string]any, text string, refused bool) {
	w.t.Helper()
	r, err := s.CallTool(w.t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		w.t.Fatalf("%s: %v", tool, err)
	}
	for _, c := range r.Content {
		if one, ok := c.(*sdk.TextContent); ok {
			text += one.Text
		}
	}
	raw, err := json.Marshal(r.StructuredContent)
	if err == nil {
		err = json.Unmarshal(raw, &doc)
	}
	if err != nil {
		w.t.Fatalf("%s: %v", tool, err)
	}
	return doc, text, r.IsError
}

var toolNames = regexp.MustCompile(`^[a-z0-9]+_[a-z0-9]+$`)

// TestMCP_tools: names that every client takes, all four hints, nothing that can
// run a command, push by itself or grant trust.
func TestMCP_tools(t *testing.T) {
	t.Parallel()
	w := contractWorld(t)
	s := w.client()
	can, err := json.Marshal(s.InitializeResult().Capabilities)
	if err != nil || strings.Contains(string(can), "logging") || !strings.Contains(string(can), "tools") || !strings.Contains(string(can), "resources") {
		t.Errorf("capabilities are %s", can)
	}
	list, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		a := tool.Annotations
		if !toolNames.MatchString(tool.Name) || len(tool.Name) > 20 || a == nil || a.DestructiveHint == nil || *a.DestructiveHint || a.OpenWorldHint == nil {
			t.Errorf("tool %q, hints %+v", tool.Name, a)
		}
		schema, err := json.Marshal(tool.InputSchema)
		if word := regexp.MustCompile(`(?i)"(command|argv|trust|push|force|dir|path)"`).Find(schema); err != nil || word != nil {
			t.Errorf("%s takes %s (%v)", tool.Name, word, err)
		}
	}
	slices.Sort(names)
	if want := []string{"run_brief", "run_landed", "run_status", "step_certify", "step_log", "step_note"}; !slices.Equal(names, want) {
		t.Errorf("tools are %v, want %v", names, want)
	}
}

// TestMCP_oneStep: look, note, fail, mend, certify; every claim compared with git.
func TestMCP_oneStep(t *testing.T) {
	t.Parallel()
	w := contractWorld(t)
	s := w.client()
	doc, _, _ := w.call(s, "run_status", nil)
	if doc["next"] != "s02" || doc["certified"] != 1.0 || doc["steps"] != 3.0 {
		t.Errorf("status is %v", doc)
	}
	if _, text, _ := w.call(s, "run_brief", nil); text != w.must("git agent brief") {
		t.Errorf("the brief is another one:\n%s", text)
	}
	resource, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "git-agent://brief"})
	if err != nil || !strings.HasPrefix(resource.Contents[0].Text, "# Run r-1") {
		t.Errorf("the resource: %v", err)
	}
	before := w.must("git rev-parse HEAD; git ls-remote origin")
	if doc, text, refused := w.call(s, "step_certify", nil); !refused || !strings.Contains(text, "nothing under its touches changed") || testkit.Dig(doc, []string{"error", "code"}) != "NOTHING_CHANGED" {
		t.Errorf("with nothing done: %v %s", doc, text)
	}
	w.must("echo half > a/s02.txt")
	if doc, text, refused := w.call(s, "step_certify", nil); !refused || testkit.Dig(doc, []string{"error", "code"}) != "CHECK_FAILED" || !strings.Contains(text, "hint: git agent") {
		t.Errorf("half done: %v %s", doc, text)
	}
	if after := w.must("git rev-parse HEAD; git ls-remote origin"); after != before {
		t.Errorf("an uncertified step moved something:\n%s\nto\n%s", before, after)
	}
	if doc, text, refused := w.call(s, "step_note", map[string]any{"text": "the port is 8081"}); refused || doc["step"] != "s02" {
		t.Errorf("note: %v %s", doc, text)
	}
	w.must("echo done2 > a/s02.txt")
	doc, text, refused := w.call(s, "step_certify", map[string]any{"notes": []string{"and tcp"}})
	if refused || doc["certified"] != true || doc["pushed"] != true || doc["next"] != "s03" || !strings.Contains(doc["brief"].(string), "step `s03`") {
		t.Fatalf("done: %v %s", doc, text)
	}
	if got := w.must("git ls-remote origin refs/heads/agent-run/r-1 | cut -c1-40"); got != doc["commit"].(string)+"\n" {
		t.Errorf("the remote has %s, not %s", got, doc["commit"])
	}
	if body := w.must("git log -1 --format=%B"); !strings.Contains(body, "Agent-Note: the port is 8081\n") || !strings.Contains(body, "Agent-Note: and tcp\n") {
		t.Errorf("the certificate is\n%s", body)
	}
	if doc, _, _ := w.call(s, "step_log", map[string]any{"step": "s02"}); testkit.Dig(doc, []string{"certificates", "0", "valid"}) != true || testkit.Dig(doc, []string{"waiting_notes", "#"}) != 0 {
		t.Errorf("the step's log is %v", doc)
	}
	if doc, text, refused := w.call(s, "run_landed", nil); refused || doc["verdict"] != "dispatch" {
		t.Errorf("landed: %v %s", doc, text)
	}
	for _, asked := range []map[string]any{{"item": ""}, {"run": ""}, {"item": "15", "step": "s01"}} { // another question is no answer
		if doc, text, refused := w.call(s, "run_landed", asked); !refused || testkit.Dig(doc, []string{"error", "code"}) != "USAGE" {
			t.Errorf("landed %v: %v %s", asked, doc, text)
		}
	}
}

// TestMCP_neverRunsTheDo: the caller did the step, or nobody did.
func TestMCP_neverRunsTheDo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.must(`repo; sed -i "s/touches: .a.s01/do: 'touch ..\/ran; echo done1 > a\/s01.txt', &/" ../plan.yaml; git agent -q start ../plan.yaml --run r-1 > ../log; git agent plan show | grep -q 'do:'`)
	s := w.client()
	if doc, _, refused := w.call(s, "step_certify", nil); !refused || testkit.Dig(doc, []string{"error", "code"}) != "NOTHING_CHANGED" {
		t.Errorf("it is %v", doc)
	}
	w.must("test ! -e ../ran")
}

// TestMCP_untrusted: a plan from elsewhere runs nothing, and no tool can change that.
func TestMCP_untrusted(t *testing.T) {
	t.Parallel()
	w := contractWorld(t)
	w.must("cd ..; rm -rf work home; mkdir home; git clone -q work.git work; cd work; git fetch -q origin 'refs/agent/*:refs/agent/*'; git checkout -q agent-run/r-1; echo done2 > a/s02.txt")
	s := w.client()
	doc, text, refused := w.call(s, "step_certify", nil)
	if !refused || testkit.Dig(doc, []string{"error", "code"}) != "UNTRUSTED" || testkit.Dig(doc, []string{"error", "exit"}) != 3.0 {
		t.Errorf("it is %v %s", doc, text)
	}
}

// TestMCP_insideAJob: the server of a job's agent runs the checks and leaves the
// certificate to the outer command.
func TestMCP_insideAJob(t *testing.T) {
	t.Parallel()
	w := contractWorld(t)
	w.must(`cat > ../job <<'END'
echo done2 > a/s02.txt
{ cat ../asked; sleep 0; while ! grep -q '"id":3' ../answers; do :; done; } | git agent mcp > ../answers
END
cat > ../asked <<'END'
{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"step_note","arguments":{"text":"found inside"}}}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"step_certify","arguments":{}}}
END
: > ../answers
git agent -q step s02 -- sh ../job > ../log`)
	answers := w.must("cat ../answers")
	if !strings.Contains(answers, "this is a job of that step") || !strings.Contains(answers, `"certified":false`) {
		t.Errorf("inside the job:\n%s", answers)
	}
	if body := w.must("git log -1 --format=%B"); !strings.Contains(body, "Agent-Step: s02\n") || !strings.Contains(body, "Agent-Note: found inside\n") {
		t.Errorf("the certificate is\n%s", body)
	}
}

// TestMCP_stdoutIsTheProtocol: whatever happens, each line is one JSON object,
// and an end of the input is a clean end.
func TestMCP_stdoutIsTheProtocol(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.must("repo") // no run
	cmd := exec.Command("git", "agent", "mcp")
	cmd.Dir, cmd.Env = filepath.Join(w.dir, "work"), w.env
	cmd.Stdin = io.NopCloser(strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"run_status","arguments":{}}}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"no_such","arguments":{}}}
{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"run_status","arguments":{"run":7}}}
{"jsonrpc":"2.0","id":5,"method":"nope/nope"}
`))
	out, err := cmd.Output()
	if err != nil {
		t.Errorf("it ends with %v", err)
	}
	for line := range strings.Lines(string(out)) {
		if !json.Valid([]byte(line)) {
			t.Errorf("not JSON: %q", line)
		}
	}
	for id := 1; id <= 5; id++ { // all of them stood in the pipe when the input ended
		if !strings.Contains(string(out), fmt.Sprintf(`"id":%d,`, id)) {
			t.Errorf("request %d has no answer in\n%s", id, out)
		}
	}
}

// TestMCP_signal: the first one ends what is under way, which is answered; an idle
// server just ends.
func TestMCP_signal(t *testing.T) {
	t.Parallel()
	for _, busy := range []bool{true, false} {
		w := newWorld(t)
		w.must(`repo; sed -i "s/'grep -q done1/'touch ..\/begun; sleep 60; grep -q done1/" ../plan.yaml; git agent -q start ../plan.yaml --run r-1 > ../log; echo done1 > a/s01.txt`)
		cmd := exec.CommandContext(t.Context(), "sh", "-c", "exec git-agent mcp")
		cmd.Dir, cmd.Env = filepath.Join(w.dir, "work"), w.env
		in, errIn := cmd.StdinPipe()
		out, errOut := cmd.StdoutPipe()
		if err := errors.Join(errIn, errOut, cmd.Start()); err != nil {
			t.Fatal(err)
		}
		answers := bufio.NewScanner(out)
		say := func(line string) { _, _ = io.WriteString(in, line+"\n") }
		say(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`)
		say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		answers.Scan()
		want := 0
		if busy {
			want = 75
			say(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"step_certify","arguments":{}}}`)
			w.must("until test -e ../begun; do sleep 0.05; done")
		}
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if busy && (!answers.Scan() || !strings.Contains(answers.Text(), "INTERRUPTED")) {
			t.Errorf("the call is answered with %q", answers.Text())
		}
		_ = cmd.Wait()
		if got := cmd.ProcessState.ExitCode(); got != want {
			t.Errorf("busy %v: it ends with %d, want %d", busy, got, want)
		}
	}
}

// TestMCP_strayLines: what is no message is answered, and the session goes on.
func TestMCP_strayLines(t *testing.T) {
	t.Parallel()
	w := contractWorld(t)
	cmd := exec.CommandContext(t.Context(), "git", "agent", "mcp")
	cmd.Dir, cmd.Env = filepath.Join(w.dir, "work"), w.env
	in, errIn := cmd.StdinPipe()
	out, errOut := cmd.StdoutPipe()
	if err := errors.Join(errIn, errOut, cmd.Start()); err != nil {
		t.Fatal(err)
	}
	answers := bufio.NewScanner(out)
	for _, c := range []struct{ say, want string }{
		{`listening on :8080`, `"code":-32700`},
		{`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`, `"id":1`},
		{`{"level":"info"}`, `"code":-32600`},
		{`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, `run_status`},
	} {
		if _, err := io.WriteString(in, c.say+"\n"); err != nil || !answers.Scan() || !strings.Contains(answers.Text(), c.want) {
			t.Fatalf("to %s it answers %q, not %s (%v)", c.say, answers.Text(), c.want, err)
		}
	}
	if err := errors.Join(in.Close(), cmd.Wait()); err != nil {
		t.Errorf("it does not end with its input: %v", err)
	}
}
