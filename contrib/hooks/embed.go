// Package hooks holds the hook scripts as text, for `git agent hooks install`.
// They are plain files beside this one and can be copied by hand as well. It
// has no behaviour.
package hooks

import "embed"

// Files are the scripts, named as git names the hooks, and "shipped": the
// digests of every text that was ever released (see its head).
//
//go:embed pre-push pre-receive update commit-msg shipped
var Files embed.FS
