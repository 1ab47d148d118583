package compattest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-agent/git-agent/internal/git/gittest"
)

// TestCompatibility runs each command in each shape of clone, checks what it
// did there, and compares the whole with docs/compatibility.md. With -update
// it writes that page; with -short it looks at every sixth shape.
func TestCompatibility(t *testing.T) {
	t.Parallel()
	origins := compatOrigins(t)
	results := make([]map[string]string, len(compatShapes))
	t.Run("shapes", func(t *testing.T) {
		for i, shape := range compatShapes {
			if testing.Short() && i%6 != 0 {
				continue
			}
			t.Run(shape.name, func(t *testing.T) {
				t.Parallel()
				results[i] = newCompatClone(t, shape, origins[shape.origin]).commands()
			})
		}
	})
	if !t.Failed() && !testing.Short() {
		comparePage(t, compatPage(results))
	}
}

// compatClone is one clone of a run whose first two steps are certified.
type compatClone struct {
	t      *testing.T
	shape  compatShape
	dir    string // holds origin.git, home, and the clone
	work   string // where commands run
	before string // what git says about the working tree, but for the steps' paths

	jobDone bool // the job's step is certified
}

const secondPlan = `title: second\nsteps: [{id: s01, title: t, touches: [x], check: ["test -e x"]}]\n`

// newCompatClone copies an origin to a place of its own and makes the clone.
func newCompatClone(t *testing.T, shape compatShape, origin string) *compatClone {
	t.Helper()
	c := &compatClone{t: t, shape: shape, dir: t.TempDir()}
	c.work = c.dir
	c.must("cp -a " + origin + "/origin.git . && mkdir -p home && printf '" + secondPlan + "' > second.yaml")
	c.must(shape.make)
	c.work = filepath.Join(c.dir, "work")
	if shape.folder != "" {
		c.work = filepath.Join(c.dir, shape.folder)
	}
	c.before = c.elsewhere()
	return c
}

func (c *compatClone) environ() []string {
	home := filepath.Join(c.dir, "home")
	return []string{"PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH"), "HOME=" + home, "XDG_STATE_HOME=" + filepath.Join(home, "state"),
		"XDG_CONFIG_HOME=" + filepath.Join(home, "config"), "TMPDIR=" + os.TempDir(), "TZ=UTC", "LANG=C.UTF-8", "TERM=dumb", "GORACE=atexit_sleep_ms=0",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=A U Thor", "GIT_AUTHOR_EMAIL=author@example.org", "GIT_COMMITTER_NAME=C O Mitter",
		"GIT_COMMITTER_EMAIL=committer@example.org", "GIT_COMMITTER_DATE=" + gittest.Date, "GIT_AUTHOR_DATE=" + gittest.Date,
		"GIT_CONFIG_GLOBAL=" + filepath.Join(home, "gitconfig"), "D=" + c.dir, "URL=file://" + c.dir + "/origin.git", "KILL_AT="}
}

// sh runs a shell script where the clone is.
func (c *compatClone) sh(script string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-euc", script)
	cmd.Dir, cmd.Env = c.work, c.environ()
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (c *compatClone) must(script string) string {
	c.t.Helper()
	out, err := c.sh(script)
	if err != nil {
		c.t.Fatalf("%s\n%v\n%s", script, err, out)
	}
	return out
}

// cmdEnd is how a command of ours ended.
type cmdEnd struct {
	exit     int
	code     string // of the error
	did      bool   // what it was to do is done, whatever the exit status
	note     string // what stands in the cell instead of "works"
	out, err string
}

func (c *compatClone) agent(args ...string) cmdEnd {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(bin, "git-agent"), append(args, c.shape.flags...)...)
	if i := slices.Index(args, "--"); i >= 0 {
		cmd.Args = slices.Concat([]string{"git-agent"}, args[:i], c.shape.flags, args[i:])
	}
	cmd.Dir, cmd.Env = c.work, c.environ()
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	a := cmdEnd{}
	var ended *exec.ExitError
	if err := cmd.Run(); errors.As(err, &ended) {
		a.exit = ended.ExitCode()
	} else if err != nil {
		c.t.Fatal(err)
	}
	a.out, a.err = out.String(), errs.String()
	var doc struct {
		Error struct{ Code string }
	}
	lines := strings.Split(strings.TrimSpace(a.err), "\n")
	if json.Unmarshal([]byte(lines[len(lines)-1]), &doc) == nil {
		a.code = doc.Error.Code
	}
	return a
}

// elsewhere is what git says about everything but the steps' own paths: no
// command may change it.
func (c *compatClone) elsewhere() string {
	out, err := c.sh("git status --porcelain -z --untracked-files=all | tr '\\0\\n' '\\n?'")
	if err != nil {
		return ""
	}
	var rest []string
	for line := range strings.Lines(out) {
		if !strings.Contains(line, "a/s0") {
			rest = append(rest, line)
		}
	}
	return strings.Join(rest, "")
}

// wrong lists what a command that said it works did not do.
type wrong []string

func (w *wrong) want(what string, got, want any) {
	if fmt.Sprint(got) != fmt.Sprint(want) {
		*w = append(*w, fmt.Sprintf("%s: %v, want %v", what, got, want))
	}
}
