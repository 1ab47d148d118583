package place

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
)

// Carry does what was planned, then looks again at every path, by hash. It
// answers the paths that it changed; after an error the same job can be
// planned again and goes on.
func (p *Plan) Carry(ctx context.Context) ([]string, error) {
	// Deepest first, so that a folder which makes room is empty in time.
	slices.SortFunc(p.unlink, func(a, b string) int { return strings.Compare(b, a) })
	for _, path := range p.unlink {
		if err := p.step(ctx, "unlink"); err != nil {
			return nil, err
		}
		if err := p.mover.Disk.remove(path, p.now[path]); err != nil {
			return nil, err
		}
	}
	for _, path := range p.write {
		if err := p.step(ctx, "write"); err != nil {
			return nil, err
		}
		ready := filepath.Join(p.job.Ready, filepath.FromSlash(path))
		if err := p.mover.Disk.put(path, ready, p.now[path]); err != nil {
			return nil, err
		}
	}
	for _, path := range p.folders { // empty, as git makes them, where none is
		if err := p.mover.Disk.folders(path + "/"); err != nil {
			return nil, err
		}
	}
	if err := p.step(ctx, "index"); err != nil {
		return nil, err
	}
	if err := p.mover.Git.PutIndex(ctx, p.job.Scratch, p.entries); err != nil {
		return nil, err
	}
	if err := p.step(ctx, "verify"); err != nil {
		return nil, err
	}
	return p.moved(), p.verify(ctx)
}

func (p *Plan) step(ctx context.Context, point string) error {
	if p.mover.Fault != nil {
		p.mover.Fault(point)
	}
	return ctx.Err()
}

func (p *Plan) moved() []string {
	all := slices.Concat(p.unlink, p.write)
	for _, e := range p.entries {
		all = append(all, e.Path)
	}
	slices.Sort(all)
	return slices.Compact(all)
}
