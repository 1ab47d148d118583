package trailers_test

import (
	"testing"

	"github.com/git-agent/git-agent/pkg/trailers"
)

func TestHidden(t *testing.T) {
	const evidence = "Agent-Run: r1\nAgent-Step: s1\nAgent-Check: true exit=0 secs=1\nAgent-Plan-Version: 1\n"
	for message, want := range map[string]bool{
		"T\n\n" + evidence:                                               false,
		"T\n\n" + evidence + "\nChange-Id: I01234\n":                     true,
		"T\n\nbody\n\n" + evidence + "\nSigned-off-by: A <a@b>\nX: y\n":  true,
		"T\n\n" + evidence + "\nprose\n":                                 false,
		"T\n\nso it looks:\n" + evidence + "\nSigned-off-by: A <a@b>\n":  false,
		"T\n\nAgent-Run: r1\nAgent-Step: s1\n\nSigned-off-by: A <a@b>\n": false,
		"T\n\n" + evidence + "\nAgent-Note: x\nSigned-off-by: A <a@b>\n": false, // scattered, which is told anyway
		"T\n\nSigned-off-by: A <a@b>\n":                                  false,
		"Agent-Run: r1\nAgent-Step: s1\n\nSigned-off-by: A <a@b>\n":      false,
		"": false,
	} {
		if got := trailers.Hidden(message); got != want {
			t.Errorf("%q: %v", message, got)
		}
	}
}
