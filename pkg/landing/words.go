package landing

import "strconv"

// short abbreviates an id for text.
func short(id string) string { return id[:min(len(id), 10)] }

func itoa(n int) string { return strconv.Itoa(n) }
