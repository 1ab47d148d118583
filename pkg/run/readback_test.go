package run

import (
	"testing"

	"github.com/git-agent/git-agent/pkg/object"
)

func TestRefused_onlyByAVerdict(t *testing.T) {
	for text, want := range map[string]bool{
		"[remote rejected] (pre-receive hook declined)":     true,
		"[remote failure] (remote failed to report status)": false,
	} {
		if got := refused([]object.PushVerdict{{Ref: "refs/heads/x", Flag: '!', Text: text}}); got != want {
			t.Errorf("%s: refused is %v", text, got)
		}
	}
}
