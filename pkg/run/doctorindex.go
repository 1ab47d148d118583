package run

import (
	"context"
	"path/filepath"
)

// seeIndex: git makes the index anew from HEAD; what was staged alone is lost with
// the old one already, which is kept all the same. No file is touched.
func (e *Engine) seeIndex(ctx context.Context) []Finding {
	if e.Place.Top == "" {
		return nil
	}
	if err := e.Git.ReadsIndex(ctx); err != nil {
		index := filepath.Join(e.Place.GitDir, "index")
		return []Finding{wrong("index", "mv "+quoteArg(index)+" "+quoteArg(index+".damaged")+" && git -C "+quoteArg(e.Place.Top)+" reset -q", "cannot be read: %v", err)}
	}
	return nil
}
