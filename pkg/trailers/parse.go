package trailers

import "strings"

// Parse splits a raw commit message (git's `%B`, or the text after the header
// of `git cat-file commit`). It accepts every input and never panics.
//
// Trailers equals git's `%(trailers:only,unfold)` under a configuration
// without `core.commentChar` and `trailer.*`; with one, git's answer changes
// and this one does not. Lines that git skips inside or below the block
// (comments, the free lines that a sign-off excuses, an old conflicts list)
// are in no part of the result.
func Parse(message string) Message {
	text := lead(message)
	block := locate(text)
	title := min(titleEnd(text), block.start)
	body := text[title:]
	if !block.empty() {
		body = text[title:block.start]
	}
	return Message{
		Subject:  joinLines(text[:title]),
		Body:     trimBlankLines(body),
		Trailers: trailersOf(text, make([]Trailer, 0, usual)),
	}
}

// Subject is what [Parse] finds to be the subject, and nothing else.
func Subject(message string) string {
	text := lead(message)
	return joinLines(text[:min(titleEnd(text), ignoredTail(text))])
}

// ParseBlock reads what git printed for `%(trailers:only,unfold)`: one
// `Key: value` a line. Use it to compare git's answer with [Parse]'s; lines
// of another form, which only a hostile configuration prints, are dropped.
func ParseBlock(printed string) []Trailer {
	var block []Trailer
	for line := range strings.SplitSeq(printed, "\n") {
		key, value, ok := strings.Cut(line, ": ")
		if ok && key != "" {
			block = append(block, Trailer{key, value})
		}
	}
	return block
}

// parseLines reads the lines of a located block.
func parseLines(block string) []Trailer {
	if block == "" {
		return nil
	}
	found := make([]Trailer, 0, 8)
	open := false // whether the line before can be continued
	for block != "" {
		line := firstLine(block)
		block = block[len(line):]
		if open && indented(line) {
			found[len(found)-1].Value += line
			continue
		}
		at := separator(line)
		open = at >= 1
		if open {
			found = append(found, Trailer{trim(line[:at]), line[at+1:]})
		}
	}
	for i := range found {
		found[i].Value = unfold(found[i].Value)
	}
	return found
}

// unfold joins the lines of a value: outer blanks go, every line break with
// the blanks after it becomes one space.
func unfold(value string) string {
	first, rest, folded := strings.Cut(trim(value), "\n")
	if !folded {
		return first
	}
	var joined strings.Builder
	joined.WriteString(first)
	for folded {
		rest = strings.TrimLeft(rest, gitSpace)
		var line string
		line, rest, folded = strings.Cut(rest, "\n")
		joined.WriteByte(' ')
		joined.WriteString(line)
	}
	return joined.String()
}

// joinLines makes one line of the title paragraph.
func joinLines(paragraph string) string {
	if line := trim(paragraph); strings.IndexByte(line, '\n') < 0 {
		return line
	}
	var lines []string
	for line := range strings.SplitSeq(paragraph, "\n") {
		if !blank(line) {
			lines = append(lines, trim(line))
		}
	}
	return strings.Join(lines, " ")
}

// trimBlankLines drops blank lines at both ends; other lines keep their
// blanks.
func trimBlankLines(text string) string {
	for text != "" {
		line := firstLine(text)
		if !blank(line) {
			break
		}
		text = text[len(line):]
	}
	for text != "" {
		begin := lineStart(text, len(text))
		if !blank(text[begin:]) {
			break
		}
		text = text[:begin]
	}
	return strings.TrimSuffix(text, "\n")
}
