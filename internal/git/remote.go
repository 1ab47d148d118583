package git

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
)

// RemoteRefs asks the remote for exactly these full ref names, or all below one
// that ends in "/*"; absent ones are absent from the answer. One round trip.
func (r *Repo) RemoteRefs(ctx context.Context, remote string, names ...string) (map[string]string, error) {
	c, err := r.asking(ctx, remote, []string{"ls-remote", "--quiet"}, names...)
	if err != nil {
		return nil, err
	}
	out, err := c.text(ctx)
	if err != nil {
		return nil, err
	}
	refs := make(map[string]string)
	for line := range strings.Lines(out) {
		id, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		for _, want := range names {
			if below, ok := strings.CutSuffix(want, "*"); name == want || ok && strings.HasPrefix(name, below) {
				refs[name] = id
			}
		}
	}
	return refs, nil
}

// Fetch brings the objects of these full ref names, and moves no ref: the
// caller does that, by compare-and-swap. No tag, no prune, no FETCH_HEAD.
func (r *Repo) Fetch(ctx context.Context, remote string, names []string, extra ...string) error {
	args := append([]string{"fetch", "--quiet", "--no-tags", "--no-prune", "--no-write-fetch-head", "--no-auto-maintenance",
		"--no-recurse-submodules", "--no-show-forced-updates", "--refmap="}, extra...)
	c, err := r.asking(ctx, remote, args, names...)
	if err != nil {
		return err
	}
	return c.do(ctx)
}

// Push sends objects to full ref names and reports per ref. err is nil only
// where git finished its exchange and every ref was taken; after any other end
// the caller reads the remote back. Nothing but a compare-and-swap ref is ever
// moved otherwise than forward.
func (r *Repo) Push(ctx context.Context, remote string, p object.Push) ([]object.PushVerdict, error) {
	if len(p.Refs) == 0 { // git would push whatever push.default says
		return nil, errors.New("git push: nothing to push was named")
	}
	args := []string{"push", "--porcelain", "--no-follow-tags", "--no-recurse-submodules"}
	if len(p.Refs) > 1 && !p.Apart {
		args = append(args, "--atomic")
	}
	if p.NoVerify {
		args = append(args, "--no-verify")
	}
	specs, names := make([]string, 0, len(p.Refs)), make([]string, 0, len(p.Refs))
	for _, ref := range p.Refs {
		if ref.ID == "" && (!ref.CAS || ref.Old == "") {
			return nil, fmt.Errorf("git push: %s would be deleted whatever it is", ref.Name)
		}
		if ref.CAS {
			args = append(args, "--force-with-lease="+ref.Name+":"+ref.Old)
		}
		specs, names = append(specs, ref.ID+":"+ref.Name), append(names, ref.Name)
	}
	args = append(append(args, "--end-of-options", remote), specs...)
	c := r.network(args...)
	if r.ConfigBool("remote." + remote + ".mirror") { // git takes no refspecs then, and would delete what is not here
		c.config("remote." + remote + ".mirror=false")
	}
	c.withoutTracking(remote, names)
	out, _, err := c.run(ctx)
	verdicts, done := parsePush(string(out))
	if err == nil && !done {
		err = errors.New("git push: ended without a verdict")
	}
	if len(verdicts) == 0 {
		err = hookRefusal(err, string(out))
	}
	return verdicts, err
}

func parsePush(out string) (verdicts []object.PushVerdict, done bool) {
	for line := range strings.Lines(out) {
		line = strings.TrimSuffix(line, "\n")
		if line == "Done" {
			done = true
		}
		f := strings.SplitN(line, "\t", 3)
		if len(f) < 3 || len(f[0]) != 1 {
			continue
		}
		_, dst, _ := strings.Cut(f[1], ":")
		verdicts = append(verdicts, object.PushVerdict{Ref: dst, Flag: f[0][0], Text: f[2]})
	}
	return verdicts, done
}

// RemoteURL is where a remote is, for people.
func (r *Repo) RemoteURL(ctx context.Context, remote string) (string, error) {
	url, err := r.reading("remote", "get-url", "--end-of-options", remote).text(ctx)
	if err != nil {
		return "", fmt.Errorf("remote %q: %w", remote, err)
	}
	return url, nil
}
