package run

import "strings"

// quoteArg makes a word safe to paste into a shell.
func quoteArg(s string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%_+=:,./-"
	if s != "" && strings.Trim(s, plain) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

func quoteArgs(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = quoteArg(w)
	}
	return strings.Join(quoted, " ")
}
