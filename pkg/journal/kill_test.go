package journal

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

var kills = flag.Int("journal.kills", 50, "how many writers TestWriter_killedAtRandom kills")

// The test binary is its own writer: JOURNAL_TEST_WRITER is the folder that
// it works in.
func TestMain(m *testing.M) {
	dir := os.Getenv("JOURNAL_TEST_WRITER")
	if dir == "" {
		os.Exit(m.Run())
	}
	if err := writeUntilKilled(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// the streams of the first report of lost bytes, none of it UTF-8.
func reported() native {
	return native{bytes.Repeat([]byte{0xf1}, 150011), bytes.Repeat([]byte{0xfe}, 91017)}
}

// writeUntilKilled drains in small chunks, a byte on stdout after each.
func writeUntilKilled(dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	n := reported()
	req := n.request(RootFolder(root, "."))
	req.Now = time.Now
	req.Owner = fmt.Appendf(nil, `{"pid":%d}`, os.Getpid())
	w, err := Open(req)
	if err != nil {
		return err
	}
	if w.State().Completion != nil {
		return nil // the one before was killed with nothing left to do
	}
	if err := w.Accepted(); err != nil {
		return err
	}
	rnd := rand.New(rand.NewPCG(uint64(os.Getpid()), 1))
	for w.Next(Stdout) < int64(len(n.stdout)) || w.Next(Stderr) < int64(len(n.stderr)) {
		s := Stream(1 + rnd.IntN(2))
		rest := n.of(s)[w.Next(s):]
		if err := w.Append(s, w.Next(s), rest[:min(1+rnd.IntN(6000), len(rest))]); err != nil {
			return err
		}
		if rnd.IntN(2) == 0 {
			if err := w.Flush(); err != nil {
				return err
			}
		}
		if _, err := os.Stdout.Write([]byte(".")); err != nil {
			return err
		}
	}
	return w.Finish(End{Kind: Exited, Code: 7}, n.lengths())
}

// killedWriter runs one writer and kills it after it did about n things. It
// reports whether the writer came to its end before.
func killedWriter(t *testing.T, dir string, n int) bool {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "JOURNAL_TEST_WRITER="+dir)
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	_, _ = io.CopyN(io.Discard, bufio.NewReaderSize(out, 16), int64(n))
	_ = cmd.Process.Kill()
	err = cmd.Wait()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return true
	case errors.As(err, &exit) && exit.ExitCode() == -1:
		return false
	}
	t.Fatalf("writer: %v: %s", err, &complaint)
	return false
}

// TestWriter_killedAtRandom: real processes, really killed. One follower
// watches all writers of an attempt; nothing it was shown is lost or comes
// twice, and the next writer always goes on.
func TestWriter_killedAtRandom(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 7))
	for attempts, done := 0, 0; done < *kills; attempts++ {
		dir := t.TempDir()
		root, err := os.OpenRoot(dir)
		must(t, err)
		folder := RootFolder(root, ".")
		must(t, makeEmpty(folder))
		ended := follow(t, folder)
		for !killedWriter(t, dir, rnd.IntN(14)) {
			done++
		}
		got := <-ended
		mustHaveAll(t, folder, reported())
		if log, err := os.ReadFile(filepath.Join(dir, "a"+logSuffix)); err != nil || got != string(log) {
			t.Fatalf("attempt %d: follower has %d bytes, the log %d (%v)", attempts, len(got), len(log), err)
		}
		must(t, root.Close())
	}
}

// makeEmpty opens a log so that a follower can be there before the first
// writer.
func makeEmpty(folder Folder) error {
	w, err := Open(reported().request(folder))
	if err != nil {
		return err
	}
	return w.Close()
}

// follow collects what a follower writes until the completion.
func follow(t *testing.T, folder Folder) <-chan string {
	t.Helper()
	r, err := OpenReader(folder, "a")
	must(t, err)
	ended := make(chan string, 1)
	go func() {
		defer func() { _ = r.Close() }()
		var b bytes.Buffer
		if done, _, err := r.Follow(context.Background(), &b, Follow{Interval: time.Millisecond}); err != nil || done.Code != 7 {
			t.Errorf("follow: %+v, %v", done, err)
		}
		ended <- b.String()
	}()
	return ended
}
