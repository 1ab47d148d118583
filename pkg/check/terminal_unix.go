//go:build linux || darwin

package check

import (
	"errors"
	"fmt"
	"os"
	"os/signal"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// held is the terminal while a command shares it, and how it was before. Its
// zero value, of a command without TTY, holds nothing.
type held struct {
	file   *os.File
	opened bool // by us
	before *term.State
	keys   chan os.Signal
}

// holdTerminal makes Ctrl-C and Ctrl-\ the command's alone: caught here, and
// not ignored, which the command would inherit.
func (r Runner) holdTerminal(c Command) (*held, error) {
	if !c.TTY {
		return &held{}, nil
	}
	h := &held{file: r.Terminal}
	if h.file == nil {
		tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
		if err != nil {
			return nil, fmt.Errorf("open the terminal for an interactive job: %w", err)
		}
		h.file, h.opened = tty, true
	}
	before, err := term.GetState(int(h.file.Fd()))
	if err != nil {
		h.close()
		return nil, fmt.Errorf("read the state of the terminal: %w", err)
	}
	h.before, h.keys = before, make(chan os.Signal, 1)
	signal.Notify(h.keys, unix.SIGINT, unix.SIGQUIT)
	return h, nil
}

// release puts the terminal back as it was: a job that was killed leaves it
// raw, or in the hands of a process group that is gone. Taking it back from
// there means SIGTTOU, which stops us unless ignored.
func (h *held) release() {
	if h.file == nil {
		return
	}
	fd, ours := int(h.file.Fd()), unix.Getpgrp()
	signal.Ignore(unix.SIGTTOU)
	group, err := unix.IoctlGetInt(fd, unix.TIOCGPGRP)
	if err == nil && group != ours && groupGone(group) {
		_ = unix.IoctlSetPointerInt(fd, unix.TIOCSPGRP, ours)
		group = ours
	}
	if err == nil && group == ours {
		_ = term.Restore(fd, h.before) // one that hung up has no state to lose
	}
	signal.Reset(unix.SIGTTOU)
	signal.Stop(h.keys)
	h.close()
}

func (h *held) close() {
	if h.opened {
		_ = h.file.Close()
	}
}

// groupGone keeps us from taking the terminal away from a shell that has put
// us in the background.
func groupGone(group int) bool { return errors.Is(unix.Kill(-group, 0), unix.ESRCH) }
