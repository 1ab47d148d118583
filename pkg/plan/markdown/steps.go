package markdown

import (
	"regexp"
	"slices"
	"strings"
)

func (w *walk) check(commands []string) {
	if w.step == nil {
		return
	}
	for _, c := range commands {
		if !slices.Contains(w.step.Checks, c) {
			w.step.Checks = append(w.step.Checks, c)
		}
	}
}

func (w *walk) tell(text string) {
	text = strings.TrimRight(text, " \n\t")
	switch {
	case strings.TrimSpace(text) == "":
	case w.step != nil:
		w.step.Brief += text + "\n\n"
	case w.level > 0:
		w.intro = append(w.intro, text)
	case len(w.draft.Steps) == 0:
		w.draft.Intro = append(w.draft.Intro, text)
	default:
		w.draft.Rest++
	}
}

var numbered = lazy(`^\W*(?:(?:Step|Task)\s+)?[0-9]+[a-z]?\s*[:.)][\s*_]*`)

func (w *walk) begin(title string, ticked bool) {
	w.endStep()
	title = strings.Trim(oneLine(numbered().ReplaceAllString(title, "")), " .*_:")
	if title == "" {
		title = "untitled"
	}
	w.step = &Step{Title: title, Ticked: ticked}
	for _, text := range w.intro {
		w.step.Brief += text + "\n\n"
	}
	w.intro, w.begun = nil, false
}

func (w *walk) endStep() {
	if w.step == nil {
		return
	}
	if len(w.step.Files) == 0 || w.mode != byTask && len(w.files) > 0 {
		w.step.Files = append(slices.Clone(w.files), w.step.Files...)
	}
	w.step.Files = unique(w.step.Files)
	w.step.Brief = strings.TrimSpace(w.step.Brief)
	w.draft.Steps = append(w.draft.Steps, *w.step)
	w.step = nil
}

func unique(all []string) []string {
	seen := make(map[string]bool, len(all)) // a text may name very many
	var out []string
	for _, one := range all {
		if !seen[one] {
			seen[one] = true
			out = append(out, one)
		}
	}
	return out
}

// firstSentence is a title for a text that may go on.
func firstSentence(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	if at := regexp.MustCompile(`[^0-9]\. +[A-Z]`).FindStringIndex(line); at != nil {
		line = line[:at[0]+1]
	}
	return line
}
