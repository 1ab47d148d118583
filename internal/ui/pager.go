package ui

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
)

// errPagerQuit is what writes answer once the person has left the pager.
var errPagerQuit = errors.New("the pager was left")

// Exit codes of a shell that could not start a command (sh(1)).
const (
	exitNotExecutable = 126
	exitNotFound      = 127
)

// Page calls show with streams whose Out is the pager, and waits for the
// pager to be left. command is what `git var GIT_PAGER` prints, environ the
// environment as os.Environ has it.
//
// There is no pager, and show writes to Out itself, where Out is no terminal,
// git has already started one (GIT_PAGER_IN_USE), the command is "" (the
// caller's --no-pager) or "cat", or its program does not exist: all as git
// does. If the person leaves the pager early, writes fail so that show stops,
// and Page answers nil: that is no error.
func (s Streams) Page(command string, environ []string, show func(Streams) error) error {
	cmd := s.pagerCommand(command, environ)
	if cmd == nil {
		return show(s)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return fmt.Errorf("run pager %q: %w", command, err)
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("run pager %q: %w", command, err)
	}
	paged := s
	paged.Out, paged.OutTTY = pagerWriter{in}, false
	err = show(paged)
	if errors.Is(err, errPagerQuit) {
		err = nil
	}
	_ = in.Close() // the pager may be gone: that is what Wait says
	return errors.Join(err, waitPager(command, cmd))
}

// pagerCommand prepares the pager, or returns nil if there is to be none.
func (s Streams) pagerCommand(command string, environ []string) *exec.Cmd {
	env := func(name string) string { return lookup(environ, name) }
	if !s.OutTTY || isTrue(env("GIT_PAGER_IN_USE")) || command == "" || command == "cat" {
		return nil
	}
	argv := []string{command}
	if strings.ContainsAny(command, shellChars) {
		argv = []string{"sh", "-c", command}
	}
	path, err := exec.LookPath(argv[0])
	if err != nil {
		return nil
	}
	cmd := exec.Command(path, argv[1:]...)
	cmd.Stdout, cmd.Stderr = s.Out, s.Err
	cmd.Env = environ
	// git's defaults, see core.pager in git-config(1): quit if it fits on
	// one screen, let colours through, leave the screen as it is.
	for name, value := range map[string]string{"LESS": "FRX", "LV": "-c"} {
		if !has(environ, name) {
			cmd.Env = append(cmd.Env[:len(cmd.Env):len(cmd.Env)], name+"="+value)
		}
	}
	return cmd
}

// shellChars make git hand a command to the shell (run-command.c).
const shellChars = "|&;<>()$`\\\"' \t\n*?[#~=%"

// waitPager ignores how the pager ended, unless it never began: then nobody
// has seen the result.
func waitPager(command string, cmd *exec.Cmd) error {
	err := cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() != exitNotFound && exit.ExitCode() != exitNotExecutable {
		return nil
	}
	if err != nil {
		return fmt.Errorf("run pager %q: %w", command, err)
	}
	return nil
}

// pagerWriter turns a broken pipe into errPagerQuit; each system has its own
// name for that, and nothing else can go wrong with a pipe.
type pagerWriter struct{ w io.Writer }

func (p pagerWriter) Write(data []byte) (int, error) {
	n, err := p.w.Write(data)
	if err != nil {
		err = errPagerQuit
	}
	return n, err
}

func has(environ []string, name string) bool {
	for _, entry := range environ {
		if strings.HasPrefix(entry, name+"=") {
			return true
		}
	}
	return false
}

// lookup returns the last value, as the C library and Go's exec have it.
func lookup(environ []string, name string) string {
	value := ""
	for _, entry := range environ {
		if v, ok := strings.CutPrefix(entry, name+"="); ok {
			value = v
		}
	}
	return value
}
