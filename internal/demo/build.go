package demo

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

// project holds the demo's project twice, in Go and for the shell alone. Names
// end in .txt so that the go command does not take the files for ours.
//
//go:embed project
var project embed.FS

// build makes the scratch folder: the project, what the agent writes for each
// step, the agent, the plan, a home for each machine, and this binary on a PATH.
func (s *stage) build() error {
	kind := "sh"
	s.halves = []string{"render/csv.sh", "render/table.sh"}
	if s.findGo() {
		kind, s.halves = "go", []string{"render/csv.go", "render/table.go"}
	}
	for from, to := range map[string]string{"project/" + kind + "/base": "project", "project/" + kind + "/work": "work"} {
		if err := s.unpack(from, to); err != nil {
			return err
		}
	}
	for from, to := range map[string]string{"project/agent.txt": "agent", "project/" + kind + "/plan.yaml.txt": "plan.yaml"} {
		if err := s.unpackFile(from, to); err != nil {
			return err
		}
	}
	for _, machine := range []string{"one", "two"} {
		if err := s.machineFiles(machine); err != nil {
			return err
		}
	}
	return s.binary()
}

func (s *stage) machineFiles(machine string) error {
	for _, d := range []string{machine, machine + ".home"} {
		if err := os.MkdirAll(filepath.Join(s.Dir, d), 0o755); err != nil {
			return err
		}
	}
	// Where it cannot be proven that the killed one is dead, its lease is watched
	// for this long.
	config := filepath.Join(s.Dir, machine+".home", ".gitconfig")
	if err := os.WriteFile(config, []byte("[agent]\n\tleaseTTL = 10s\n"), 0o644); err != nil {
		return err
	}
	var b strings.Builder
	for _, kv := range s.environ(machine) {
		name, value, _ := strings.Cut(kv, "=")
		fmt.Fprintf(&b, "export %s='%s'\n", name, strings.ReplaceAll(value, "'", `'\''`))
	}
	return os.WriteFile(filepath.Join(s.Dir, machine+".env"), []byte(b.String()), 0o644)
}

func (s *stage) binary() error {
	bin := filepath.Join(s.Dir, "bin")
	if err := os.MkdirAll(bin, 0o755); err != nil {
		return err
	}
	name := filepath.Join(bin, "git-agent")
	if !s.Copy {
		return os.Symlink(s.Exe, name)
	}
	data, err := os.ReadFile(s.Exe)
	if err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o755)
}

func (s *stage) unpack(from, to string) error {
	return fs.WalkDir(project, from, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		return s.unpackFile(name, path.Join(to, strings.TrimSuffix(strings.TrimPrefix(name, from+"/"), ".txt")))
	})
}

func (s *stage) unpackFile(from, to string) error {
	data, err := project.ReadFile(from)
	if err != nil {
		return err
	}
	name := filepath.Join(s.Dir, filepath.FromSlash(to))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o644)
}

// findGo reports whether Go works here. The demo's Go needs no module and no
// toolchain from the network; its build cache is the person's.
func (s *stage) findGo() bool {
	c := exec.CommandContext(s.ctx, "go", "env", "GOCACHE")
	c.Dir = s.Dir
	out, err := c.Output()
	cache := strings.TrimSpace(string(out))
	if err != nil || cache == "" || cache == "off" {
		return false
	}
	s.common = []string{"GOCACHE=" + cache, "GOFLAGS=-mod=mod", "GOPROXY=off", "GOENV=off", "GOWORK=off", "GOTOOLCHAIN=local", "CGO_ENABLED=0"}
	return true
}

// environ is a machine's environment, built from nothing but what programs
// need to be found and to write text.
func (s *stage) environ(machine string) []string {
	env := append([]string{
		"PATH=" + filepath.Join(s.Dir, "bin") + string(filepath.ListSeparator) + s.Env("PATH"),
		"HOME=" + filepath.Join(s.Dir, machine+".home"),
		"GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0", "GIT_PAGER=cat",
		"GIT_AUTHOR_NAME=Demo", "GIT_AUTHOR_EMAIL=demo@example.org",
		"GIT_COMMITTER_NAME=Demo", "GIT_COMMITTER_EMAIL=demo@example.org",
	}, s.common...)
	for _, name := range []string{"TMPDIR", "LANG", "LC_ALL", "LC_CTYPE", "GOROOT"} {
		if value := s.Env(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	return env
}
