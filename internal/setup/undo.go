package setup

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/internal/setup/jsonc"
)

// undo takes a part out: exactly what was inserted where the file is as it was
// then, else whatever is recognisably ours.
func (w *work) undo(p part) (did string, err error) {
	if w.gone && !w.at.made {
		return Removed, nil // with the part before
	}
	if w.gone {
		return Nothing, nil
	}
	if p.kind == whole {
		return w.undoWhole(p)
	}
	before := w.text
	if w.known {
		if text, ok := w.note.takeOut(w.text); ok {
			w.text = text
		}
		w.known, w.note.Rounds = false, nil // all parts of the file are out
	}
	if p.kind == block {
		w.text, _ = cutBlock(w.text, p)
	} else if w.text, err = strip(w.text); err != nil {
		return "", refuse("", "%s:%w", w.at.path, err)
	}
	if w.note.Made && empty(w.text) {
		w.gone = true
	}
	if bytes.Equal(before, w.text) && !w.gone && bytes.Equal(w.text, w.at.text) {
		return Nothing, nil
	}
	return Removed, nil
}

func (w *work) undoWhole(p part) (did string, err error) {
	content, err := w.kit(p.from)
	if err != nil {
		return "", err
	}
	if !w.known && !bytes.Equal(w.text, content) {
		return Left, nil
	}
	w.gone = true
	return Removed, nil
}

// empty: nothing is in it but what a file of ours began with.
func empty(text []byte) bool {
	plain := strings.Join(strings.Fields(string(text)), "")
	return plain == "" || plain == "{}" || plain == `{"version":1}`
}

// cutBlock takes the lines between our markers out, and the empty line in front.
func cutBlock(text []byte, p part) (rest []byte, found bool) {
	begin, end := p.marks()
	block := regexp.MustCompile(`(?ms)(?:^\r?\n)?^` + regexp.QuoteMeta(begin) + `\r?$.*?^` + regexp.QuoteMeta(end) + `\r?(?:\n|\z)`)
	at := block.FindIndex(text)
	if at == nil {
		return text, false
	}
	return slices.Concat(text[:at[0]], text[at[1]:]), true
}

// strip takes our hooks and servers out of a JSON file, one after the other, with
// the lists and objects that hold nothing else. Comments stay.
func strip(text []byte) ([]byte, error) {
	for {
		root, err := jsonc.Parse(text)
		if err != nil || root == nil {
			return text, err
		}
		chain := find(text, root)
		if chain == nil {
			return text, nil
		}
		at := widest(text, chain)
		text = jsonc.Apply(text, jsonc.Remove(text, at.list, at.i))
	}
}

// link is an item of a list; a chain of them leads from the root to an entry.
type link struct {
	list *jsonc.Value
	i    int
}

func (l link) item() *jsonc.Item { return &l.list.Items[l.i] }

func find(text []byte, list *jsonc.Value) []link {
	for i := range list.Items {
		item := &list.Items[i]
		if isOurs(text, item) {
			return []link{{list, i}}
		}
		if rest := find(text, &item.Value); rest != nil {
			return append([]link{{list, i}}, rest...)
		}
	}
	return nil
}

// isOurs: a hook whose command is ours, or a server of our name that runs us.
func isOurs(text []byte, item *jsonc.Item) bool {
	v := &item.Value
	if v.Kind != jsonc.Object {
		return false
	}
	body := text[v.Start:v.End]
	if item.Key == "git-agent" {
		return serves().Match(body)
	}
	for _, key := range []string{"command", "bash"} {
		if c := v.Get(key); c != nil && c.Kind == jsonc.Other && ours().Match(text[c.Start:c.End]) {
			return true
		}
	}
	return false
}

var serves = lazy(`"agent",\s*"mcp"`)

// widest is the outermost list item that holds nothing but the entry: never the
// document itself, and of a group of hooks also what only says when they run.
func widest(text []byte, chain []link) link {
	at := len(chain) - 1
	for at > 0 {
		list, holder := chain[at].list, chain[at-1].item()
		alone := len(list.Items) == 1
		if list.Kind == jsonc.Object && holder.Key == "" {
			alone = onlyWhen(list, chain[at].i)
		}
		if !alone || !bytes.Equal(comments().Find(text[list.Start:list.End]), nil) {
			break
		}
		at--
	}
	return chain[at]
}

// comments keeps what a person wrote between our entries.
var comments = lazy(`(?m)^\s*(//|/\*)`)

// onlyWhen: beside the item the object has a matcher at most.
func onlyWhen(list *jsonc.Value, i int) bool {
	for j := range list.Items {
		if j != i && list.Items[j].Key != "matcher" {
			return false
		}
	}
	return true
}
