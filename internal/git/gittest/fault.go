package gittest

import (
	"fmt"
	"os"
	"os/exec"
)

// Fault is what a test binary that plays a program does at the program's named
// points: it dies by SIGKILL at the one that KILL_AT names, and runs DO, once,
// at the one that DO_AT names: somebody else's work at exactly that moment.
// What that cannot do is told on standard error, where the scenario sees it.
func Fault() func(point string) {
	dieAt, doAt := os.Getenv("KILL_AT"), os.Getenv("DO_AT")
	return func(reached string) {
		if doAt != "" && reached == doAt {
			doAt = ""
			if out, err := exec.Command("sh", "-c", os.Getenv("DO")).CombinedOutput(); err != nil {
				fmt.Fprintf(os.Stderr, "DO: %v: %s\n", err, out)
			}
		}
		if dieAt != "" && reached == dieAt {
			Die()
		}
	}
}

// Die ends this process, and nothing else.
func Die() {
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		_ = self.Kill()
	}
	select {}
}
