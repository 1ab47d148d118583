package jsonc

// Remove says what to delete so that an item of a list is gone: the item, the
// white space in front of it and the one comma that it no longer needs. Comments
// stay.
func Remove(text []byte, list *Value, i int) []Change {
	item := list.Items[i]
	start := item.Start
	for start > list.Start+1 && isBlank(text[start-1]) {
		start--
	}
	changes := []Change{{At: start, Cut: item.Value.End - start}}
	switch {
	case item.Comma >= 0:
		changes = append(changes, Change{At: item.Comma, Cut: 1})
	case i > 0:
		changes = append(changes, Change{At: list.Items[i-1].Comma, Cut: 1})
	}
	if len(list.Items) == 1 && onlyBlanks(text[item.Value.End:list.End-1]) {
		changes[0].Cut = list.End - 1 - start
		return changes[:1]
	}
	return changes
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

func onlyBlanks(text []byte) bool {
	for _, c := range text {
		if !isBlank(c) {
			return false
		}
	}
	return true
}
