//go:build !linux

package check

import (
	"context"
	"time"
)

func marked(string) ([]int, error) { return nil, nil }

func endMarked(context.Context, string, time.Duration) error { return nil }
