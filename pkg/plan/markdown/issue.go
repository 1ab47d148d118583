package markdown

import (
	"encoding/json"
	"strings"
)

// issue is what forges' own commands print about one: `gh issue view N --json
// number,title,body`, `glab issue view N -F json`.
type issue struct {
	Number      json.Number `json:"number"`
	IID         json.Number `json:"iid"`
	Title       string      `json:"title"`
	Body        string      `json:"body"`
	Description string      `json:"description"`
}

// Issue makes a draft of an issue: JSON as above, the plain form of `gh issue
// view`, or Markdown whose first heading is the title. item overrides the
// issue's own number. An issue without a list of steps is one step.
func Issue(name string, text []byte, item string) (*Draft, error) {
	found := readIssue(clean(string(text)))
	body := found.Body + found.Description
	d, err := read(name, []byte(body))
	if err != nil {
		return nil, err
	}
	if title := oneLine(found.Title); title != "" {
		d.Title = title
	}
	d.Item = oneLine(first(item, found.Number.String(), found.IID.String()))
	if len(d.Steps) == 0 {
		d.Steps = []Step{{Title: d.Title, Brief: strings.TrimSpace(clean(body)), Files: findPaths(body)}}
		d.Intro = nil
	}
	return d, nil
}

func first(texts ...string) string {
	for _, text := range texts {
		if text != "" && text != "0" {
			return text
		}
	}
	return ""
}

var headerLine = lazy(`^([a-z]+):\t(.*)$`)

func readIssue(text string) issue {
	var found issue
	if strings.HasPrefix(strings.TrimSpace(text), "{") && json.Unmarshal([]byte(text), &found) == nil {
		return found
	}
	head, body, ok := strings.Cut(text, "\n--\n")
	if !ok || headerLine().FindString(strings.SplitN(head, "\n", 2)[0]) == "" {
		return issue{Body: text}
	}
	found.Body = body
	for line := range strings.SplitSeq(head, "\n") {
		switch m := headerLine().FindStringSubmatch(line); {
		case m == nil:
		case m[1] == "title":
			found.Title = m[2]
		case m[1] == "number":
			found.Number = json.Number(m[2])
		}
	}
	return found
}
