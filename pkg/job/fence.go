package job

import (
	"context"
	"errors"
	"time"

	"github.com/git-agent/git-agent/pkg/check"
)

// fencePause lies between two tries of the one who waits for a fence.
const fencePause = 20 * time.Millisecond

// Holder is written into a fence, for whoever is refused.
type Holder struct {
	Owner check.Owner `json:"owner"`
	Verb  string      `json:"verb"`
}

// TryFence takes the attempt's fence, or answers a *BusyError at once. What
// was known before is worth nothing under it: valid is asked then, and an
// error of it lets go again.
func (a *Attempt) TryFence(h Holder, valid func() error) (Lock, error) {
	l, err := a.folder.Lock(a.dir()+"/"+fenceFile, func([]byte) any { return h })
	if err != nil {
		return nil, err
	}
	if err := valid(); err != nil {
		return nil, errors.Join(err, l.Unlock())
	}
	return l, nil
}

// Fence is TryFence for the attempt's own runner: it waits for whoever has the
// fence for a moment, and asks before every try whether the attempt is still
// its own. Any other error than "busy" is the answer.
func (a *Attempt) Fence(ctx context.Context, h Holder, valid func() error) (Lock, error) {
	for {
		if err := valid(); err != nil {
			return nil, err
		}
		l, err := a.TryFence(h, valid)
		var busy *BusyError
		if !errors.As(err, &busy) {
			return l, err
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(err, ctx.Err())
		case <-time.After(fencePause):
		}
	}
}

// Adopt makes the caller the attempt's runner. It holds the fence.
func (a *Attempt) Adopt(owner check.Owner, host string) error {
	if err := a.reload(); err != nil {
		return err
	}
	a.Owner, a.Host = owner, host
	return a.save()
}
