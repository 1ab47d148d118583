package check

import (
	"io"
	"strings"
)

// wordDismissed tells a successor that nothing is left for it.
const wordDismissed = "dismissed"

// Bereft waits, in the successor, for the end of its input, and reports
// whether it has to act: the one who started it is gone without a word.
func Bereft(in io.Reader) bool {
	words, err := io.ReadAll(in)
	return err == nil && !strings.Contains(string(words), wordDismissed)
}
