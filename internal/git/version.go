package git

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// MinVersion is the oldest git that works, with the reasons: 2.36 knows
// `core.fsync` (without it a power cut loses certified steps); 2.31 gave
// `rev-parse --path-format`; 2.26 `--pathspec-from-file`; 2.24 sends --atomic
// over HTTP.
const MinVersion = "2.36"

// Version is what `git version` says, e.g. "2.39.5".
func (r *Repo) Version(ctx context.Context) (string, error) {
	out, err := (&command{repo: r, env: r.env, deadline: localDeadline, args: []string{"version"}}).text(ctx)
	return strings.TrimPrefix(out, "git version "), err
}

// CheckVersion is ErrTooOld for a git older than [MinVersion].
func (r *Repo) CheckVersion(ctx context.Context) error {
	have, err := r.Version(ctx)
	if err != nil {
		return err
	}
	if older(have, MinVersion) {
		return fmt.Errorf("%w: have %s, need %s (it brought core.fsync, without which a power cut loses certified steps)", ErrTooOld, have, MinVersion)
	}
	return nil
}

// older compares the first two numbers of two versions.
func older(a, b string) bool {
	am, an := majorMinor(a)
	bm, bn := majorMinor(b)
	return am < bm || am == bm && an < bn
}

func majorMinor(v string) (major, minor int) {
	parts := strings.SplitN(v, ".", 3)
	major, _ = strconv.Atoi(parts[0])
	if len(parts) > 1 {
		minor, _ = strconv.Atoi(parts[1])
	}
	return major, minor
}
