package remotetest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// fleetSize is how many runs, and how many workers at a time; `make fleet` asks
// for all of them.
func fleetSize() (runs, workers int) {
	if os.Getenv("GIT_AGENT_FLEET") == "full" {
		return 40, 8
	}
	return 4, 3
}

const fleetSteps = 3

// TestFleet: workers do runs in containers that are killed at random moments,
// by SIGKILL or SIGTERM, each time in a brand-new clone, over http and into one
// repository; an engine starts them again by their exit statuses alone. In the
// end every step of every run is certified exactly once.
func TestFleet(t *testing.T) {
	runs, workers := fleetSize()
	f := newFleet(t, runs)
	var over sync.WaitGroup
	for range workers {
		over.Go(f.work)
	}
	over.Wait()
	t.Logf("%d runs, %d workers: containers ended with %v", runs, workers, f.ends)
	for run := range f.kills {
		f.whole(run)
	}
	f.want("the repository", f.remote("fsck", "--no-progress", "--no-dangling"), "")
	f.want("locks of the remote", f.locks(), []string{})
}

// fleet is an engine: what is to do, and what the containers ended with.
type fleet struct {
	*world
	random *rand.Rand

	guard  sync.Mutex
	todo   []string       // runs to start a container for; one is there twice, at times
	kills  map[string]int // that a run may still suffer
	ends   map[string]int // exit statuses, and kills
	serial int            // of containers
}

func newFleet(t *testing.T, runs int) *fleet {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	if given, err := strconv.ParseUint(os.Getenv("GIT_AGENT_SEED"), 10, 64); err == nil {
		seed = given
	}
	t.Logf("GIT_AGENT_SEED=%d", seed)
	f := &fleet{world: newWorld(t, fleetSteps).over("http"), random: rand.New(rand.NewPCG(seed, 1)), kills: map[string]int{}, ends: map[string]int{}}
	c := f.clone("engine")
	for i := range runs {
		run := fmt.Sprintf("f-%02d", i+1)
		c.must(0, "start", "../plan.yaml", "--run", run)
		c.git("checkout", "-q", "main")
		f.kills[run] = 3
		f.todo = append(f.todo, run)
	}
	f.todo = append(f.todo, f.todo[:max(1, runs/8)]...) // two containers for one run: an engine's mistake
	f.random.Shuffle(len(f.todo), func(i, j int) { f.todo[i], f.todo[j] = f.todo[j], f.todo[i] })
	return f
}

// work takes runs off the list until it stays empty.
func (f *fleet) work() {
	for {
		c := f.next()
		if c == nil {
			return
		}
		code, out := c.lives()
		again := f.again(code)
		f.guard.Lock()
		f.ends[ending(code)]++
		if again {
			f.todo = append(f.todo, c.run)
		}
		f.guard.Unlock()
		if !again && code != 0 {
			f.t.Errorf("%s: exit %d\n%s", c.run, code, out)
		}
		_ = os.RemoveAll(c.path(c.name)) // the container is gone, and all that was in it
	}
}

// next is a container for a run, nil where nothing is to do.
func (f *fleet) next() *container {
	f.guard.Lock()
	defer f.guard.Unlock()
	if len(f.todo) == 0 {
		return nil
	}
	f.serial++
	c := &container{clone: f.at(fmt.Sprint("pod-", f.serial)), run: f.todo[0], after: -1}
	f.todo = f.todo[1:]
	if f.kills[c.run] > 0 {
		f.kills[c.run]--
		c.after, c.politely = time.Duration(f.random.IntN(2500))*time.Millisecond, f.random.IntN(3) == 0
	}
	return c
}

// again is the engine's reading of an exit status: docs/fleet.md.
func (f *fleet) again(code int) bool {
	switch code {
	case 75, 4, 5, 7, 137, killedBySignal: // 137: git-agent died of it before its worker
		return true
	}
	return false
}

const killedBySignal = -int(syscall.SIGKILL)

func ending(code int) string {
	if code == killedBySignal {
		return "SIGKILL"
	}
	return strconv.Itoa(code)
}

// container is one life of a worker: nothing of it is left afterwards.
type container struct {
	*clone
	run      string
	after    time.Duration // when it is killed, -1 for never
	politely bool          // by SIGTERM
}

// lives runs contrib/fleet/worker in an empty folder.
func (c *container) lives() (int, string) {
	home := c.path(c.name)
	c.check(os.MkdirAll(home, 0o755))
	worker, err := filepath.Abs("../../contrib/fleet/worker")
	c.check(err)
	cmd := exec.Command(worker, c.url, c.run, "--trust", "--agent", `echo x >> "$COUNT/job-$GIT_AGENT_RUN-$GIT_AGENT_STEP"; echo done by $MACHINE > a/$GIT_AGENT_STEP.txt`)
	var out bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = home, append(c.environ(), "HOME="+home, "XDG_STATE_HOME="+home+"/state", "POD="+c.name,
		"GIT_AGENT_WAIT=1", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=agent.leaseTTL", "GIT_CONFIG_VALUE_0=3s"), &out, &out
	cmd.WaitDelay = 10 * time.Second // somebody still holds the pipe: told below
	c.check(cmd.Start())
	if c.after >= 0 {
		timer := time.AfterFunc(c.after, func() {
			if c.politely {
				_ = cmd.Process.Signal(syscall.SIGTERM)
			} else {
				c.dies()
			}
		})
		defer timer.Stop()
	}
	_ = cmd.Wait()
	c.dies() // what a container leaves running ends with it
	return status(cmd), out.String()
}

// dies kills every process of the container, as the end of one does.
func (c *container) dies() {
	for {
		pids := c.processes()
		if len(pids) == 0 {
			return
		}
		for _, pid := range pids {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// processes are those that have the container's name in their environment.
func (c *container) processes() []int {
	found, _ := filepath.Glob("/proc/[0-9]*/environ")
	var pids []int
	for _, file := range found {
		env, err := os.ReadFile(file)
		if err != nil || !slices.Contains(strings.Split(string(env), "\x00"), "POD="+c.name) || !slices.Contains(strings.Split(string(env), "\x00"), "COUNT="+c.path("count")) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil && pid != os.Getpid() {
			pids = append(pids, pid)
		}
	}
	return pids
}

// whole: every step of a run is certified once, in order, by a job that ran,
// with its work in the tree, and nobody holds the run.
func (f *fleet) whole(run string) {
	f.t.Helper()
	branch := "refs/heads/agent-run/" + run
	certified := strings.Fields(f.remote("log", "--reverse", "--format=%(trailers:key=Agent-Step,valueonly)", branch))
	var want []string
	for i := range fleetSteps {
		want = append(want, stepID(i))
	}
	f.want(run+": certificates", certified, want)
	f.want(run+": commits", f.remote("rev-list", "--count", "main.."+branch), fleetSteps)
	for _, step := range want {
		if f.counted("job-"+run+"-"+step) == 0 {
			f.t.Errorf("%s: no job of %s ran", run, step)
		}
		f.says(f.remote("show", branch+":a/"+step+".txt"), "done by pod-")
	}
	f.says(f.remote("log", "-1", "--format=%B", "refs/agent-lease/"+run), "Agent-State: released")
	f.want(run+": plan versions and records", f.remote("rev-list", "--count", "refs/agent/"+run), 1)
}
