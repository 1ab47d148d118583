package run

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
)

const (
	noteMax   = 1000 // bytes of one note
	notesMost = 20   // notes that wait for one step's certificate
)

// NoteRequest is one line that later steps need to know.
type NoteRequest struct {
	Run, Step string // Step "": that of the live attempt around, else the next one
	Text      string
}

// Note keeps a line until the step's certificate is written, which then holds it:
// what a job finds out would be lost with its process. It answers the step. The
// line is a claim like any other, quoted in every brief.
func (e *Engine) Note(ctx context.Context, req NoteRequest) (step string, err error) {
	if req.Text == "" || len(req.Text) > noteMax {
		return "", failf("USAGE", ExitUsage, "a note has 1 to %d bytes, not %d", noteMax, len(req.Text)).hint("git agent help step")
	}
	if err := validNotes([]string{req.Text}); err != nil {
		return "", err
	}
	s, err := e.open(ctx, req.Run)
	if err != nil {
		return "", err
	}
	if step, err = s.noteStep(req); err != nil {
		return "", err
	}
	return step, e.saveNote(req.Run, step, req.Text)
}

func (s *session) noteStep(req NoteRequest) (string, error) {
	if req.Step != "" {
		found, err := s.step(req.Step)
		if err != nil {
			return "", err
		}
		return found.ID, nil
	}
	if a, err := s.nested(StepRequest{Run: s.run}); err == nil && a != nil {
		return a.Step, nil
	}
	next, _, err := s.peekNext()
	if err != nil {
		return "", err
	}
	if next == nil {
		return "", failf("NO_STEP", ExitNo, "every step of run %s is certified: no certificate will hold the note", s.run).hint("git agent status %s", s.run)
	}
	return next.ID, nil
}

func notesFolder(run, step string) string { return run + "/notes/" + step }

// saveNote gives each note a file of its own, in the order of time: two writers
// need no lock.
func (e *Engine) saveNote(run, step, text string) error {
	waiting, err := e.notesWaiting(run, step)
	if err != nil || slices.Contains(waiting, text) {
		return err
	}
	if len(waiting) >= notesMost {
		return failf("USAGE", ExitUsage, "%d notes wait for the certificate of %s; no more are kept", len(waiting), step).hint("git agent brief %s", run)
	}
	salt := make([]byte, 8)
	if _, err := rand.Read(salt); err != nil {
		return err
	}
	name := fmt.Sprintf("%020d-%s", e.Now().UnixNano(), hex.EncodeToString(salt))
	return e.State.Write(notesFolder(run, step)+"/"+name, []byte(text))
}

// notesWaiting are the notes of a step that no certificate holds yet, in the
// order in which they came.
func (e *Engine) notesWaiting(run, step string) ([]string, error) {
	names, err := e.State.List(notesFolder(run, step))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	var notes []string
	for _, name := range names {
		text, err := e.State.Read(notesFolder(run, step) + "/" + name)
		if err == nil && len(text) <= noteMax && validNotes([]string{string(text)}) == nil && !slices.Contains(notes, string(text)) {
			notes = append(notes, string(text))
		}
	}
	return notes, nil
}

// withNotes adds the notes that wait to those of the command. What an earlier
// record of the step holds is not said again.
func (s *session) withNotes(step string, notes []string) []string {
	waiting, err := s.notesWaiting(s.run, step)
	if err != nil {
		s.Notify("%s: its notes cannot be read: %v", step, err)
	}
	for _, n := range waiting {
		r := s.ledger.Newest(step)
		if !slices.Contains(notes, n) && (r == nil || !slices.Contains(r.Evidence.Notes, n)) {
			notes = append(notes, n)
		}
	}
	return notes
}

// dropNotes removes the notes that a certificate holds by now, and no other: one
// that came meanwhile, or could not be read, waits for the next.
func (s *session) dropNotes(step string, held []string) {
	if r := s.ledger.Newest(step); r != nil {
		held = slices.Concat(held, r.Evidence.Notes)
	}
	names, _ := s.State.List(notesFolder(s.run, step)) // most often there are none
	for _, name := range names {
		name = notesFolder(s.run, step) + "/" + name
		text, err := s.State.Read(name)
		if err == nil && slices.Contains(held, string(text)) {
			err = s.State.Remove(name)
		}
		if err != nil {
			s.Notify("%s: %v", step, err)
		}
	}
}

// waitingNotes are the lines of a brief about notes that no certificate holds.
func (s *session) waitingNotes() []string {
	steps, err := s.State.List(s.run + "/notes")
	if err != nil {
		return nil // there are none, or a brief without them is better than none
	}
	var lines []string
	for _, id := range steps {
		notes, _ := s.notesWaiting(s.run, id)
		for _, n := range notes {
			if r := s.ledger.Newest(id); r != nil && slices.Contains(r.Evidence.Notes, n) {
				continue // a kill came between the certificate and its removal
			}
			lines = append(lines, fmt.Sprintf("- %s, not certified yet: %s", quoted(id, 64), quoted(n, 300)))
		}
	}
	return lines
}
