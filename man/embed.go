// Package man holds the manual pages as files, for `git agent install-docs`.
// Those of the commands and git-agent-config(5) are made from
// internal/manual; the others are written by hand. It has no behaviour.
package man

import "embed"

// Pages are the pages, named as man(1) looks for them.
//
//go:embed *.[1-9]
var Pages embed.FS
