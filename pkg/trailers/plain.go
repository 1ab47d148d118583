package trailers

import "strings"

// trailersOf reads the block of a message that went through [lead]; room, of
// any capacity, is where it may be put.
func trailersOf(text string, room []Trailer) []Trailer {
	if block, ok := plain(text, room); ok {
		return block
	}
	at := locate(text)
	return parseLines(text[at.start:at.end])
}

// plain reads in one pass what [Format] writes, which is what nearly every
// message of a run is: nothing but trailers below the last empty line, none of
// them folded, no comment anywhere. Of any other ok is false, and git's whole
// rule decides.
func plain(text string, room []Trailer) (block []Trailer, ok bool) {
	if strings.IndexByte(text, '#') >= 0 {
		return nil, false
	}
	for text != "" {
		line := firstLine(text)
		text = text[len(line):]
		if line == "\n" { // another paragraph begins
			block, ok = room[:0], true
			continue
		}
		if !ok {
			continue
		}
		at := separator(line)
		if ok = at >= 1 && line != "Conflicts:\n"; ok { // git may leave that one out
			block = append(block, Trailer{trim(line[:at]), trim(line[at+1:])})
		}
	}
	return block, ok && len(block) > 0
}
