package run

import (
	"context"
	"strings"
)

// RunIDs are the ids of the runs in this clone, sorted; nothing is read but
// their names, so a shell can ask at every key.
func (e *Engine) RunIDs(ctx context.Context) ([]string, error) {
	refs, err := e.Git.Refs(ctx, planPrefix)
	if err != nil {
		return nil, err
	}
	ids := make([]string, 0, len(refs))
	for _, r := range refs {
		ids = append(ids, strings.TrimPrefix(r.Name, planPrefix))
	}
	return ids, nil
}
