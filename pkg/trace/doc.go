// Package trace turns what strace(1) recorded of a command into facts: which
// files it read, which folders it listed, which programs it ran, whom it
// connected to. From the facts it proposes the `reads` of a step.
//
// It owns strace's words ([Argv]) and the reading of its output ([Read]); it
// starts nothing, opens no file and asks no file system: a path is what the
// recording says it is. What a recording cannot show, it does not guess: a file
// mapped before the command began, io_uring, and what a daemon reads on request.
//
//	argv := trace.Argv("/tmp/recording", "go test ./...")
//	facts, err := trace.Read(recording, "/work/repo")
//	proposal := trace.Propose(trace.Use{Read: …, Tracked: …})
package trace

import "slices"

// calls are what is recorded. A question mark allows for systems that lack the
// call (strace(1), "-e trace").
const calls = "trace=%file,fchdir,getdents64,?getdents,?fork,?vfork,clone,?clone3,connect,sendto"

// Program is the recorder's name.
const Program = "strace"

// Argv has strace run a shell line as a check is run, by /bin/sh -c, and record
// it and its descendants into file. The exit status is the line's own. It takes
// strace 5.3 of 2019 or newer; the filter makes it about twice as fast.
func Argv(file, line string) []string {
	return []string{Program, "-f", "--seccomp-bpf", "-qq", "-y", "-s", "4096", "-e", calls, "-e", "signal=none",
		"-o", file, "--", "/bin/sh", "-c", line}
}

// Facts are what a command did. Paths are absolute and clean; each list is
// sorted and holds nothing twice.
type Facts struct {
	// Reads are files that were there before the command made them: opened to
	// be read, executed, or asked for by name (stat, access, readlink).
	Reads []string
	// Lists are the folders whose names it read.
	Lists []string
	// Programs are the files it executed.
	Programs []string
	// Peers are whom it connected to, or tried to: "192.0.2.1:443", "[::1]:53";
	// "unix:/run/x" only where that succeeded.
	Peers []string
	// Began: the recording shows the command itself. Without it nothing above
	// means anything: strace was not allowed to trace.
	Began bool
}

// set collects paths.
type set map[string]bool

func (s set) sorted() []string {
	out := make([]string, 0, len(s))
	for path := range s {
		out = append(out, path)
	}
	slices.Sort(out)
	return out
}
