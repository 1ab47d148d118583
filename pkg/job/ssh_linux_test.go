package job

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/git-agent/git-agent/pkg/journal"
)

// farMain is the far side and the ssh before it in one: its words are those
// that ssh gets. Every second call breaks off in the middle of the answer.
func farMain(args []string) int {
	count, _ := os.ReadFile(args[0])
	_ = os.WriteFile(args[0], append(count, 'x'), 0o600)
	a, err := Open(openPlace(args[1]), "r-1", args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	var q Question
	if _, err := fmt.Sscanf(args[len(args)-1], "'far' 'chunk' '--stream=stdout' '--offset=%d'", &q.Offset); err == nil {
		q.Ask, q.Stream = AskChunk, journal.Stdout
	} else if _, err := fmt.Sscanf(args[len(args)-1], "'far' 'chunk' '--stream=stderr' '--offset=%d'", &q.Offset); err == nil {
		q.Ask, q.Stream = AskChunk, journal.Stderr
	} else {
		q.Ask = AskStatus
	}
	out := &cutWriter{left: 1 << 30}
	if len(count)%2 == 1 {
		out.left = 37 * len(count) % 5000
	}
	if err := Answer(context.Background(), out, a, q); err != nil {
		return brokenExit
	}
	return 0
}

type cutWriter struct{ left int }

func (c *cutWriter) Write(p []byte) (int, error) {
	n := min(len(p), c.left)
	c.left -= n
	_, _ = os.Stdout.Write(p[:n])
	if n < len(p) {
		return n, errors.New("cut")
	}
	return n, nil
}

// The far log is drained into one here, over a connection that breaks again
// and again: both are the same.
func TestSSH_brokenConnections(t *testing.T) {
	p, dir := newPlace(t)
	a := newAttempt(t, p, 1)
	begin(t, a, "__bytes", "200us")
	here := openPlace(t.TempDir())
	log, err := journal.Open(journal.OpenRequest{Folder: journal.RootFolder(here.root, "."), Name: "far", Identity: a.Identity(), Now: time.Now})
	must(t, err)
	broke := 0
	far := &SSH{Command: []string{self(), "__far", dir + "/count", dir, a.Name()}, Host: "box", Far: []string{"far"}, Patience: time.Minute, Now: time.Now,
		Note: func(error) { broke++ }}
	_, err = Drain{From: far, Log: log}.Run(t.Context())
	must(t, errors.Join(err, log.Close()))
	wantWhole(t, journal.RootFolder(here.root, "."), "far")
	if broke < 2 {
		t.Errorf("the connection broke %d times", broke)
	}
}

func TestSSH_refusals(t *testing.T) {
	for _, host := range []string{"", "-oProxyCommand=touch pwned"} {
		c := &SSH{Command: []string{"false"}, Host: host, Now: time.Now}
		if _, err := c.Status(t.Context()); err == nil {
			t.Errorf("%q was asked", host)
		}
	}
	c := &SSH{Command: []string{"sh", "-c", "echo no such attempt >&2; exit 1"}, Host: "box", Patience: time.Hour, Now: time.Now}
	if _, err := c.Status(t.Context()); err == nil || err.Error() != "box answers: no such attempt" {
		t.Errorf("%v", err)
	}
	c = &SSH{Command: []string{"sh", "-c", "yes"}, Host: "box", Patience: time.Hour, Now: time.Now}
	if _, err := c.Status(t.Context()); err == nil || err.Error() != "box answers more than it was asked for" {
		t.Errorf("%v", err)
	}
}
