package plan

import (
	"strings"
)

// suggest is the allowed word that a typing error may have meant, "" where
// none is near.
func suggest(word string, allowed []string) string {
	folded := strings.ToLower(strings.NewReplacer("-", "_", " ", "_").Replace(word))
	if len(folded) > 40 {
		return ""
	}
	best, least := "", 3
	for _, candidate := range allowed {
		if d := distance(folded, strings.ReplaceAll(candidate, "-", "_")); d < least && d < len(candidate) {
			best, least = candidate, d
		}
	}
	return best
}

// distance is how many characters must be put in, taken out, replaced or
// swapped with their neighbour to make b of a.
func distance(a, b string) int {
	var before []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next[j+1] = min(row[j+1]+1, next[j]+1, row[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}

// orList writes words as "a, b or c".
func orList(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
