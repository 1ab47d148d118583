package setup

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/git-agent/git-agent/internal/setup/jsonc"
)

// work is one file while it is worked out: its text as it will be.
type work struct {
	*Setup
	at    *place
	text  []byte
	gone  bool // it will not be there
	out   bool // all of ours was taken out
	note  note
	known bool // the note describes what is there
}

func (s *Setup) begin(at *place) (*work, error) {
	n, known, err := s.noteOf(at)
	return &work{Setup: s, at: at, text: bytes.Clone(at.text), gone: at.made, note: n, known: known}, err
}

func (w *work) install(p part) (did string, err error) {
	content, err := w.kit(p.from)
	if err != nil {
		return "", err
	}
	did = Added
	if w.gone {
		did = Made
	}
	var changed bool
	switch p.kind {
	case entries:
		changed, err = w.addEntries(content)
	case block:
		changed, err = w.addBlock(p, content)
	case whole:
		changed, err = w.addWhole(content)
	}
	if err != nil {
		return "", err
	}
	if !changed {
		return Kept, nil
	}
	w.note.Made = w.note.Made || w.at.made
	w.gone = false
	return did, nil
}

// insert makes changes that only insert, and notes them.
func (w *work) insert(changes []jsonc.Change) {
	w.text = jsonc.Apply(w.text, changes)
	w.note.add(changes)
}

func (w *work) addEntries(content []byte) (changed bool, err error) {
	root, err := jsonc.Parse(content)
	if err != nil {
		return false, err
	}
	wanted := wantedEntries(content, root)
	if w.note.first {
		w.note.Theirs = append(w.note.Theirs, theirs(w.at.text, wanted)...)
	}
	for _, e := range wanted {
		has, err := w.has(e)
		if err != nil {
			return false, err
		}
		if has {
			continue
		}
		changes, err := jsonc.Add(w.text, e.path, e.value)
		if err != nil {
			return false, refuse("", "%s: %w", w.at.path, err)
		}
		w.insert(changes)
		changed = true
	}
	return changed, nil
}

// entry is one thing of the kit that a JSON file is to have.
type entry struct {
	path  []string
	value any // a jsonc.Named, or an element
}

// wantedEntries takes the kit's own file apart: lists two levels down are hooks
// (each element is an entry), objects are servers, a scalar is a version.
func wantedEntries(text []byte, root *jsonc.Value) []entry {
	raw := func(v jsonc.Value) json.RawMessage { return json.RawMessage(text[v.Start:v.End]) }
	var all []entry
	for _, top := range root.Items {
		if top.Value.Kind == jsonc.Other {
			all = append(all, entry{nil, jsonc.Named{Key: top.Key, Value: raw(top.Value)}})
			continue
		}
		for _, one := range top.Value.Items {
			if one.Value.Kind == jsonc.Object {
				all = append(all, entry{[]string{top.Key}, jsonc.Named{Key: one.Key, Value: raw(one.Value)}})
				continue
			}
			for _, element := range one.Value.Items {
				all = append(all, entry{[]string{top.Key, one.Key}, raw(element.Value)})
			}
		}
	}
	return all
}

// has: a member of that name is there, or a hook with our command in that list.
func (w *work) has(e entry) (bool, error) {
	found, err := e.in(w.text)
	if err != nil {
		return false, refuse("", "%s:%w", w.at.path, err)
	}
	if named, ok := e.value.(jsonc.Named); ok && named.Key == server && found != nil && !runsUs().Match(found) {
		return false, refuse("", "%s has another server by the name of %q", w.at.path, server)
	}
	return found != nil, nil
}

// in is what stands in a text for an entry, nil for nothing.
func (e entry) in(text []byte) ([]byte, error) {
	at, err := jsonc.Parse(text)
	if err != nil {
		return nil, err
	}
	for _, key := range e.path {
		at = at.Get(key)
	}
	named, ok := e.value.(jsonc.Named)
	if ok {
		at = at.Get(named.Key)
	}
	if at == nil {
		return nil, nil
	}
	there := text[at.Start:at.End]
	wanted, _ := e.value.(json.RawMessage)
	if !ok && (at.Kind != jsonc.Array || !bytes.Contains(there, ours().Find(wanted))) {
		return nil, nil
	}
	return there, nil
}

func (p part) marks() (begin, end string) {
	return p.open + "git-agent:begin" + p.closing, p.open + "git-agent:end" + p.closing
}

func (w *work) addBlock(p part, content []byte) (changed bool, err error) {
	begin, end := p.marks()
	body := strings.TrimRight(string(content), "\n") + "\n"
	if !strings.HasPrefix(body, begin) {
		body = begin + "\n" + body + end + "\n"
	}
	if strings.Contains(strings.ReplaceAll(string(w.text), "\r\n", "\n"), body) {
		return false, nil
	}
	if before, found := cutBlock(w.text, p); found {
		w.text, w.note.Rounds = before, nil // an earlier version's
	}
	if p.clash != "" {
		if line := regexp.MustCompile(p.clash).Find(w.text); line != nil {
			return false, refuse("", "%s has %q already: put these lines where they belong by hand:\n%s", w.at.path, strings.TrimSpace(string(line)), content)
		}
	}
	if n := len(w.text); n > 0 {
		body = "\n" + body
		if w.text[n-1] != '\n' {
			body = "\n" + body
		}
	}
	if bytes.Contains(w.text, []byte("\r\n")) {
		body = strings.ReplaceAll(body, "\n", "\r\n")
	}
	w.insert([]jsonc.Change{{At: len(w.text), Text: body}})
	return true, nil
}

func (w *work) addWhole(content []byte) (changed bool, err error) {
	switch {
	case !w.gone && bytes.Equal(w.text, content):
		return false, nil
	case !w.gone && !w.known:
		return false, refuse("", "%s is there and is not what git agent put there", w.at.path)
	}
	w.text = content
	return true, nil
}

// carryOut writes what was worked out, and the note about it.
func (w *work) carryOut() error {
	switch {
	case w.gone && w.at.made:
		return nil
	case w.gone:
		if err := os.Remove(w.at.real); err != nil {
			return err
		}
		return w.Notes.Remove(noteName(w.at))
	case bytes.Equal(w.text, w.at.text) && !w.at.made:
		if w.note.first && w.note.Theirs != nil {
			return w.saveNote(w.at, w.note, w.text)
		}
		return nil
	}
	folders, err := w.at.write(w.text)
	if err != nil {
		return err
	}
	w.note.Folders = append(w.note.Folders, folders...)
	if err := w.saveNote(w.at, w.note, w.text); err != nil {
		return fmt.Errorf("remember what was inserted: %w", err)
	}
	return nil
}
