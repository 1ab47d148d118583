package git

import "os/exec"

// ownGroup has no groups to use here: a deadline ends git itself.
func ownGroup(c *exec.Cmd) { c.WaitDelay = killAfter }
