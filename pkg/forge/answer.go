package forge

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// The states of an item and of a pull request (frozen words).
const (
	Open   = "open"
	Closed = "closed"
	Merged = "merged"
)

// PR is a pull request.
type PR struct {
	Number int    `json:"number"`
	URL    string `json:"url"`
	Branch string `json:"branch"` // its own, without refs/heads/
	// State is open, closed or merged; "" is open.
	State string `json:"state"`
	// Closes: it says that it closes the item that was asked about.
	Closes bool `json:"closes"`
}

// IsOpen reports whether it can still be merged.
func (p PR) IsOpen() bool { return p.State == Open || p.State == "" }

// Answer is what a command printed.
type Answer struct {
	// PRs of list-prs, one of open-pr.
	PRs []PR
	// State of item-state: open or closed.
	State string
	// URL of the comment or the item, "" where the command does not say.
	URL string
}

// Read reads the answer to an operation. What cannot be the answer is an error,
// never "no".
func Read(op Op, stdout []byte) (a Answer, err error) {
	d := json.NewDecoder(bytes.NewReader(stdout))
	for {
		var one PR // its fields are those of every answer
		if err := d.Decode(&one); errors.Is(err, io.EOF) {
			return a, a.complete(op)
		} else if err != nil {
			return Answer{}, fmt.Errorf("read its answer: %w", err)
		}
		switch op {
		case OpenPR, ListPRs:
			a.PRs = append(a.PRs, one)
		case ItemState:
			a.State = one.State
		default:
			a.URL = one.URL
		}
	}
}

// complete reports what is missing in an answer to op.
func (a Answer) complete(op Op) error {
	for _, pr := range a.PRs {
		if pr.Number < 1 {
			return errors.New("read its answer: a pull request has no number")
		}
		if !pr.IsOpen() && pr.State != Closed && pr.State != Merged {
			return fmt.Errorf("read its answer: pull request #%d is %q, neither open nor closed nor merged", pr.Number, pr.State)
		}
	}
	switch {
	case op == OpenPR && len(a.PRs) != 1:
		return fmt.Errorf("read its answer: it names %d pull requests", len(a.PRs))
	case op == ItemState && a.State != Open && a.State != Closed:
		return fmt.Errorf("read its answer: the item is %q, neither open nor closed", a.State)
	}
	return nil
}
