// Package forge is the protocol between git agent and the command that
// agent.forge names, which speaks to GitHub, GitLab, Gitea or anything else
// that has issues and pull requests (docs/forges.md).
//
// It is pure: it writes a question and reads an answer. It starts nothing,
// knows no forge and decides nothing; whoever asks runs the command, and takes
// an answer that did not come for no answer.
//
//	command's stdin: q.JSON()      command's environment: q.Environ()
//	answer, err := forge.Read(q.Op, stdout)
package forge
