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

// Installed is the version of the git on PATH, asked outside any repository.
func Installed(ctx context.Context, env []string) (string, error) {
	r, err := newRepo(Options{Env: env})
	if err != nil {
		return "", err
	}
	r.env = childEnv(env)
	return r.Version(ctx)
}

// CheckVersion is ErrTooOld for a git older than [MinVersion].
func (r *Repo) CheckVersion(ctx context.Context) error {
	have, err := r.Version(ctx)
	if err != nil {
		return err
	}
	return tooOld(have)
}

// CheckInstalled is CheckVersion for the git on PATH, outside any repository.
func CheckInstalled(ctx context.Context, env []string) error {
	have, err := Installed(ctx, env)
	if err != nil {
		return err
	}
	return tooOld(have)
}

func tooOld(have string) error {
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

// repaired is, for each minor version that still got it, the first patch with
// the repair of CVE-2024-32002 and its kin: a hostile repository runs code in
// whoever clones it with its submodules (release notes of git 2.45.1).
var repaired = map[int]int{39: 4, 40: 2, 41: 1, 42: 2, 43: 4, 44: 1, 45: 1}

// KnownHole names a hole that a version of git has by its number, "" for none.
// A distribution may have mended it without a new number.
func (r *Repo) KnownHole(version string) string {
	major, minor := majorMinor(version)
	patch, known := repaired[minor]
	if major > 2 || major == 2 && (minor > 45 || known && patchOf(version) >= patch) {
		return ""
	}
	return "CVE-2024-32002"
}

func patchOf(version string) int {
	parts := strings.SplitN(version, ".", 4)
	if len(parts) < 3 {
		return 0
	}
	digits := strings.TrimLeft(parts[2], "0123456789")
	n, _ := strconv.Atoi(strings.TrimSuffix(parts[2], digits))
	return n
}
