package killat

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Action is what happens at the point.
type Action string

// What can happen at a point.
const (
	Tree  Action = "tree"  // SIGKILL for every process
	Root  Action = "root"  // for the first only: the others go on
	Self  Action = "self"  // for the caller only
	Fail  Action = "fail"  // the call is not made and answers an errno
	Short Action = "short" // half of a write is made, then Tree
)

// Report is what a run came to.
type Report struct {
	Points int    `json:"points"`       // calls counted
	At     string `json:"at,omitempty"` // "<process> <call>" of the point, "" where it was not reached
	Exit   int    `json:"exit"`         // of the first process; 128 and more: its signal
}

// request is one run.
type request struct {
	number int
	action Action
	errno  unix.Errno
	only   []string // names of calls; empty: all that change state
	files  bool     // writes count only where they go to a file
	limit  time.Duration
	argv   []string
}

// Main is the command: killat [flags] <command> [<argument>…]. It answers the
// command's exit status, and writes a [Report] to the file that -report names.
func Main(args []string, errs io.Writer) int {
	if os.Getenv(stageVar) != "" {
		return stage(args, errs)
	}
	req, report, err := parse(args, errs)
	if err != nil {
		return 125
	}
	r, err := trace(req)
	if err == nil && report != "" {
		err = write(report, r)
	}
	if err != nil {
		_, _ = fmt.Fprintln(errs, "killat:", err)
		return 125
	}
	return r.Exit
}

func parse(args []string, errs io.Writer) (request, string, error) {
	flags := flag.NewFlagSet("killat", flag.ContinueOnError)
	flags.SetOutput(errs)
	req := request{}
	flags.IntVar(&req.number, "n", 0, "the call to act at; 0 only counts")
	action := flags.String("act", string(Tree), "tree, root, self, fail or short")
	errno := flags.Int("errno", int(unix.ENOSPC), "what a failing call answers")
	only := flags.String("only", "", "calls to count, separated by commas; all that change state")
	flags.BoolVar(&req.files, "files", false, "count no writes to pipes, sockets and devices")
	report := flags.String("report", "", "file for what the run came to, as JSON")
	flags.DurationVar(&req.limit, "limit", time.Minute, "how long it may take")
	if err := flags.Parse(args); err != nil {
		return req, "", err
	}
	req.action, req.errno, req.argv = Action(*action), unix.Errno(*errno), flags.Args()
	if *only != "" {
		req.only = strings.Split(*only, ",")
	}
	if len(req.argv) == 0 || !slices.Contains([]Action{Tree, Root, Self, Fail, Short}, req.action) {
		flags.Usage()
		return req, "", flag.ErrHelp
	}
	return req, *report, nil
}

func write(path string, r Report) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o600)
}
