package stash

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
)

// The index commit's message: what an index holds and a tree cannot, one line
// a path, the path quoted as a Go string.
const (
	indexSubject     = "index of the preserved paths"
	untrackedMessage = "untracked files among the preserved paths\n"
	rawMessage       = "raw bytes of the preserved paths, past every filter\n"

	wordAssume = "assume-unchanged"
	wordSkip   = "skip-worktree"
	wordSparse = "not-checked-out" // skip-worktree, and no file there
	wordIntent = "intent-to-add"
)

// flag is what one path has beside mode and id.
type flag struct {
	assume, skip, sparse bool
	intent               string // the mode of an intent to add, "" for none
}

func indexMessage(entries []object.IndexEntry, sparse map[string]bool) string {
	var b strings.Builder
	b.WriteString(indexSubject + "\n")
	sep := "\n"
	line := func(word, path string) {
		fmt.Fprintf(&b, "%s%s %s\n", sep, word, strconv.Quote(path))
		sep = ""
	}
	for _, e := range entries {
		if e.AssumeUnchanged {
			line(wordAssume, e.Path)
		}
		if e.SkipWorktree {
			line(wordSkip, e.Path)
		}
		if sparse[e.Path] {
			line(wordSparse, e.Path)
		}
		if e.IntentToAdd {
			line(wordIntent+" "+e.Mode, e.Path)
		}
	}
	return b.String()
}

// parseFlags reads what indexMessage wrote; ok is false for any other message.
func parseFlags(message string) (flags map[string]flag, ok bool) {
	subject, rest, _ := strings.Cut(message, "\n")
	if subject != indexSubject {
		return nil, false
	}
	flags = make(map[string]flag)
	for line := range strings.Lines(rest) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" {
			continue
		}
		word, quoted, found := strings.Cut(line, ` "`)
		path, err := strconv.Unquote(`"` + quoted)
		if !found || err != nil {
			return nil, false
		}
		f := flags[path]
		if !f.set(word) {
			return nil, false
		}
		flags[path] = f
	}
	return flags, true
}

func (f *flag) set(word string) bool {
	switch word {
	case wordAssume:
		f.assume = true
	case wordSkip:
		f.skip = true
	case wordSparse:
		f.sparse = true
	default:
		mode, ok := strings.CutPrefix(word, wordIntent+" ")
		f.intent = mode
		return ok
	}
	return true
}
