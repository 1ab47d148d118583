package forge

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Format is the version of the protocol; it stays 1 while fields are only added.
const Format = 1

// Foreign is the exit status by which the command says that the item is none of
// its forge's: an answer. Every other status than 0 is an answer that did not
// come.
const Foreign = 2

// Op is what is asked for (frozen words).
type Op string

// The operations. Those that write can be asked for again: they then change
// nothing further.
const (
	OpenPR     Op = "open-pr"     // open a pull request of Branch into Target
	Comment    Op = "comment"     // have one comment of ours with Key on Item, its text Body
	CloseIssue Op = "close-issue" // close Item
	ListPRs    Op = "list-prs"    // pull requests of Branch, else open ones for Item
	ItemState  Op = "item-state"  // is Item open or closed
)

// Question is what the command gets on standard input, as one line of JSON.
// Fields are only added.
type Question struct {
	Format int    `json:"format"`
	Op     Op     `json:"op"`
	Run    string `json:"run"`
	// Remote is the URL of the remote that the run is pushed to.
	Remote string `json:"remote,omitempty"`
	// Item is the key of an issue as the plan has it; Items are those that a
	// pull request answers.
	Item  string   `json:"item,omitempty"`
	Items []string `json:"items,omitempty"`
	// Branch and Target are without refs/heads/. Commit is what lands, a full id.
	Branch string `json:"branch,omitempty"`
	Target string `json:"target,omitempty"`
	Commit string `json:"commit,omitempty"`
	Title  string `json:"title,omitempty"`
	Body   string `json:"body,omitempty"`
	// Key is the first line of a comment of ours about this run, and Marker the
	// marker in it.
	Key    string `json:"key,omitempty"`
	Marker string `json:"marker,omitempty"`
}

// JSON is the question as the command reads it.
func (q Question) JSON() ([]byte, error) {
	q.Format = Format
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(q)
	return b.Bytes(), err
}

// Environ is the question as variables, for commands that are shell scripts:
// each field, empty ones too, in capitals behind GIT_AGENT_FORGE_. Items has
// one item a line.
func (q Question) Environ() map[string]string {
	fields := map[string]string{
		"OP": string(q.Op), "RUN": q.Run, "REMOTE": q.Remote, "ITEM": q.Item, "ITEMS": strings.Join(q.Items, "\n"),
		"BRANCH": q.Branch, "TARGET": q.Target, "COMMIT": q.Commit, "TITLE": q.Title, "BODY": q.Body, "KEY": q.Key, "MARKER": q.Marker,
	}
	env := make(map[string]string, len(fields))
	for name, value := range fields {
		env["GIT_AGENT_FORGE_"+name] = value
	}
	return env
}

// maxBody is what every forge takes (GitHub: 65,536 characters), and what one
// environment variable holds (Linux: 128 KiB).
const maxBody = 60_000

// Body is text as the body of a pull request: where it is too long, short, and
// that too cut behind a whole line.
func Body(text, short string) string {
	if len(text) <= maxBody {
		return text
	}
	if len(short) <= maxBody {
		return short
	}
	short = strings.ToValidUTF8(short[:maxBody], "")
	return short[:strings.LastIndexByte(short, '\n')+1] + "…\n"
}

// CommentKey is the line by which the comment about a run is found again. No
// forge shows it.
func CommentKey(run string) string { return "<!-- git-agent run " + run + " -->" }
