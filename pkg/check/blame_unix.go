//go:build linux || darwin

package check

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// askLimit bounds the question to the shell.
const askLimit = 5 * time.Second

// shellFinds asks the shell that ran the line whether it finds name: a 127
// from deep inside a script is the script's, not the environment's. No answer
// counts as found, so that the outcome stays a failure.
func shellFinds(ctx context.Context, c Command, name string) bool {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), askLimit)
	defer stop()
	ask := exec.CommandContext(ctx, shell, "-c", `command -v -- "$1"`, shell, name)
	ask.Dir, ask.Env = c.Dir, append([]string{}, c.Env...)
	err := ask.Run()
	var exit *exec.ExitError
	return !errors.As(err, &exit) || !exit.Exited()
}

// fullBelow is the free space under which a failure is not blamed on the
// tree. What a command needed is gone when it has ended and has cleaned up, so
// the exact want cannot be known: under 1 MiB no build, test or commit works.
// A quota does not show here.
const fullBelow = 1 << 20

// scratch are the directories in which a command that finds no space fails.
func (c Command) scratch() []string {
	tmp := "/tmp"
	for _, entry := range c.Env {
		if value, ok := strings.CutPrefix(entry, "TMPDIR="); ok && value != "" {
			tmp = value
		}
	}
	if c.Dir == "" {
		return []string{".", tmp}
	}
	return []string{c.Dir, tmp}
}

// space is what a file system has left for us.
type space struct {
	bytes  uint64
	inodes uint64 // meaningless where the file system has no fixed number
	fixed  bool
}

// statfs asks statfs(2). ok is false where it does not know: file systems
// without a size (some network and FUSE ones) say 0 of 0.
func statfs(dir string) (left space, ok bool) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil || st.Blocks == 0 {
		return space{}, false
	}
	free := st.Bavail
	if os.Geteuid() == 0 {
		free = st.Bfree // the reserve is for us
	}
	return space{bytes: free * uint64(st.Bsize), inodes: st.Ffree, fixed: st.Files > 0}, true
}

// Full is the first of these directories on a full file system, "" if none is.
func Full(dirs ...string) string { return fullDir(dirs, statfs) }

// fullDir is the first of dirs on a full file system, "" if none is.
func fullDir(dirs []string, ask func(string) (space, bool)) string {
	for _, dir := range dirs {
		left, ok := ask(dir)
		if ok && (left.bytes < fullBelow || left.fixed && left.inodes == 0) {
			return dir
		}
	}
	return ""
}
