// Package bench measures what git agent costs (the design, section 15). Every
// figure is a ratio against a floor that the same run measured beside it, turn
// by turn: what git itself, or nothing, takes for the same.
//
// It holds tests only. `go test ./bench` is a look at whether they work, on
// small repositories, and judges nothing; `make bench` measures in full, fails
// where a figure misses its target, and writes docs/performance.md. A line of a
// table is a test, so that `-run` measures it alone; see TestBench.
//
// A figure is a line in figures (time), crossings (network), axes (growth), or
// a size in grid, and the function that measures it. Worlds are made when the
// first figure asks for them, and shared.
package bench
