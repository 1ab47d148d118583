package cli

import "fmt"

// plural is a count with its noun, and its verb where that follows it.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
