package check

import (
	"strings"
	"testing"
	"testing/iotest"
)

// A successor acts on its starter's silence alone: not on a dismissal, nor
// where it cannot tell.
func TestBereft(t *testing.T) {
	if !Bereft(strings.NewReader("")) {
		t.Error("its starter died, and it does nothing")
	}
	if Bereft(iotest.OneByteReader(strings.NewReader(wordDismissed + "\n"))) {
		t.Error("it was dismissed, and acts")
	}
	if Bereft(iotest.ErrReader(iotest.ErrTimeout)) {
		t.Error("nothing could be read, and it acts")
	}
}
