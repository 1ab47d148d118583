//go:build linux || darwin

package check

import (
	"errors"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// start starts the command, or reports why it could not.
func (s *supervisor) start() bool {
	path, err := exec.LookPath(s.argv[0])
	if err != nil && !strings.Contains(s.argv[0], "/") {
		s.tell(wordFailed, failedLookup, "0")
		return false
	}
	if err != nil {
		path = s.argv[0] // the kernel says better what is wrong with it
	}
	pid, err := s.spawn(path)
	if err != nil {
		var errno syscall.Errno
		errors.As(err, &errno)
		s.tell(wordFailed, failedExec, strconv.Itoa(int(errno)))
		return false
	}
	s.herd = &tree{main: pid, ownGroup: !s.tty}
	s.tell(wordStarted, strconv.Itoa(pid))
	return true
}

// spawn forks the command; what a kept one writes goes through us.
func (s *supervisor) spawn(path string) (pid int, err error) {
	files := []uintptr{fdStdin, 1, 2}
	if s.onOrphan == orphanKeep {
		if s.store, err = openStore(); err != nil {
			return 0, err
		}
		files = append(files[:1], s.store.commandEnds()...)
		defer s.store.begin()
	}
	pid, err = s.fork(path, s.argv, files)
	if errors.Is(err, unix.ENOEXEC) {
		// A script without #! is the shell's to run, as execvp(3) does.
		pid, err = s.fork(shell, append([]string{shell, path}, s.argv[1:]...), files)
	}
	return pid, err
}

func (s *supervisor) fork(path string, argv []string, files []uintptr) (int, error) {
	return syscall.ForkExec(path, argv, &syscall.ProcAttr{Env: s.env, Files: files, Sys: commandAttr(!s.tty)})
}

// watch waits until the command ends or has to.
func (s *supervisor) watch() cause {
	var timeout <-chan time.Time
	if s.timeout > 0 {
		timeout = time.After(s.timeout)
	}
	stop := s.requests()
	for {
		why := causeSelf
		select {
		case <-s.child:
		case <-timeout:
			why = causeTimeout
		case <-stop:
			why = causeCancelled
		case <-s.term:
			why = causeCancelled
		case <-s.store.broken():
			why = causeUnstored
		}
		// It may have ended before it had to: that is its own end.
		if s.herd.reap(); s.herd.ended {
			return causeSelf
		}
		if why != causeSelf {
			return why
		}
	}
}

// requests is closed when the runner asks for the end, or is gone: with
// orphanKill that is the same request. A kept command is ended by SIGTERM to
// the supervisor, which an adopter can send as well as the first runner.
func (s *supervisor) requests() <-chan struct{} {
	stop := make(chan struct{})
	if s.onOrphan == orphanKeep {
		return stop
	}
	go func() {
		defer close(stop)
		for {
			line, err := s.lifeline.ReadString('\n')
			if err != nil || strings.TrimSpace(line) == wordCancel {
				return
			}
		}
	}()
	return stop
}
