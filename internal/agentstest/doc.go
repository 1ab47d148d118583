// Package agentstest plays one run with the real coding agents, as their makers
// ship them, against a scripted model on loopback: the brief reaches the model at
// the start and after compaction, the stop hook sends the agent back once, what
// it does is certified. Tests only, and opt-in: `make e2e-agents` installs pinned
// versions from npm into a temporary folder. It never talks to a real model.
package agentstest
