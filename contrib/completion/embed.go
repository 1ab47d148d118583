// Package completion holds the completion scripts of the shells as files, for
// `git agent completion` and `git agent install-docs`. They ask the program
// itself (`git-agent __complete`) for what fits. It has no behaviour.
package completion

import "embed"

// Files are the scripts, named as each shell looks for them.
//
//go:embed git-agent _git-agent git-agent.fish git-agent.conf.fish
var Files embed.FS
