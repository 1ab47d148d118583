package cli

import (
	"fmt"
	"os"
	"os/exec"
)

// doAt runs a shell command, once, when the named point is reached: somebody
// else's work at exactly that moment. What it cannot do is told on standard
// error, where the scenario sees it.
func doAt(point, command string, next func(string)) func(string) {
	return func(reached string) {
		if point != "" && reached == point {
			point = ""
			if out, err := exec.Command("sh", "-c", command).CombinedOutput(); err != nil {
				fmt.Fprintf(os.Stderr, "DO: %v: %s\n", err, out)
			}
		}
		next(reached)
	}
}
