// Package lint holds the arrows between the packages (the design, section 14)
// as a test, so that `go test ./...` says it when one is turned round, on
// files of every system. It has no code of its own and nothing imports it.
// .golangci.yml holds the same arrows, and more, for editors and CI.
package lint
