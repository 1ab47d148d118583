package verify

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/trailers"
)

const treeA = "1111111111111111111111111111111111111111"

// history makes chains in memory: each message is one commit.
func history(messages ...string) []*commit {
	var chain []*commit
	parent := strings.Repeat("e", 40)
	for i, m := range messages {
		c := object.Commit{ID: fmt.Sprintf("%040x", i+1), Tree: treeA, Parents: []string{parent}, Message: m}
		for _, t := range trailers.Parse(m).Trailers {
			c.Trailers += t.Key + ": " + t.Value + "\n"
		}
		chain, parent = append(chain, &commit{c, trailers.Read(m)}), c.ID
	}
	return chain
}

func sound(step string, more ...string) string {
	return step + ": x\n\nAgent-Run: r-1\nAgent-Step: " + step + "\nAgent-Check: true exit=0 secs=0.1\nAgent-Plan-Version: 1\n" + strings.Join(more, "")
}

func judged(policy Policy, messages ...string) *judge {
	chain := history(messages...)
	j := &judge{policy: policy, target: target{ref: "refs/heads/agent-run/r-1", run: "r-1", branch: "agent-run/r-1", chain: chain},
		plans: map[string]plan.Chain{"r-1": {Versions: make([]plan.Version, 2)}}}
	if len(chain) > 0 {
		j.tip = chain[len(chain)-1].ID
	}
	j.head = func() string { return j.tip }
	j.run()
	return j
}

func codes(j *judge) string {
	var all []string
	for _, f := range j.faults {
		all = append(all, strings.Join(f.Codes, "+")+":"+f.Step)
	}
	return strings.Join(all, " ")
}

func TestJudge(t *testing.T) {
	tree := func(c string) string { return "Agent-Tree: " + strings.Repeat(c, 40) + "\n" }
	scattered := "s01: x\n\nAgent-Run: r-1\n\nAgent-Step: s01\n\nAgent-Check: true exit=0 secs=0.1\n\nAgent-Plan-Version: 1\n"
	undo := "Undo s01\n\nAgent-Run: r-1\nAgent-Undo: s01\n"
	other := strings.ReplaceAll(sound("s01"), "r-1", "r-2")
	tests := map[string]struct {
		messages []string
		format   string // the faults, newest first
		strict   string // "": the same
	}{
		"nothing":               {},
		"a person's commit":     {messages: []string{"x\n"}, strict: "uncertified:"},
		"certified":             {messages: []string{"work\n", sound("s01")}},
		"work above":            {messages: []string{sound("s01"), "x\n", "y\n"}, strict: "uncertified: uncertified:"},
		"an undo covers":        {messages: []string{sound("s01"), "x\n", undo}},
		"with its tree":         {messages: []string{sound("s01", tree("1"))}},
		"transplanted":          {messages: []string{sound("s01", tree("2"))}, format: "transplanted:s01"},
		"transplanted, renewed": {messages: []string{sound("s01", tree("2")), sound("s02", tree("1")), sound("s01", tree("1"))}},
		"transplanted, undone":  {messages: []string{sound("s01", tree("2")), undo}},
		"renewed elsewhere":     {messages: []string{sound("s01", tree("2")), sound("s02")}, format: "transplanted:s01"},
		"older is no renewal":   {messages: []string{sound("s01"), sound("s01", tree("2"))}, format: "transplanted:s01"},
		"scattered":             {messages: []string{scattered}, format: "scattered:s01"},
		"scattered, renewed":    {messages: []string{scattered, sound("s01")}, format: "scattered:s01"},
		"damaged":               {messages: []string{strings.Replace(sound("s01"), "exit=0 ", "", 1)}, format: "damaged:s01"},
		"another run":           {messages: []string{other}, format: "other-run:s01"},
		"another run's undo":    {messages: []string{strings.ReplaceAll(undo, "r-1", "r-2")}, format: "other-run:s01"},
		"damaged of another":    {messages: []string{strings.Replace(other, "exit=0 ", "", 1)}, format: "damaged+other-run:s01"},
		"failed check":          {messages: []string{strings.Replace(sound("s01"), "exit=0", "exit=1", 1)}, format: "failed-check:s01"},
		"unknown version":       {messages: []string{strings.Replace(sound("s01"), "Version: 1", "Version: 3", 1)}, format: "unknown-plan-version:s01"},
		"known version":         {messages: []string{strings.Replace(sound("s01"), "Version: 1", "Version: 2", 1)}},
		"two at once":           {messages: []string{strings.Replace(sound("s01", tree("2")), "Version: 1", "Version: 3", 1)}, format: "transplanted+unknown-plan-version:s01"},
		"a squash":              {messages: []string{sound("s01", "Agent-Step: s02\nAgent-Check: true exit=0 secs=1\nAgent-Plan-Version: 1\n")}, format: "misplaced:"},
		"a plan version":        {messages: []string{"plan\n\nAgent-Run: r-1\nAgent-Plan-Version: 1\n"}, format: "misplaced:"},
		"all at once, newest first": {messages: []string{scattered, sound("s02"), other, strings.Replace(sound("s03"), "exit=0 ", "", 1)},
			format: "damaged:s03 other-run:s01 scattered:s01"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := codes(judged(Format, tt.messages...)); got != tt.format {
				t.Errorf("format: %q, want %q", got, tt.format)
			}
			want := tt.strict
			if want == "" {
				want = tt.format
			}
			if got := codes(judged(Strict, tt.messages...)); got != want {
				t.Errorf("strict: %q, want %q", got, want)
			}
		})
	}
}

func TestJudge_withoutARunEachIsOfItsOwn(t *testing.T) {
	chain := history(sound("s01"), strings.ReplaceAll(sound("s01"), "r-1", "r-2"))
	j := &judge{target: target{chain: chain, tip: chain[1].ID}, plans: map[string]plan.Chain{}}
	if j.run(); len(j.faults) > 0 || j.certificates != 2 {
		t.Errorf("%+v", j.faults)
	}
}

func TestJudge_updateHookLeavesNewerVersionsOpen(t *testing.T) {
	chain := history(strings.Replace(sound("s01"), "Version: 1", "Version: 3", 1))
	j := &judge{target: target{run: "r-1", chain: chain}, later: true, plans: map[string]plan.Chain{"r-1": {Versions: make([]plan.Version, 2)}}}
	if j.run(); len(j.faults) > 0 || len(j.notes) != 1 {
		t.Errorf("%+v %q", j.faults, j.notes)
	}
}

func TestJudge_gitReadsOtherwiseIsTold(t *testing.T) {
	chain := history(sound("s01"))
	chain[0].Trailers = "Agent-Run: r-1\n"
	j := &judge{target: target{run: "r-1", chain: chain}, compare: true}
	if j.run(); len(j.faults) > 0 || len(j.notes) != 1 {
		t.Errorf("%+v %q", j.faults, j.notes)
	}
}

func TestJudge_offChain(t *testing.T) {
	side := history(sound("s02"), strings.ReplaceAll(sound("s03"), "r-1", "r-2"), "x\n")
	j := &judge{target: target{run: "r-1", tip: idA, chain: history("merge\n"), side: side}}
	j.run()
	if got := codes(j); got != "off-chain:s02" || !strings.Contains(j.faults[0].Repair, "git agent step s02") {
		t.Errorf("%+v", j.faults)
	}
	j = &judge{target: target{run: "r-1", tip: idA, chain: history("merge\n", sound("s02")), side: side}}
	if j.run(); len(j.faults) > 0 {
		t.Errorf("recorded anew on the chain: %+v", j.faults)
	}
}

func TestJudge_repairGoesToTheBranchFirst(t *testing.T) {
	scattered := "s01: x\n\nAgent-Run: r-1\n\nAgent-Step: s01\n\nAgent-Check: true exit=0 secs=0.1\n\nAgent-Plan-Version: 1\n"
	here := judged(Format, scattered).faults[0].Repair
	if strings.Contains(here, "checkout") || strings.Contains(here, "rebase") || !strings.Contains(here, "--amend") {
		t.Errorf("at HEAD: %s", here)
	}
	chain := history(scattered, "x\n")
	j := &judge{target: target{run: "r-1", branch: "agent-run/r-1", chain: chain, tip: chain[1].ID}, head: func() string { return idA }}
	j.run()
	if got := j.faults[0].Repair; !strings.HasPrefix(got, "git checkout agent-run/r-1 -- && ") || !strings.Contains(got, "rebase -i") {
		t.Errorf("elsewhere, below the tip: %s", got)
	}
}

func TestWithoutEvidence(t *testing.T) {
	block := "Agent-Run: r-1\nAgent-Step: s01\nAgent-Check: true\n"
	tests := map[string]struct{ message, want string }{
		"one block":          {"s01: x\n\nbody\n\n" + block, "s01: x\n\nbody\n"},
		"other trailers":     {"s01: x\n\n" + block + "Signed-off-by: A <a@b>\n", "s01: x\n\nSigned-off-by: A <a@b>\n"},
		"several paragraphs": {"s01: x\n\nAgent-Run: r-1\n\nAgent-Step: s01\n", "s01: x\n"},
		"folded":             {"s01: x\n\nAgent-Run: r-1\nAgent-Step: s01\nAgent-Check: a\n  b\n", "s01: x\n"},
		"a mention stays":    {"s01: x\n\nIt writes\n\n    Agent-Run: r-1\n\n" + block, "s01: x\n\nIt writes\n\n    Agent-Run: r-1\n"},
		"lost its subject":   {block, "work without a certificate\n"},
		"glued to the body":  {"s01: x\n\nbody\n" + sound("s01")[len("s01: x\n\n"):], "s01: x\n\nbody\n"},
	}
	for name, tt := range tests {
		if got := withoutEvidence(tt.message); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

func TestGraph_chain(t *testing.T) {
	g := graph{}
	for _, c := range []object.Commit{
		{ID: "tip", Parents: []string{"m"}}, {ID: "m", Parents: []string{"a", "s2"}}, {ID: "a", Parents: []string{"base"}},
		{ID: "s2", Parents: []string{"s1"}}, {ID: "s1", Parents: []string{"base"}}, {ID: "base", Parents: []string{"older"}}, {ID: "older"},
	} {
		g.add(c)
	}
	ids := func(all []*commit) string {
		var out []string
		for _, c := range all {
			out = append(out, c.ID)
		}
		return strings.Join(out, " ")
	}
	chain, side := g.chain("tip", "base")
	if ids(chain) != "a m tip" || ids(side) != "s2 s1" {
		t.Errorf("chain %s, side %s", ids(chain), ids(side))
	}
	if chain, _ := g.chain("tip", ""); ids(chain) != "older base a m tip" {
		t.Errorf("to the root: %s", ids(chain))
	}
	if chain, side := g.chain("unknown", ""); len(chain)+len(side) > 0 {
		t.Errorf("%v %v", chain, side)
	}
}

func TestMessage(t *testing.T) {
	scattered := "s01: x\n\nAgent-Run: r-1\n\nAgent-Step: s01\n\nAgent-Check: true exit=0 secs=0.1\n\nAgent-Plan-Version: 1\n"
	squash := sound("s01", "Agent-Step: s02\nAgent-Check: true exit=0 secs=1\nAgent-Plan-Version: 1\n")
	tests := map[string]struct {
		message, run string
		faults       int
		repaired     bool
	}{
		"no evidence":            {message: "x\n", run: "r-1"},
		"sound":                  {message: sound("s01"), run: "r-1"},
		"another run":            {message: sound("s01"), run: "r-2", faults: 1},
		"not on a run's branch":  {message: sound("s01")},
		"scattered":              {message: scattered, run: "r-1", faults: 1, repaired: true},
		"scattered, another run": {message: scattered, run: "r-2", faults: 2},
		"a squash on a target":   {message: squash},
		"a squash on the branch": {message: squash, run: "r-1", faults: 1},
		"failed":                 {message: strings.Replace(sound("s01"), "exit=0", "exit=1", 1), run: "r-1", faults: 1},
	}
	for name, tt := range tests {
		faults, repaired := Message(tt.message, tt.run)
		if len(faults) != tt.faults || (repaired != "") != tt.repaired {
			t.Errorf("%s: %q, repaired %q", name, faults, repaired)
		}
		if repaired != "" && !slices.Equal(trailers.Read(repaired).Faults, nil) {
			t.Errorf("%s: the repair is damaged: %q", name, repaired)
		}
	}
}
