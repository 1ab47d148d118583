package run

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/trailers"
)

const (
	briefMax   = 8000 // bytes: what the narrowest client takes whole
	briefFirst = 2000 // the essentials end before here
)

// Brief is the context that whoever does the next step needs, as Markdown:
// what to do first, then what is done, noted and in flight. It is the same
// text for the same state, 8,000 bytes at most, its essentials in the first
// 2,000, and it takes no lock and asks no remote.
func (e *Engine) Brief(ctx context.Context, run string) (string, error) {
	s, err := e.open(ctx, run)
	if err != nil {
		return "", err
	}
	return s.nextBrief()
}

func (s *session) nextBrief() (string, error) {
	next, recheck, err := s.peekLeft()
	if err != nil {
		return "", err
	}
	if next == nil {
		return fitBrief(s.doneHead(), s.certified(), s.notes()), nil
	}
	if recheck {
		head := s.header(next) + fmt.Sprintf("**Next:** step `%s` has to be checked again before any work: `git agent resume %s%s`\n\n", next.ID, s.run, s.toRemote())
		return fitBrief(head, s.certified(), s.inTree(next), s.notes(), s.remaining(next), s.whereToLook()), nil
	}
	a, err := s.attemptOf(next.ID)
	if err != nil {
		return "", err
	}
	return s.brief(next, a)
}

// brief is the text for one step.
func (s *session) brief(step *plan.Step, a *attempt) (string, error) {
	var b strings.Builder
	b.WriteString(s.header(step))
	fmt.Fprintf(&b, "**Next:** step `%s`: %s\n\n", step.ID, quoted(step.Title, 300))
	if step.Item != "" {
		fmt.Fprintf(&b, "Item: %s\n\n", quoted(step.Item, 100))
	}
	fmt.Fprintf(&b, "Change only: %s\n\n", codeList(step.Touches, 600))
	if len(step.Reads) > 0 {
		fmt.Fprintf(&b, "Read: %s\n\n", codeList(step.Reads, 300))
	}
	b.WriteString("It is done when these pass, from the top of the repository:\n\n")
	for _, c := range step.Check {
		fmt.Fprintf(&b, "    %s\n", clip(oneLine(c.Run), 200))
	}
	end := s.howItEnds(step, a)
	b.WriteString(end)
	return fitBrief(clipEssentials(b.String(), end), saidTo(a), whatToKnow(step), s.certified(), s.inTree(step), s.lastFailure(step, a),
		s.notes(), s.remaining(step), s.whereToLook()), nil
}

func (s *session) header(step *plan.Step) string {
	_, i := s.plan.Step(step.ID)
	return fmt.Sprintf("# Run %s: %s\n\nStep %d of %d, plan version %d, branch %s at %s.\n\n",
		s.run, quoted(s.plan.Title, 200), i+1, len(s.plan.Steps), s.version, ShortBranch(s.branch), short(s.tip))
}

func (s *session) doneHead() string {
	what := "Every step is certified"
	for i := range s.plan.Steps {
		if s.standing(s.plan.Steps[i].ID) == nil {
			what = "No step is left to be done"
		}
	}
	return fmt.Sprintf("# Run %s: %s\n\n%s, branch %s at %s. There is nothing to do.\n\n",
		s.run, quoted(s.plan.Title, 200), what, ShortBranch(s.branch), short(s.tip))
}

// remaining is what comes after the next step.
func (s *session) remaining(next *plan.Step) string {
	var left []string
	for i := range s.plan.Steps {
		step := &s.plan.Steps[i]
		if s.standing(step.ID) == nil && (next == nil || step.ID != next.ID) {
			left = append(left, fmt.Sprintf("- `%s` %s", step.ID, quoted(step.Title, 100)))
		}
	}
	if len(left) == 0 {
		return ""
	}
	return "## Remaining\n\n" + firstLines(left, 20) + "\n"
}

func (s *session) certified() string { return "## Certified\n\n" + s.certifiedList() + "\n" }

func (s *session) certifiedList() string {
	var lines []string
	for i := range s.plan.Steps {
		step := &s.plan.Steps[i]
		if r := s.standing(step.ID); r != nil {
			lines = append(lines, fmt.Sprintf("- `%s` %s %s", step.ID, short(r.Commit.ID), quoted(step.Title, 100)))
		}
	}
	if len(lines) == 0 {
		return "Nothing yet.\n"
	}
	const last = 5
	if more := len(lines) - last; more > 0 {
		return fmt.Sprintf("- … and %d earlier: `git agent log %s`\n", more, s.run) + strings.Join(lines[more:], "\n") + "\n"
	}
	return strings.Join(lines, "\n") + "\n"
}

func (s *session) notes() string {
	var lines []string
	for _, r := range s.ledger.Records {
		for _, n := range r.Evidence.Notes {
			lines = append(lines, fmt.Sprintf("- %s: %s", r.Evidence.Step, quoted(n, 300)))
		}
	}
	lines = append(lines, s.waitingNotes()...)
	if len(lines) == 0 {
		return ""
	}
	return "## Notes of earlier steps (quoted)\n\n" + firstLines(lines, 30) + "\n"
}

// lastFailure is how earlier attempts ended: a retry must know, and must not
// build on what they left.
func (s *session) lastFailure(step *plan.Step, a *attempt) string {
	var b strings.Builder
	if n := s.attemptsOf(step.ID); n > 0 && s.ledger.Newest(step.ID) == nil {
		fmt.Fprintf(&b, "## Earlier attempts: %d%s\n\n", n, s.ofLimit(step))
	}
	tail, ok := s.local.Failures[step.ID]
	if !ok {
		b.WriteString(s.recordedFailure(step))
	} else {
		fmt.Fprintf(&b, "The last one failed: `%s` ended with %s. Its last lines, quoted:\n\n%s\n", clip(oneLine(tail.Check), 200), tail.Outcome, indent(lastPart(tail.Tail, 1500)))
	}
	build := "do not build on it"
	if step.Fixpoint {
		build = "this step may be done on top of a half of itself"
	}
	for _, ref := range s.stashRefs(step.ID) {
		fmt.Fprintf(&b, "Its partial work is kept at `%s`; %s.\n", ref, build)
	}
	if a != nil && a.Job && a.Ended {
		fmt.Fprintf(&b, "Attempt %d is still in the working tree.\n", a.Number)
	}
	if b.Len() > 0 {
		b.WriteString("\n")
	}
	return b.String()
}

// quoted makes text from outside harmless on one line of Markdown.
func quoted(text string, most int) string { return clip(oneLine(text), most) }

// oneLine takes out what moves a cursor, ends a line or turns the writing
// round: control characters, line separators and the bidirectional controls.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r < 0x20, r >= 0x7f && r < 0xa0, unicode.Is(unicode.Bidi_Control, r), r == '\u2028', r == '\u2029':
			return ' '
		}
		return r
	}, text)
}

func indent(text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.TrimRight(strings.ToValidUTF8(text, "?"), "\n")) {
		b.WriteString("    " + oneLine(strings.TrimRight(line, "\r\n")) + "\n")
	}
	return b.String()
}

func codeList(items []string, most int) string {
	if len(items) == 0 {
		return "nothing (the step is declared to change no file)"
	}
	return clip("`"+strings.Join(items, "`, `")+"`", most)
}

func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most-len("…")], "") + "…"
}

// clipBytes cuts at a line where it can.
func clipBytes(text string, most int) string {
	if len(text) <= most {
		return text
	}
	const mark = "\n[…]\n"
	cut := text[:most-len(mark)]
	if i := strings.LastIndexByte(cut, '\n'); i > most/2 {
		cut = cut[:i]
	}
	return strings.ToValidUTF8(cut, "") + mark
}

func lastPart(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[len(text)-most:], "")
}

func firstLines(lines []string, most int) string {
	if len(lines) == 0 {
		return ""
	}
	more := len(lines) - most
	text := strings.Join(lines[:min(len(lines), most)], "\n") + "\n"
	if more > 0 {
		text += fmt.Sprintf("- … and %d more\n", more)
	}
	return text
}

// subjectTitle is a certificate's subject without its step.
func subjectTitle(message, step string) string {
	return strings.TrimPrefix(trailers.Subject(message), step+": ")
}
