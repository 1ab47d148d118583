//go:build !linux && !darwin

package ui

import (
	"context"
	"os"
)

// WhileRead cannot tell on this system: who stops reading is found out by
// writing.
func WhileRead(ctx context.Context, _ *os.File) (reading context.Context, stop func()) {
	return context.WithCancel(ctx)
}
