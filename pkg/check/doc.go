// Package check runs one command (a check, a setup or fingerprint command, an
// attempt's job) and says what became of it: the design, section 9.
//
// The command runs under a supervisor, a second process of the same binary,
// so that it cannot outlive the runner whatever happens to the runner. The
// package owns that supervisor ([Supervise]), the runner's side of it
// ([Runner]), the environment that commands get ([Environ]), and the proof
// that an earlier owner is gone ([Owner], [KillLeftovers]).
//
// It never touches git, never decides what an outcome means for a step, and
// never believes anything that the command prints: the outcome is the wait
// status that the supervisor observed.
//
//	r := check.Runner{Supervisor: []string{self, "__supervise"}, Now: time.Now}
//	res, err := r.Run(ctx, check.Command{Run: "go test ./...", Dir: top, Env: env}, nil)
//	switch {
//	case err != nil:            // unknown: neither a pass nor a failure
//	case res.Environment:       // nothing was learned about the tree
//	case res.Outcome.Passed():  // exit 0, observed
//	}
//
// # What ends, and how
//
// On the runner's death, a cancel or the timeout: SIGTERM and SIGCONT to the
// command's group and to every descendant, a grace, SIGKILL, repeated until a
// pass finds none. What the command leaves behind when it ends by itself goes
// the same way, with a shorter grace.
//
// On Linux the supervisor is a subreaper, so setsid and double-forked
// descendants are found too; "no child is left" (ECHILD) proves the sweep.
// Elsewhere only the command's process group is ended. Out of reach on
// every system: processes that another daemon starts on request (at, systemd-run,
// a container engine).
//
// The runner itself is deliberately no subreaper: helpers that git leaves
// in the background (maintenance, a credential cache, an ssh master) would then
// become the runner's children, and could not be told from a check's. When
// the supervisor is killed, the runner finds the rest by a mark in the
// environment instead, and reports an error.
package check
