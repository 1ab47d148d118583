package trailers

import (
	"fmt"
	"slices"
	"strings"
)

// readScattered recognises evidence in several paragraphs, as `git commit -m
// … -m "Agent-Run: …" -m "Agent-Step: …"` leaves it. Only paragraphs at the
// end count that consist of nothing but Agent-* trailers; the last one may
// hold others too (`git commit -s` signs there). Anything above is body.
func readScattered(message string) (Reading, bool) {
	_, block, n := gather(message)
	if n < 2 || !slices.ContainsFunc(block, isEvidence) {
		return Reading{}, false
	}
	r := classify(block)
	said := fmt.Sprintf("the evidence stands in %d paragraphs and git reads only the last: present but not parseable", n)
	r.Faults = append([]string{said}, r.Faults...)
	r.Kind = Scattered
	r.Repair, _ = RepairCommand(message, "HEAD")
	return r, true
}

func isEvidence(t Trailer) bool {
	switch {
	case strings.EqualFold(t.Key, KeyRun), strings.EqualFold(t.Key, KeyStep),
		strings.EqualFold(t.Key, KeyCheck), strings.EqualFold(t.Key, KeyUndo):
		return true
	}
	return false
}

// gather collects the trailing paragraphs of Agent-* trailers: what is left
// above them, their lines as one block, and how many paragraphs they are.
func gather(message string) (above string, block []Trailer, n int) {
	text := lead(message)
	last := locate(text)
	block = parseLines(text[last.start:last.end])
	if !slices.ContainsFunc(block, func(t Trailer) bool { return agentKey(t.Key) }) {
		return text, nil, 0
	}
	above, n = text[:last.start], 1
	title := titleEnd(text)
	for {
		rest := trimBlankLines(above)
		begin := paragraphStart(rest)
		lines, ok := agentLines(rest[begin:])
		if !ok || begin < title {
			return above, block, n
		}
		above, n = rest[:begin], n+1
		block = append(lines, block...)
	}
}

// paragraphStart is where the last paragraph of text begins. Text has no
// blank lines at its end, and none at its begin.
func paragraphStart(text string) int {
	at := len(text)
	for at > 0 {
		begin := lineStart(text, at)
		if blank(text[begin:at]) {
			break
		}
		at = begin
	}
	return at
}

// agentLines reads a paragraph in which every line is an Agent-* trailer or
// the continuation of one.
func agentLines(paragraph string) ([]Trailer, bool) {
	for line := range strings.SplitSeq(paragraph, "\n") {
		at := separator(line)
		if line == "" || !indented(line) && (at < 1 || !agentKey(line[:at])) {
			return nil, false
		}
	}
	if indented(paragraph) {
		return nil, false
	}
	return parseLines(paragraph), true
}

func agentKey(key string) bool {
	const prefix = "agent-"
	return len(key) > len(prefix) && strings.EqualFold(key[:len(prefix)], prefix)
}

// Repair returns a scattered message with its evidence in one block and
// everything else as it was. It is an error where the message is not
// scattered, or where the evidence would still be damaged: then the step has
// to be checked again, not its message edited.
func Repair(message string) (string, error) {
	above, block, n := gather(strings.ReplaceAll(message, "\r\n", "\n"))
	if n < 2 {
		return "", fmt.Errorf("repair: the evidence does not stand in several paragraphs")
	}
	if r := classify(block); len(r.Faults) > 0 {
		return "", fmt.Errorf("repair: damaged besides: %s", strings.Join(r.Faults, "; "))
	}
	text := lead(above)
	at := titleEnd(text)
	repaired, err := Format(Message{
		Subject:  joinLines(text[:at]),
		Body:     trimBlankLines(text[at:]),
		Trailers: block,
	})
	if err != nil {
		return "", fmt.Errorf("repair: %w", err)
	}
	return repaired, nil
}

// RepairCommand returns one line for a POSIX shell that gives the commit rev
// its repaired message and changes nothing else: neither its tree nor what is
// staged. For a commit other than HEAD everything above it is rewritten with
// the same trees; rev is then a name or id that git knows, not a root commit.
func RepairCommand(message, rev string) (string, error) {
	repaired, err := Repair(message)
	if err != nil {
		return "", err
	}
	return RewordCommand(repaired, rev), nil
}

// RewordCommand is [RepairCommand] with a message of the caller's own.
func RewordCommand(message, rev string) string {
	var b strings.Builder
	b.WriteString("printf '%s\\n'")
	for line := range strings.SplitSeq(strings.TrimSuffix(message, "\n"), "\n") {
		b.WriteByte(' ')
		b.WriteString(shellQuote(line))
	}
	// Verbatim: the person's commit.cleanup may delete lines. Only: what is
	// staged stays out. No hook may append to the block.
	b.WriteString(" | git -c i18n.commitEncoding=UTF-8 commit --amend --only --allow-empty --no-verify --cleanup=verbatim -F -")
	if rev == "" || rev == "HEAD" {
		return b.String()
	}
	return "GIT_SEQUENCE_EDITOR='sed -i.bak -e 1s/^pick/edit/' git rebase -i --keep-empty " +
		shellQuote(rev+"^") + " && " + b.String() + " && git rebase --continue"
}

// shellQuote makes one word of s for a POSIX shell.
func shellQuote(s string) string {
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
