package git

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/pkg/object"
)

// printed is a log as git prints it; the last NUL is not always there.
const printed = "\x00c1\x00t1\x00\x007\x00\x00subject\n\nbody\n\x00\x00" + "\x00c2\x00t2\x00c1 c0\x008\x00K: v\n\x00\x00"

// cutTo hands a log to frames in pieces of some bytes, or of all at once.
func cutTo(t *testing.T, out string, size int) ([]object.Commit, error) {
	t.Helper()
	var found []object.Commit
	f := &frames{each: func(c object.Commit) { found = append(found, c) }}
	for piece := range slices.Chunk([]byte(out), size) {
		if n, err := f.Write(piece); n != len(piece) || err != nil {
			t.Fatalf("Write = %d, %v", n, err)
		}
	}
	return found, f.end()
}

func TestFrames_Write_piecesOfEverySize(t *testing.T) {
	for _, out := range []string{printed, printed + "\x00"} {
		for size := 1; size <= len(out); size++ {
			found, err := cutTo(t, out, size)
			if err != nil || len(found) != 2 {
				t.Fatalf("pieces of %d: %+v, %v", size, found, err)
			}
			one, two := found[0], found[1]
			if one.ID != "c1" || one.Tree != "t1" || one.Parents != nil || one.Time.Unix() != 7 || one.Message != "subject\n\nbody\n" {
				t.Errorf("pieces of %d: first %+v", size, one)
			}
			if two.ID != "c2" || !slices.Equal(two.Parents, []string{"c1", "c0"}) || two.Trailers != "K: v\n" || two.Message != "" {
				t.Errorf("pieces of %d: second %+v", size, two)
			}
		}
	}
}

// What does not look like a log is told once git is done; the commits before
// it were handed over.
func TestFrames_end_foreignOutput(t *testing.T) {
	for foreign, says := range map[string]string{
		"warning: x\n": "unexpected output",
		strings.Replace(printed, "\x007\x00", "\x00soon\x00", 1):    "commit time of c1",
		strings.Replace(printed, "body\n\x00", "body\n\x00more", 1): "frame of c1 does not close",
		"\x00c3\x00t3\x00": "commit time of c3",
	} {
		found, err := cutTo(t, printed+"\x00"+foreign, 5)
		if err == nil || !strings.Contains(err.Error(), says) || len(found) != 2 {
			t.Errorf("%q: %d commits, %v", foreign, len(found), err)
		}
	}
}
