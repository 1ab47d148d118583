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
	if !w.out {
		if err := w.takeOut(p); err != nil {
			return "", refuse("", "%s:%w", w.at.path, err)
		}
	}
	if w.note.Made && empty(w.text) {
		w.gone = true
	}
	if lost, err := w.lost(p); err != nil || !lost {
		return Nothing, err
	}
	return Removed, nil
}

// takeOut takes all of ours out of a file, whatever parts it has: exactly what
// was put in where every place of that is known, else what is recognisably ours.
func (w *work) takeOut(p part) (err error) {
	exact := false
	if w.known {
		if text, ok := w.note.takeOut(w.text); ok {
			w.text, exact = text, !w.note.Edited
		}
	}
	w.out, w.note.Rounds, w.note.Edited = true, nil, false
	switch {
	case exact:
	case p.kind == block:
		w.text, _ = cutBlock(w.text, p)
	default:
		w.text, err = strip(w.text, w.note.Theirs)
	}
	return err
}

// lost reports whether something of a part was there and is not any more.
func (w *work) lost(p part) (bool, error) {
	if p.kind == block || w.gone {
		return w.gone || !bytes.Equal(w.text, w.at.text), nil
	}
	content, err := w.kit(p.from)
	if err != nil {
		return false, err
	}
	root, err := jsonc.Parse(content)
	if err != nil {
		return false, err
	}
	for _, e := range wantedEntries(content, root) {
		before, err := e.in(w.at.text)
		if err != nil {
			return false, err
		}
		if after, err := e.in(w.text); err != nil || !bytes.Equal(before, after) {
			return true, err
		}
	}
	return false, nil
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
// the lists and objects that hold nothing else. Comments stay, and so does what
// is theirs.
func strip(text []byte, theirs []string) ([]byte, error) {
	for {
		root, err := jsonc.Parse(text)
		if err != nil || root == nil {
			return text, err
		}
		chain := find(root, nil, func(chain []link) bool {
			return isOurs(text, chain[len(chain)-1].item()) && !slices.Contains(theirs, digest(tidy(entryOf(text, chain))))
		})
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

// find is the way to the first item that is wanted, nil where there is none.
func find(list *jsonc.Value, above []link, wanted func([]link) bool) []link {
	for i := range list.Items {
		chain := slices.Concat(above, []link{{list, i}})
		if wanted(chain) {
			return chain
		}
		if deeper := find(&list.Items[i].Value, chain, wanted); deeper != nil {
			return deeper
		}
	}
	return nil
}

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
