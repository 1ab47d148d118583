package job

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/git-agent/git-agent/pkg/journal"
)

// Client looks at a job, here or on another machine. An answer may be older
// than the next question; what it says is true of some moment between.
type Client interface {
	Status(ctx context.Context) (Status, error)
	// Chunk is what one stream has from offset on, at most [MaxChunk] bytes.
	// None: there is no more yet.
	Chunk(ctx context.Context, s journal.Stream, offset int64) ([]byte, error)
}

// MaxChunk bounds what a Client hands out at once. What lies here comes in
// pieces of [journal.ChunkSize]; over a network a question costs more.
const MaxChunk = 1 << 20

// Local is the client of a job of this clone, for one goroutine. Nothing it
// does is seen by anybody: no lock, no write. [Release] it after the last
// question.
func Local(a *Attempt) Client { return &local{Attempt: a, most: journal.ChunkSize} }

// local keeps the folder open from one question to the next: opening it safely
// costs more than reading a chunk.
type local struct {
	*Attempt
	most int
	at   *os.Root // nil until it is needed
}

func (l *local) Status(context.Context) (Status, error) { return l.Attempt.Status() }

func (l *local) Chunk(_ context.Context, s journal.Stream, offset int64) ([]byte, error) {
	if l.at == nil {
		root, err := l.root()
		if err != nil {
			return nil, err
		}
		l.at = root
	}
	b, err := readNative(l.at, s, offset, l.most)
	if errors.Is(err, fs.ErrNotExist) {
		return readLogged(l.at, s, offset, l.most)
	}
	return b, err
}

// Release lets go of what a client has open. It can be asked again.
func Release(c Client) {
	if l, ok := c.(*local); ok && l.at != nil {
		_ = l.at.Close() // only ever read through
		l.at = nil
	}
}

func nativeName(s journal.Stream) string {
	if s == journal.Stderr {
		return stderrFile
	}
	return stdoutFile
}

// readNative reads the supervisor's file. One that is shorter than what was
// read of it already is not the file that it was.
func readNative(root *os.Root, s journal.Stream, offset int64, most int) ([]byte, error) {
	f, err := root.Open(nativeName(s))
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%q is not a regular file (%s)", nativeName(s), info.Mode().Type())
	case info.Size() < offset:
		return nil, &journal.OffsetError{Stream: s, Given: info.Size(), Want: offset} // somebody cut it short
	}
	b := make([]byte, min(int64(most), info.Size()-offset))
	n, err := f.ReadAt(b, offset)
	return b[:n], ignore(err, io.EOF)
}

// readLogged reads the log once the native files are gone, or before there
// are any.
func readLogged(root *os.Root, s journal.Stream, offset int64, most int) ([]byte, error) {
	r, err := journal.OpenReader(journal.RootFolder(root, "."), LogName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	some := &atMost{room: most}
	_, err = r.Copy(some, journal.View{Stream: s, From: offset})
	return some.b, ignore(err, errEnough)
}

var errEnough = errors.New("enough")

// atMost takes a number of bytes, and then no more.
type atMost struct {
	b    []byte
	room int
}

func (a *atMost) Write(p []byte) (int, error) {
	n := min(len(p), a.room-len(a.b))
	a.b = append(a.b, p[:n]...)
	if n < len(p) {
		return n, errEnough
	}
	return n, nil
}
