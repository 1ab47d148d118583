package trailers

import (
	"fmt"
	"slices"
	"strings"
)

const titleFault = "the evidence belongs to the title paragraph, where git reads no trailers"

// readTorn looks at a message in which git reads no block for evidence that
// something tore: a hook that appended a line, a tool that wrapped or joined
// the lines, a lost subject, a body glued to the block. Such a commit must be
// reported, not taken for one without evidence.
//
// A mention is not evidence. The last paragraph counts only where it begins
// with trailers that name a run and a step, or ends with a complete
// certificate; prose, a fenced example and a pasted diff do neither.
func readTorn(message string) Reading {
	text := lead(message)
	text = trimBlankLines(text[:ignoredTail(text)])
	begin := paragraphStart(text)
	paragraph := text[begin:]
	if begin == 0 {
		// The title itself is no trailer, unless the subject was lost.
		if title := firstLine(paragraph); !evidenceLine(title) {
			paragraph = paragraph[len(title):]
		}
	}
	lines := strings.Split(paragraph, "\n")
	if !evidenceLine(lines[0]) || !names(lines, KeyRun) || !names(lines, KeyStep) {
		return readGlued(lines)
	}
	var c collector
	if begin == 0 {
		c.fault(titleFault)
	}
	for _, line := range lines {
		if line != "" && !indented(line) && separator(line) < 1 {
			c.fault("a line of the last paragraph is no trailer, so git reads none of it: %q", line)
		}
	}
	return damagedLines(lines, c.faults)
}

// readGlued looks for a whole certificate at the end of a paragraph.
func readGlued(lines []string) Reading {
	at := len(lines)
	for at > 0 && (indented(lines[at-1]+"\n") || separator(lines[at-1]) >= 1) {
		at--
	}
	block := parseLines(strings.Join(lines[at:], "\n"))
	if _, faults := readEvidence(block); len(faults) > 0 {
		return Reading{}
	}
	fault := titleFault
	if at > 0 {
		fault = fmt.Sprintf("no blank line stands before the evidence, so git reads none of it: it follows %q", lines[at-1])
	}
	return damagedLines(lines[at:], []string{fault})
}

// damagedLines is the reading of lines that are evidence and no block.
func damagedLines(lines []string, faults []string) Reading {
	r := classify(parseLines(strings.Join(lines, "\n")))
	return judged(r, append(slices.Clip(faults), r.Faults...))
}

// evidenceLine reports a line that is a trailer with a key of ours.
func evidenceLine(line string) bool {
	at := separator(line)
	return at >= 1 && known(strings.Trim(line[:at], gitSpace))
}

// names reports that key stands in one of the lines like a trailer's.
func names(lines []string, key string) bool {
	return slices.ContainsFunc(lines, func(line string) bool {
		return slices.ContainsFunc(strings.Fields(line), func(word string) bool {
			return strings.EqualFold(word, key+":")
		})
	})
}
