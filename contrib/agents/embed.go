// Package agents holds what coding agents are given, as files: `git agent setup`
// merges them into the settings of each, and they can be copied by hand as well.
// It has no behaviour.
package agents

import "embed"

// Files are the kit; README.md says what is for whom.
//
//go:embed all:.claude-plugin all:plugins codex gemini opencode cursor copilot aider AGENTS.snippet.md
var Files embed.FS
