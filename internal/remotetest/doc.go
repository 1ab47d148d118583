// Package remotetest tries git agent as several machines use it: clones with
// homes of their own, and one remote behind a real transport: a path, http
// (git http-backend), git (git daemon) or ssh (a real sshd), all on loopback,
// also through a proxy that cuts, stalls or refuses.
//
// It is tests only. The short versions run with every `go test`; with
// GIT_AGENT_MACHINES=full, as `make machines` has it, there are 25 rounds of
// racers for each transport and a cut at every byte of a push's answer.
package remotetest
