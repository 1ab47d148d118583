package run

import (
	"context"
	"io"

	"github.com/git-agent/git-agent/pkg/object"
)

// landings is what landing and preflight ask of git beside everything else.
type landings interface {
	Scan(ctx context.Context, base, tip string, limit int) ([]object.Commit, error)
	Touching(ctx context.Context, base, tip string, paths []string, limit int) ([]object.Commit, error)
	Commits(ctx context.Context, ids []string) (map[string]object.Commit, error)
	Chains(ctx context.Context, base string, tips []string) (map[string]object.Commit, error)
	Patches(ctx context.Context, pairs [][2]string, each func(pair int) io.Writer) error
	MergeAdds(ctx context.Context, scratch, base, ours, theirs string) (adds, clean bool, err error)
	MergeTrees(ctx context.Context, scratch, ours, theirs string) (tree string, conflicts []string, err error)
	Peel(ctx context.Context, ids []string) (map[string]string, error)
	CommonAncestor(ctx context.Context, ids []string) (string, error)
	Unpublished(ctx context.Context, tips, known, patterns []string, each func(object.Commit)) error
	FetchMany(ctx context.Context, remote string, names []string) error
}
