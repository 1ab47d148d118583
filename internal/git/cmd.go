package git

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// Deadlines of a child: a git that hangs (a dead network, a filter that waits)
// must not hang the run. agent.networkTimeout overrides the second.
const (
	localDeadline  = 30 * time.Minute
	remoteDeadline = 10 * time.Minute
	killAfter      = 10 * time.Second
)

// command is one git child, used once.
type command struct {
	repo     *Repo
	args     []string
	flags    []string
	env      []string
	stdin    io.Reader
	stdout   io.Writer // gets the output as it comes; nil: it is kept whole
	allow    []int
	deadline time.Duration
	said     string // on standard error, once run
	dir      string // where it starts; "": the repository's
}

// plumbing prepares a hardened child (see the package comment).
func (r *Repo) plumbing(args ...string) *command {
	env := append(slices.Clone(r.env), "LC_ALL=C", "GIT_LITERAL_PATHSPECS=1", "GIT_NO_REPLACE_OBJECTS=1", noGrafts,
		"GIT_TERMINAL_PROMPT=0", "GIT_EDITOR=false", "GIT_PAGER=cat")
	c := &command{repo: r, args: args, flags: slices.Concat(shared, hardened, r.pins), env: env, deadline: localDeadline}
	return c.withoutHooks()
}

// waiting is plumbing that moves refs, and waits for the lock of a live git that is
// about to end; git itself gives up after a tenth of a second, or one (git-config(1)).
func (r *Repo) waiting(args ...string) *command {
	return r.plumbing(args...).config("core.filesRefLockTimeout=2000").config("core.packedRefsTimeout=2000")
}

// reading is plumbing that takes no optional lock: it changes nothing. Into a
// pipe git log would write each commit by itself (GIT_FLUSH in git(1)), which
// for both sides is dearer than the commit.
func (r *Repo) reading(args ...string) *command {
	c := r.plumbing(args...)
	c.env = append(c.env, "GIT_OPTIONAL_LOCKS=0", "GIT_FLUSH=0")
	return c
}

// porcelain prepares a child that acts for the person, with their hooks,
// filters and credentials. It never asks: nobody may be there to answer.
func (r *Repo) porcelain(args ...string) *command {
	env := append(slices.Clone(r.env), noGrafts, "GIT_TERMINAL_PROMPT=0", "GIT_EDITOR=false")
	switch {
	case lookup(env, "GIT_SSH_COMMAND") == "" && lookup(env, "GIT_SSH") == "" && r.config["core.sshcommand"] == nil:
		env = append(env, "GIT_SSH_COMMAND=ssh -o BatchMode=yes")
	case lookup(env, "SSH_ASKPASS") == "":
		// A command of the person's own may know no such option. OpenSSH then
		// asks a program that says no, never the terminal (ssh(1), since 8.4).
		env = append(env, "SSH_ASKPASS=false", "SSH_ASKPASS_REQUIRE=force")
	}
	return &command{repo: r, args: args, flags: slices.Concat(shared, r.pins), env: env, deadline: localDeadline}
}

// network is porcelain with the network's deadline.
func (r *Repo) network(args ...string) *command {
	c := r.porcelain(args...)
	c.deadline = r.networkDeadline()
	return c
}

func (c *command) input(s string) *command       { c.stdin = strings.NewReader(s); return c }
func (c *command) environ(kv ...string) *command { c.env = append(c.env, kv...); return c }
func (c *command) config(kv string) *command {
	c.flags = append(slices.Clone(c.flags), "-c", kv)
	return c
}

// overFiles lets the child read our own repository, by git's file transport: a person
// may have closed that to what comes from elsewhere (protocol.allow, and
// GIT_ALLOW_PROTOCOL in git(1), which counts before it).
func (c *command) overFiles() *command {
	for _, kv := range c.env {
		if allowed, set := strings.CutPrefix(kv, "GIT_ALLOW_PROTOCOL="); set {
			return c.environ("GIT_ALLOW_PROTOCOL=" + strings.TrimPrefix(allowed+":file", ":"))
		}
	}
	return c.config("protocol.file.allow=always")
}

func (c *command) index(path string) *command    { return c.environ("GIT_INDEX_FILE=" + path) }
func (c *command) answers(codes ...int) *command { c.allow = codes; return c }

// magic lets pathspecs be more than literal paths (gitglossary(7)).
func (c *command) magic() *command {
	c.flags = slices.DeleteFunc(slices.Clone(c.flags), func(f string) bool { return f == "--literal-pathspecs" })
	return c.environ("GIT_LITERAL_PATHSPECS=0")
}

// run starts the child and waits. The exit code is returned for 0 and for the
// codes that answers listed; everything else is an *Error.
func (c *command) run(ctx context.Context) (stdout []byte, code int, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.deadline, &overdue{c})
	defer cancel()
	argv := append(slices.Clone(c.flags), c.args...)
	child := exec.CommandContext(ctx, c.repo.bin, argv...)
	child.Dir, child.Env, child.Stdin = c.dir, c.env, c.stdin
	if c.dir == "" {
		child.Dir = c.repo.dir()
	}
	var out bytes.Buffer
	errs := &headTail{}
	child.Stdout, child.Stderr = &out, errs
	if c.stdout != nil {
		child.Stdout = c.stdout
	}
	ownGroup(child)
	begin := c.repo.now()
	runErr := child.Run()
	c.repo.trace(c.args, c.repo.now().Sub(begin), runErr)
	c.said = errs.String()
	if state := child.ProcessState; state != nil && !state.Exited() || strings.Contains(c.said, "unable to unlink '") {
		c.repo.leftLocks.Store(true)
	}
	if runErr == nil {
		return out.Bytes(), 0, nil
	}
	failure := &Error{Args: c.args, Dir: child.Dir, ExitCode: -1, Stderr: c.said, Cause: whyEnded(ctx)}
	var exit *exec.ExitError
	switch {
	case !errors.As(runErr, &exit):
		failure.Cause = runErr
	case exit.Exited():
		failure.ExitCode = exit.ExitCode()
	default:
		failure.Signal = exit.String()
	}
	if slices.Contains(c.allow, failure.ExitCode) {
		return out.Bytes(), failure.ExitCode, nil
	}
	return out.Bytes(), failure.ExitCode, c.repo.orLocked(failure)
}

// LeftLocks reports whether one of our children may have left its locks: a
// signal ended it, or it said that it could not take a file away.
func (r *Repo) LeftLocks() bool { return r.leftLocks.Load() }

// text is run for a single line of output.
func (c *command) text(ctx context.Context) (string, error) {
	out, _, err := c.run(ctx)
	return strings.TrimRight(string(out), "\n"), err
}

// records is run for NUL-terminated output.
func (c *command) records(ctx context.Context) ([]string, error) {
	out, _, err := c.run(ctx)
	if err != nil {
		return nil, err
	}
	return splitNUL(out), nil
}

// do is run for its effect.
func (c *command) do(ctx context.Context) error {
	_, _, err := c.run(ctx)
	return err
}

// yes is run for a question whose answers are exit 0 and 1.
func (c *command) yes(ctx context.Context) (bool, error) {
	_, code, err := c.answers(1).run(ctx)
	return code == 0 && err == nil, err
}

func splitNUL(out []byte) []string {
	s := strings.TrimSuffix(string(out), "\x00")
	if s == "" {
		return nil
	}
	return strings.Split(s, "\x00")
}

// joinNUL is the input form of -z options.
func joinNUL(items []string) string {
	if len(items) == 0 {
		return ""
	}
	return strings.Join(items, "\x00") + "\x00"
}

// headTail keeps the first and the last 32 KiB of what is written to it.
type headTail struct {
	head, tail []byte
	cut        bool
}

const keep = 32 << 10

func (h *headTail) Write(p []byte) (int, error) {
	n := len(p)
	if room := keep - len(h.head); room > 0 {
		take := min(room, len(p))
		h.head, p = append(h.head, p[:take]...), p[take:]
	}
	h.tail = append(h.tail, p...)
	if len(h.tail) > keep {
		h.tail, h.cut = h.tail[len(h.tail)-keep:], true
	}
	return n, nil
}

func (h *headTail) String() string {
	if h.cut {
		return string(h.head) + "\n[…]\n" + string(h.tail)
	}
	return string(h.head) + string(h.tail)
}
