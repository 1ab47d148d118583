package cli

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/git-agent/git-agent/internal/git"
)

// Set by the linker when a release is built (contrib/dist/build), where go
// itself would record the folder's state instead.
var release, commit string

type versionCmd struct {
	BuildOptions bool `help:"How it was built, and the git it found, as 'git version --build-options' does."`
	JSON         bool `name:"json" help:"Print one JSON object."`
}

// build is what --build-options and --json tell; the JSON form is frozen.
type build struct {
	Format   int    `json:"format"`
	Version  string `json:"version"`
	Commit   string `json:"commit"`
	Modified bool   `json:"modified"` // built from a tree with uncommitted changes
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
	Git      string `json:"git"` // "" where none was found
	NeedsGit string `json:"needs_git"`
}

// Run asks git for its version only where that is shown: start-up is measured.
func (c *versionCmd) Run(a *app) error {
	a.json = c.JSON
	if !c.JSON && !c.BuildOptions {
		return a.print("git agent " + version() + " (github.com/git-agent/git-agent), needs git " + git.MinVersion + " or newer\n")
	}
	b := built()
	// Without a git there is still something to tell.
	b.Git, _ = git.Installed(a.ctx, a.Env)
	if c.JSON {
		return a.printJSON(b)
	}
	return a.print(b.String())
}

func (b build) String() string {
	from := cmp.Or(b.Commit, "unknown")
	if b.Modified {
		from += ", modified"
	}
	return fmt.Sprintf("git agent %s (github.com/git-agent/git-agent)\nbuilt from commit: %s\ngo: %s\nplatform: %s/%s\ngit: %s (needs %s or newer)\n",
		b.Version, from, b.Go, b.OS, b.Arch, cmp.Or(b.Git, "none found"), b.NeedsGit)
}

func built() build {
	b := build{Format: 1, Version: version(), Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, NeedsGit: git.MinVersion}
	b.Commit, b.Modified = revision()
	return b
}

// revision is the commit that the binary was built from, "" where go was not
// told (-buildvcs=false, or no checkout).
func revision() (id string, modified bool) {
	info, ok := debug.ReadBuildInfo()
	if !ok || commit != "" {
		return commit, false
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			id = s.Value
		case "vcs.modified":
			modified = s.Value == "true"
		}
	}
	return id, modified
}

// version is the release, else the commit that the binary was built from.
func version() string {
	if release != "" {
		return strings.TrimPrefix(release, "v")
	}
	if id, _ := revision(); id != "" {
		return "at " + id[:min(len(id), 10)]
	}
	return "(devel)"
}
