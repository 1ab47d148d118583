//go:build linux || darwin

package check

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// leftGrace bounds the grace for what a command leaves behind when it ends by
// itself: its result waits for them.
const leftGrace = time.Second

// supervisor is the process between the runner and the command.
type supervisor struct {
	options
	env      []string
	lifeline *bufio.Reader
	status   *os.File
	nonce    string
	herd     *tree
	child    chan os.Signal // SIGCHLD; one is as good as many
	term     chan os.Signal // SIGTERM to us: end the command, as on a cancel
	store    *store         // of a kept command's output, nil otherwise
}

// Supervise is the body of the hidden command that [Runner.Supervisor] names;
// args are the words after those. env is the process environment: the
// command gets it unchanged, and PATH in it finds Argv's first word.
//
// Its descriptors are 0 lifeline, 1 and 2 the command's output, or the files
// that a kept command's output is stored in, 3 status, 4 the command's input.
// It returns the exit code of the process, which says nothing about the command.
func Supervise(args, env []string, stderr io.Writer) int {
	o, err := parseOptions(args)
	if err == nil {
		err = sealDescriptors(o.onOrphan)
	}
	if err == nil {
		err = becomeSubreaper()
	}
	if err != nil {
		_, _ = fmt.Fprintf(stderr, "git-agent: error: supervise: %v\n", err)
		return exitUsage
	}
	// The death signal of the command follows the thread that forked it.
	runtime.LockOSThread()
	s := &supervisor{
		options:  o,
		env:      env,
		lifeline: bufio.NewReader(os.NewFile(0, "lifeline")),
		status:   os.NewFile(fdStatus, "status"),
		child:    make(chan os.Signal, 1),
		term:     make(chan os.Signal, 1),
	}
	return s.run()
}

// sealDescriptors proves that a runner started us, and keeps everything but
// 0, 1 and 2 from the command: what the runner itself inherited, too.
func sealDescriptors(policy orphanPolicy) error {
	if !isStatus(fdStatus, policy) {
		return errors.New("only git agent itself starts this command")
	}
	unix.CloseOnExec(fdStatus)
	unix.CloseOnExec(fdStdin)
	open, err := os.ReadDir("/dev/fd")
	if err != nil {
		return fmt.Errorf("list open files: %w", err)
	}
	for _, entry := range open {
		if fd, err := strconv.Atoi(entry.Name()); err == nil && fd > 2 {
			unix.CloseOnExec(fd)
		}
	}
	return nil
}

// isStatus: a runner that waits reads a pipe, one that may not live reads a
// file later. What else has the number is of Go's own making.
func isStatus(fd int, policy orphanPolicy) bool {
	var st unix.Stat_t
	if unix.Fstat(fd, &st) != nil {
		return false
	}
	kind := st.Mode & unix.S_IFMT
	if policy == orphanKill {
		return kind == unix.S_IFIFO
	}
	flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0)
	return err == nil && kind == unix.S_IFREG && flags&unix.O_APPEND != 0
}

func (s *supervisor) run() int {
	signal.Notify(s.child, unix.SIGCHLD)
	signal.Notify(s.term, unix.SIGTERM)
	// Caught, not ignored: the command would inherit that. With a terminal
	// they are the command's, without one they do not concern us.
	signal.Notify(make(chan os.Signal, 1), unix.SIGINT, unix.SIGQUIT, unix.SIGHUP)
	nonce, err := s.lifeline.ReadString('\n')
	if err != nil {
		return exitUsage // the runner died before it told us anything
	}
	s.nonce = strings.TrimSpace(nonce)
	if !s.start() {
		return 0
	}
	why := s.watch()
	grace := s.grace
	if why == causeSelf {
		s.tellEnd(why)
		grace = min(grace, leftGrace)
	}
	left := end(context.Background(), s.herd, s.child, grace)
	if why != causeSelf && s.herd.ended {
		s.tellEnd(why)
	}
	if s.store != nil {
		s.tell(wordStored, s.store.finish())
	}
	s.tell(wordSwept, formatPids(left))
	return 0
}

// tell reports one line. A runner that is gone does not read it, and then
// nobody is left to tell that.
func (s *supervisor) tell(words ...string) {
	_, _ = fmt.Fprintln(s.status, s.nonce, strings.Join(words, " "))
	if s.onOrphan == orphanKeep {
		_ = s.status.Sync() // somebody acts on it who was not there
	}
}

func (s *supervisor) tellEnd(why cause) {
	s.tell(wordEnded, strconv.FormatUint(uint64(s.herd.status), 10), string(why))
}
