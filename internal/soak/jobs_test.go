package soak

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// outlive waits for the end of a job whose git agent was killed: what a person
// writes meanwhile, and the job writes over, would be lost by neither. Every
// process of a clone has a home of its own; where there is no proc(5) nobody waits.
func (w *world) outlive(clone string) {
	home := []byte("HOME=" + filepath.Join(w.dir, "home-"+clone) + "\x00")
	for alive := true; alive; time.Sleep(time.Millisecond) {
		alive = false
		processes, _ := filepath.Glob("/proc/[0-9]*/environ")
		for _, name := range processes {
			environ, _ := os.ReadFile(name) // it may be gone, or somebody else's
			alive = alive || bytes.Contains(environ, home)
		}
	}
}

// An untracked file that was in a folder of the step before the attempt is
// nobody's work (DESIGN.md section 6): it stays out of the commit, and a job that
// writes over it is as any program that does. What an attempt at the step made
// there is its work, which no later one may lose.

// missing are the files that a job may make in a clone and that are not there:
// nobody made them.
func (w *world) missing(clone string) (paths []string) {
	for n := range most {
		path := "b/" + stepID(n) + "/new"
		if _, err := os.Lstat(w.path(clone, path)); err != nil {
			paths = append(paths, path)
			delete(w.made, clone+":"+path)
		}
	}
	return paths
}

var attempted = regexp.MustCompile(`(?m)^git-agent: (s\d+): attempt \d+: `)

// tell notes who made what was not there before a command.
func (w *world) tell(clone string, missing, args []string, out string) {
	step := attempted.FindStringSubmatch(out)
	for _, path := range missing {
		w.made[clone+":"+path] = step != nil && owns(stepOf(step[1]), path) && strings.Contains(args[len(args)-1], "> "+path)
	}
}

// forgetAttempts is called where it is not told who made what, or the clone knows
// of no attempt any more.
func (w *world) forgetAttempts() { clear(w.made) }

// jobsVersion is what the command's job writes over a file that no attempt made.
func (w *world) jobsVersion(clone, path string, was file, args []string) string {
	line, _, writes := strings.Cut(args[len(args)-1], "' > "+path)
	if !writes || !was.untracked || w.made[clone+":"+path] {
		return ""
	}
	return strings.ReplaceAll(line[strings.LastIndex(line, "'")+1:], `\n`, "\n")
}
