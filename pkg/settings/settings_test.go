package settings

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// configured is a configuration: by key, and what of it the person said.
type configured struct{ all, user map[string]string }

func (c configured) Config(key string) (string, bool)     { v, ok := c.all[key]; return v, ok }
func (c configured) UserConfig(key string) (string, bool) { v, ok := c.user[key]; return v, ok }
func (c configured) ConfigKeys(prefix string) (keys []string) {
	for key := range c.all {
		if strings.HasPrefix(key, prefix) {
			keys = append(keys, key)
		}
	}
	return keys
}

// TestWrong tries values of each kind that people write.
func TestWrong(t *testing.T) {
	for key, values := range map[string]struct{ good, bad string }{
		"agent.leasettl":       {"2m 90s 1h30m 300ms", "abc 2 0 0s -3m 2min ∞"},
		"agent.maxattempts":    {"1 50", "0 -1 1.5 five 5k"},
		"agent.preflightscan":  {"0 20000", "-1 all"},
		"agent.env":            {"strict", "Strict on true"},
		"agent.verify":         {"format strict", "strickt"},
		"agent.landmode":       {"ff merge squash pr", "rebase FF"},
		"agent.preflightforge": {"true false yes no on off TRUE 1 0 -1", "yess t enabled"},
		"color.agent":          {"auto always never true false", "sometimes"},
		"agent.branchprefix":   {"agent-run agent-run/ a/b runs- ü x$(touch${IFS}ran)", "-x a..b /a a//b .a a/.b a.lock a@{b a\x01b ~a a:b / a. --output="},
		"agent.remote":         {"origin anything", ""},
		"advice.agentrunbusy":  {"true false", "perhaps"},
	} {
		for _, good := range append(strings.Fields(values.good), "") {
			if wrong := Wrong(configured{all: map[string]string{key: good}}); len(wrong) > 0 {
				t.Errorf("%s=%q is refused: %s takes %s", key, good, wrong[0].Key, wrong[0].Takes())
			}
		}
		for bad := range strings.FieldsSeq(values.bad) {
			wrong := Wrong(configured{all: map[string]string{key: bad}})
			if len(wrong) != 1 || !strings.EqualFold(wrong[0].Key, key) || wrong[0].Value(configured{all: map[string]string{key: bad}}) != bad {
				t.Errorf("%s=%q is taken", key, bad)
			}
		}
	}
}

// TestWrong_whoseWordCounts: what counts for nothing cannot be wrong.
func TestWrong_whoseWordCounts(t *testing.T) {
	all := map[string]string{"agent.trust": "perhaps"}
	if wrong := Wrong(configured{all: all}); len(wrong) > 0 {
		t.Errorf("the repository's agent.trust is refused: %v", wrong)
	}
	if wrong := Wrong(configured{all: all, user: all}); len(wrong) != 1 {
		t.Error("the person's agent.trust is taken")
	}
}

// TestAll_examples: what a hint proposes is taken.
func TestAll_examples(t *testing.T) {
	for _, s := range All {
		key := map[string]string{strings.ToLower(s.Key): s.Example()}
		if wrong := Wrong(configured{all: key, user: key}); len(wrong) > 0 {
			t.Errorf("%s %s is proposed and refused", s.Key, s.Example())
		}
	}
}

func TestUnknown(t *testing.T) {
	c := configured{all: map[string]string{"agent.leasettl": "1m", "agent.leasettl2": "1m", "agentx.y": "1", "color.agents": "x"}}
	if got := Unknown(c); !slices.Equal(got, []string{"agent.leasettl2"}) {
		t.Errorf("unknown: %q", got)
	}
}

func TestDuration(t *testing.T) {
	for value, want := range map[string]time.Duration{"3s": 3 * time.Second, "": time.Minute} {
		if got := Duration(configured{all: map[string]string{"k": value}}, "k", time.Minute); got != want {
			t.Errorf("%q: %s", value, got)
		}
	}
}
