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
