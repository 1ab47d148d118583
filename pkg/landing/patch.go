package landing

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"
)

// PatchID is the identity of a change whatever it was made on: the sum over its
// files of what is added, removed and kept beside it, without line numbers and
// blanks, as git-patch-id(1) has it. A file whose change is not text counts by
// its exact contents, which git-patch-id leaves out. diff is git's, with full
// object ids. "" is the identity of no change at all.
func PatchID(diff string) string {
	var files []string
	for _, file := range strings.Split("\n"+diff, "\ndiff --git ")[1:] {
		h := sha256.New()
		hashFile(h, file)
		files = append(files, string(h.Sum(nil)))
	}
	if len(files) == 0 {
		return ""
	}
	slices.Sort(files)
	sum := sha256.Sum256([]byte(strings.Join(files, "")))
	return hex.EncodeToString(sum[:])
}

// hashFile hashes one file's part: its header up to the first hunk, and the
// hunks.
func hashFile(h io.Writer, file string) {
	hunks := false
	index := ""
	text := false
	for line := range strings.Lines(file) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "@@ "):
			hunks, text = true, true
			continue
		case !hunks && strings.HasPrefix(line, "index "):
			index = line // with the mode at its end, where that stays
			continue
		case strings.HasPrefix(line, `\ `):
			continue // no newline at the end
		}
		_, _ = fmt.Fprintf(h, "%s\n", withoutBlanks(line))
	}
	if !text {
		_, _ = io.WriteString(h, index)
	}
}

func withoutBlanks(line string) string {
	return strings.Map(func(r rune) rune {
		if r == ' ' || r == '\t' || r == '\r' {
			return -1
		}
		return r
	}, line)
}
