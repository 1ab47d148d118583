package run

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Quote makes a word safe to paste into a shell, as hints name paths.
func Quote(word string) string { return quoteArg(word) }

// quoteArg makes a word safe to paste into a shell.
func quoteArg(s string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%_+=:,./-"
	if s != "" && strings.Trim(s, plain) == "" {
		return s
	}
	if !printable(s) {
		return octal(s)
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

func printable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
}

// octal is for what no terminal, and no JSON, shows as it is: bytes that are no
// text, line ends and the like, as bash, zsh and POSIX of 2024 read them.
func octal(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '\'' || c == '\\' {
			fmt.Fprintf(&b, "\\%03o", c)
		} else {
			b.WriteByte(c)
		}
	}
	return "$'" + b.String() + "'"
}

// pathspecs makes paths, which count from the top of the working tree,
// arguments of git that mean the same from any folder of it.
func pathspecs(paths []string) string {
	specs := make([]string, len(paths))
	for i, p := range paths {
		specs[i] = ":(top,literal)" + p
	}
	return quoteArgs(specs)
}

// withFlags adds those of the flags that have a value to a command.
func withFlags(command string, flags ...[2]string) string {
	for _, f := range flags {
		if f[1] != "" {
			command += " --" + f[0] + " " + quoteArg(f[1])
		}
	}
	return command
}

func quoteArgs(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = quoteArg(w)
	}
	return strings.Join(quoted, " ")
}
