package git_test

import (
	"testing"

	"github.com/git-agent/git-agent/internal/git"
)

func TestThreat16_KnownHole_byVersion(t *testing.T) {
	const hole = "CVE-2024-32002"
	for version, want := range map[string]string{
		"2.36.0": hole, "2.38.5": hole, "2.39.3": hole, "2.39.4": "", "2.39.5": "", "2.39.5 (Apple Git-154)": "", "2.40.1": hole,
		"2.40.2": "", "2.43.3.windows.1": hole, "2.43.4.windows.1": "", "2.45.0": hole, "2.45.0-rc1": hole, "2.45.1": "", "2.46.0": "",
		"2.50.1": "", "3.0.0": "", "2.45": hole, "": hole,
	} {
		if got := new(git.Repo).KnownHole(version); got != want {
			t.Errorf("git %q: %q, want %q", version, got, want)
		}
	}
}
