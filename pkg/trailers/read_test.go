package trailers_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/pkg/trailers"
)

const block = "Agent-Run: r1\nAgent-Step: 2\nAgent-Check: go test exit=0 secs=1\nAgent-Plan-Version: 3\n"

// kinds are messages with what they are and, where they have faults, a part
// of each.
var kinds = []struct {
	name, message string
	kind          trailers.Kind
	faults        []string
}{
	{"certificate", "T\n\n" + block, trailers.Certificate, nil},
	{"certificate, folded", "T\n\nAgent-Run:\n r1\nAgent-Step: 2\nAgent-Check: go test\n  exit=0 secs=1\nAgent-Plan-Version: 3\n", trailers.Certificate, nil},
	{"certificate, CRLF", strings.ReplaceAll("T\n\n"+block, "\n", "\r\n"), trailers.Certificate, nil},
	{"certificate, unknown key", "T\n\n" + block + "Agent-Future: x\n", trailers.Certificate, nil},
	{"certificate below a complete block", "T\n\n" + block + "\n" + block, trailers.Certificate, nil},
	{"failure record", "T\n\n" + strings.ReplaceAll(block, "exit=0", "exit=1"), trailers.FailureRecord, nil},
	{"failure record, a later check", "T\n\n" + block + "Agent-Check: b timeout secs=2\n", trailers.FailureRecord, nil},
	{"refutation", "T\n\n" + strings.ReplaceAll(block, "exit=0", "signal=9") + "Agent-Refutes: " + tree + "\n", trailers.FailureRecord, nil},
	{"refutation without failure", "T\n\n" + block + "Agent-Refutes: " + tree + "\n", trailers.Damaged, []string{"without a check that failed"}},
	{"undo", "T\n\nAgent-Run: r1\nAgent-Undo: 2\n", trailers.Undo, nil},
	{"undo with evidence", "T\n\nAgent-Undo: 2\n" + block, trailers.Damaged, []string{"Agent-Step beside Agent-Undo", "Agent-Check beside Agent-Undo"}},
	{"plan version 1", "T\n\nAgent-Run: r1\nAgent-Plan-Version: 1\nAgent-Base: " + tree + "\n", trailers.PlanVersion, nil},
	{"plan version, base alone", "T\n\nAgent-Base: " + tree + "\n", trailers.PlanVersion, nil},
	{"plan version, short base", "T\n\nAgent-Base: abc\n", trailers.Damaged, []string{`"abc" is no full object id`}},
	{"landing", "T\n\nAgent-Landed: landed abc on main, run r1\n", trailers.Landing, nil},
	{"landing, names the last step", "T\n\nAgent-Run: r1\nAgent-Step: 2\nAgent-Opened: opened PR #4, run r1\n", trailers.Landing, nil},
	{"landing, both", "T\n\nAgent-Landed: a\nAgent-Opened: b\n", trailers.Damaged, []string{"Agent-Landed and Agent-Opened"}},
	{"squash", "T\n\n" + block + strings.ReplaceAll(block, "Step: 2", "Step: 3"), trailers.Squash, nil},
	{"squash of two runs", "T\n\n" + block + strings.ReplaceAll(block, "r1", "r2"), trailers.Damaged, []string{"2 Agent-Step trailers", "several runs in one block: r1, r2"}},

	// Only the last block counts (case 82).
	{"nothing", "", trailers.None, nil},
	{"person", "T\n\nbody\n\nSigned-off-by: A <a@b>\n", trailers.None, nil},
	{"unknown keys only", "T\n\nAgent-Future: x\n\nAgent-Note: y\n", trailers.None, nil},
	{"prose", "T\n\nAgent-Step: names the step and\nAgent-Run the run.\n", trailers.None, nil},
	{"block in the body", "T\n\n" + block + "\nas above.\n", trailers.None, nil},
	{"fence", "T\n\n```\n" + block + "```\n", trailers.None, nil},
	{"fence of one", "T\n\n```\nAgent-Step: 3\n```\n", trailers.None, nil},
	{"fence with blank lines", "T\n\n```\n\n" + block + "\n```\n", trailers.None, nil},
	{"pasted diff", "T\n\ndiff --git a/m b/m\n+" + strings.ReplaceAll(block, "\n", "\n+") + "\n", trailers.None, nil},
	{"quoted mail", "T\n\n> " + strings.ReplaceAll(block, "\n", "\n> ") + "\n", trailers.None, nil},
	{"indented by merge --squash", "T\n\n    " + strings.ReplaceAll(block, "\n", "\n    ") + "\n", trailers.None, nil},
	{"body step, foreign block", "T\n\nAgent-Step: 3\n\nSigned-off-by: A <a@b>\n", trailers.None, nil},
	{"body step, own block", "T\n\nAgent-Step: 9\n\nprose\n\n" + block, trailers.Certificate, nil},
	{"body step right above", "T\n\nAgent-Step: 9\n\n" + block, trailers.Certificate, nil},

	// Damage.
	{"two runs", "T\n\n" + block + "Agent-Run: r2\n", trailers.Damaged, []string{"2 Agent-Run trailers where one may stand"}},
	{"joined (case 95)", "T\n\nAgent-Run: r1 Agent-Step: 2\n", trailers.Damaged, []string{"Agent-Run and Agent-Step are joined", "Agent-Step is missing", "Agent-Check is missing", "Agent-Plan-Version is missing"}},
	{"joined checks", "T\n\n" + strings.ReplaceAll(block, "go test", "a exit=1 secs=1 Agent-Check: b"), trailers.Damaged, []string{"Agent-Check and Agent-Check are joined"}},
	{"joined behind the check", "T\n\n" + strings.ReplaceAll(block, "secs=1\n", "secs=1 "), trailers.Damaged, []string{"Agent-Check and Agent-Plan-Version are joined", "Agent-Plan-Version is missing"}},
	{"joined and wrapped (case 95)", "T\n\nAgent-Run: r1 Agent-Step: 2 Agent-Check: go test\nexit=0 secs=1 Agent-Plan-Version: 3\n", trailers.Damaged, []string{"no trailer, so git reads none", "Agent-Run and Agent-Step are joined"}},
	{"joined with the title", "T\nAgent-Run: r1 Agent-Step: 2\n", trailers.Damaged, []string{"title paragraph", "joined"}},
	{"two steps (case 5)", "T\n\nAgent-Step: 1\n" + block, trailers.Damaged, []string{"2 Agent-Step trailers where one may stand", "group 1: Agent-Check is missing"}},
	{"two runs", "T\n\nAgent-Run: r0\n" + block, trailers.Damaged, []string{"2 Agent-Run trailers"}},
	{"two trees", "T\n\n" + block + "Agent-Tree: " + tree + "\nAgent-Tree: " + tree + "\n", trailers.Damaged, []string{"2 Agent-Tree trailers"}},
	{"all missing", "T\n\nAgent-Tree: " + tree + "\n", trailers.Damaged, []string{"Agent-Run is missing", "Agent-Step is missing", "Agent-Check is missing", "Agent-Plan-Version is missing"}},
	{"bad everything", "T\n\nAgent-Run: R\nAgent-Step:\nAgent-Check: x\nAgent-Plan-Version: 0\nAgent-Tree: " + strings.ToUpper(tree) + "\nAgent-Attempt: 01\nAgent-Dirty: -1\nAgent-Fingerprint: x\nAgent-Stray: \"a\nAgent-Note:\n", trailers.Damaged, []string{
		`id "R"`, "the id is empty", "does not end in secs", `"0" is no whole number of at least 1`, "is no full object id",
		`"01" is no whole number`, `"-1" is no whole number`, "is no fingerprint", "is no quoted path", "Agent-Note is empty"}},
	{"control characters", "T\n\n" + block + "Agent-Note: a\x1b[2Jb\nAgent-Stray: a\x01\n", trailers.Damaged, []string{"Agent-Note holds a control", "Agent-Stray holds a control"}},
	{"a hook appended a line", "T\n\n" + block + "Reviewed in the office\n", trailers.Damaged, []string{`"Reviewed in the office"`}},
	{"subject lost", block, trailers.Damaged, []string{"title paragraph"}},
	{"glued to the title", "T\n" + block, trailers.Damaged, []string{"title paragraph"}},
	{"glued to the title, signed first", "T\nSigned-off-by: A <a@b>\n" + block, trailers.Damaged, []string{"title paragraph"}},
	{"stray quoted badly", "T\n\n" + block + "Agent-Stray: \"a\\x\"\nAgent-Stray: \"a\\9zz\"\nAgent-Stray: \"a\"b\"\nAgent-Stray: \"\"\nAgent-Note: \xff\n", trailers.Damaged, []string{`"\"a\\x\"" is no quoted path`, `9zz`, `a\"b`, `"\"\"" is no`, "Agent-Note is not UTF-8"}},
	{"two steps without a run", "T\n\nAgent-Step: 1\nAgent-Step: 2\n", trailers.Damaged, []string{"group 2: Agent-Run is missing"}},
	{"squash below others", "T\n\nCo-authored-by: A\n" + block + strings.ReplaceAll(block, "Step: 2", "Step: 3"), trailers.Squash, nil},
	{"glued to the body", "T\n\nbody\n" + block, trailers.Damaged, []string{`no blank line stands before the evidence, so git reads none of it: it follows "body"`}},

	// Scattered.
	{"one -m each", "T\n\nAgent-Run: r1\n\nAgent-Step: 2\n\nAgent-Check: go test exit=0 secs=1\n\nAgent-Plan-Version: 3\n", trailers.Scattered, []string{"in 4 paragraphs"}},
	{"one -m each, below a body", "T\n\nAgent-Foo is new.\n\nAgent-Run: r1\n\nAgent-Step: 2\n\nAgent-Check: go test\n exit=0 secs=1\n\nAgent-Plan-Version: 3\n", trailers.Scattered, []string{"in 4 paragraphs"}},
	{"signed off", "T\n\nAgent-Run: r1\n\nAgent-Step: 2\n\nAgent-Check: go test exit=0 secs=1\n\nAgent-Plan-Version: 3\nSigned-off-by: A <a@b>\n", trailers.Scattered, []string{"in 4 paragraphs"}},
	{"two paragraphs", "T\n\nAgent-Run: r1\nAgent-Step: 2\n \nAgent-Check: go test exit=0 secs=1\nAgent-Plan-Version: 3\n", trailers.Scattered, []string{"in 2 paragraphs"}},
	{"scattered and damaged", "T\n\nAgent-Run: r1\n\nAgent-Step: 2\n", trailers.Scattered, []string{"in 2 paragraphs", "Agent-Check is missing", "Agent-Plan-Version is missing"}},
}

func TestRead_kinds(t *testing.T) {
	for _, tc := range kinds {
		got := trailers.Read(tc.message)
		if got.Kind != tc.kind {
			t.Errorf("%s: %v %q, want %v", tc.name, got.Kind, got.Faults, tc.kind)
		}
		if len(got.Faults) < len(tc.faults) || len(tc.faults) == 0 && len(got.Faults) > 0 {
			t.Errorf("%s: faults %q, want %q", tc.name, got.Faults, tc.faults)
		}
		for _, want := range tc.faults {
			if !strings.Contains(strings.Join(got.Faults, "\n"), want) {
				t.Errorf("%s: no fault with %q in %q", tc.name, want, got.Faults)
			}
		}
	}
}

// What one Reader answered stays what it was, however much it reads after.
func TestReader_Read_answersStand(t *testing.T) {
	var reader trailers.Reader
	var messages []string
	for _, tc := range kinds {
		messages = append(messages, tc.message)
	}
	for _, message := range corpus {
		messages = append(messages, message)
	}
	var answers []trailers.Reading
	for _, message := range messages {
		answers = append(answers, reader.Read(message))
	}
	for i, got := range answers {
		if want := trailers.Read(messages[i]); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, want %+v", messages[i], got, want)
		}
	}
}

func TestRead_fields(t *testing.T) {
	got := trailers.Read("T\n\nAgent-Run: r1\nAgent-Plan-Version: 1\nAgent-Base: " + tree + "\n")
	want := trailers.Reading{Kind: trailers.PlanVersion, Base: tree, Evidence: trailers.Evidence{Run: "r1", PlanVersion: 1}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("plan version: %+v", got)
	}
	got = trailers.Read("T\n\nAgent-Undo: s05\nAgent-Run: r1\n")
	if want := (trailers.Reading{Kind: trailers.Undo, Undo: "s05", Evidence: trailers.Evidence{Run: "r1"}}); !reflect.DeepEqual(got, want) {
		t.Errorf("undo: %+v", got)
	}
	got = trailers.Read("T\n\nAgent-Step: s05\nAgent-Landed: landed abc on main, run r1\n")
	if got.Landed != "landed abc on main, run r1" || got.Opened != "" || got.Evidence.Step != "s05" {
		t.Errorf("landing: %+v", got)
	}
}

// What a commit names stays readable where it is damaged, so that the report
// can say which step is meant.
func TestRead_damagedNamesTheStep(t *testing.T) {
	got := trailers.Read("T\n\n" + strings.ReplaceAll(block, "secs=1", "sec=1"))
	if got.Kind != trailers.Damaged || got.Evidence.Run != "r1" || got.Evidence.Step != "2" {
		t.Errorf("got %+v", got)
	}
	if got := trailers.Read("T\n\n" + block + "Agent-Run: r2\n"); got.Evidence.Run != "r1" {
		t.Errorf("of two runs not the first: %+v", got)
	}
}

// An object id is lower-case hexadecimal, whatever byte stands there instead.
func TestRead_treeOfEveryByte(t *testing.T) {
	for b := range 256 {
		got := trailers.Read("T\n\n" + block + "Agent-Tree: " + tree[:20] + string([]byte{byte(b)}) + tree[21:] + "\n")
		want := trailers.Damaged
		if strings.ContainsRune("0123456789abcdef", rune(b)) {
			want = trailers.Certificate
		}
		if got.Kind != want {
			t.Errorf("byte %#x: %v, want %v", b, got.Kind, want)
		}
	}
}

// Two steps in one commit certify neither; both are named for the report.
func TestCase005_Read_twoSteps(t *testing.T) {
	got := trailers.Read("T\n\nAgent-Step: 1\n" + block)
	if got.Kind != trailers.Damaged || len(got.Groups) != 2 || got.Groups[0].Step != "1" || got.Groups[1].Step != "2" {
		t.Errorf("got %+v", got)
	}
}

func TestCase082_Read_mentionsAreNoEvidence(t *testing.T) {
	mention := "T\n\nAgent-Step: 9\n\n```\nAgent-Step: 8\n```\n\n+Agent-Step: 7\n\n"
	if got := trailers.Read(mention + block); got.Kind != trailers.Certificate || got.Evidence.Step != "2" {
		t.Errorf("above a block: %+v", got)
	}
	if got := trailers.Read(mention); got.Kind != trailers.None {
		t.Errorf("alone: %+v", got)
	}
}

func TestReading_RunBranchFaults_byKind(t *testing.T) {
	for _, tc := range kinds {
		r := trailers.Read(tc.message)
		misplaced := r.Kind == trailers.Squash || r.Kind == trailers.PlanVersion || r.Kind == trailers.Landing
		if got := r.RunBranchFaults(); (len(got) > 0) != (misplaced || len(r.Faults) > 0) {
			t.Errorf("%s: %q", tc.name, got)
		}
	}
}

func TestKind_String_names(t *testing.T) {
	if trailers.None.String() != "none" || trailers.Scattered.String() != "scattered" || trailers.Kind(99).String() != "kind 99" {
		t.Error(trailers.None, trailers.Scattered, trailers.Kind(99))
	}
}
