//go:build !linux

package gittest

func room(string) uint64 { return 0 }
