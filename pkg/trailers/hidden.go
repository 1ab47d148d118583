package trailers

// Hidden reports a message whose evidence would be sound, but that has another
// block of trailers below it, as hooks that sign or number commits append one: git
// reads the last only, and so do we.
func Hidden(message string) bool {
	text := lead(message)
	last := locate(text)
	rest := trimBlankLines(text[:last.start])
	begin := paragraphStart(rest)
	if last.start == last.end || begin < titleEnd(text) {
		return false
	}
	block, ok := agentLines(rest[begin:])
	if !ok || Read(message).Kind != None {
		return false
	}
	r := classify(block)
	return r.Kind != None && len(r.Faults) == 0
}
