// Package killat runs a command so that one of its system calls, counted over
// all its processes and threads, can be made the last: once it has changed
// something the whole tree is killed, only the first process, or only the
// caller; or the call fails with an errno, or a write is cut short and
// everything killed. A call that changed nothing is none. Sweeping the
// number from 1 on until a run ends without reaching it tries every moment at
// which the state on disk can be left half changed.
//
// It owns the tracing: ptrace(2), and a seccomp(2) filter so that only calls
// that change state stop. It is for tests only, on Linux (amd64 and arm64),
// and never judges what a run left behind.
//
//	killat -n 137 -act tree git-agent step s01
package killat
