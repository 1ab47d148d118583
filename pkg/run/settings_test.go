package run

import (
	"context"
	"testing"
	"time"
)

// oneSetting is a configuration of agent.leaseTTL alone.
type oneSetting string

func (o oneSetting) Config(key string) (string, bool) {
	return string(o), key == "agent.leasettl" && o != ""
}
func (o oneSetting) ConfigBool(string) bool                                { return false }
func (o oneSetting) UserConfig(string) (string, bool)                      { return "", false }
func (o oneSetting) ConfigKeys(string) []string                            { return nil }
func (o oneSetting) ConfigOrigin(context.Context, string) (string, string) { return "", "" }

// TestSession_signEvery: somebody with the usual time to live sees whoever has a
// longer one at work.
func TestSession_signEvery(t *testing.T) {
	for ttl, want := range map[oneSetting]time.Duration{"": time.Minute, "10s": 5 * time.Second, "2m": time.Minute, "3h": time.Minute} {
		s := &session{Engine: &Engine{Deps: Deps{Config: ttl}}}
		if got := s.signEvery(); got != want {
			t.Errorf("agent.leaseTTL %q: a sign of life every %s, want %s", ttl, got, want)
		}
	}
}
