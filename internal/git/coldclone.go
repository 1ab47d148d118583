package git

import (
	"context"
	"fmt"
	"path/filepath"
)

// ColdClone makes a repository of its own in a new folder that holds commits
// and everything below them. It is filled as from another machine, object by
// object: it shares no file with this repository and names none as an alternate,
// so that nothing that happens here, `git gc` included, can reach it.
func (r *Repo) ColdClone(ctx context.Context, dir string, commits ...string) error {
	gitDir := filepath.Join(dir, ".git")
	if err := r.elsewhere(dir).do(ctx, "init", "-q", "--template=", "--object-format="+r.Format, "-b", "main", dir); err != nil {
		return err
	}
	// By id, not by name: what was read is what is cloned, whatever the refs do
	// meanwhile. Protocol 2 takes any id (git-config(1), uploadpack.allowAnySHA1InWant).
	fetch := append([]string{"--git-dir=" + gitDir, "-c", "protocol.version=2", "-c", "fetch.unpackLimit=1", "fetch", "-q", "--no-tags",
		"--update-shallow", "--no-write-fetch-head", "--no-auto-maintenance", r.CommonDir}, commits...)
	// What a partial clone lacks is fetched on the way, as any git command in it
	// would; upload-pack alone has to be told (git(1), since 2.39.4).
	if err := r.elsewhere(dir).command(fetch...).overFiles().environ("GIT_NO_LAZY_FETCH=0").do(ctx); err != nil {
		return err
	}
	clone, err := r.openOther(ctx, dir)
	if err != nil {
		return err
	}
	if err := clone.adoptContentConfig(ctx, r); err != nil {
		return err
	}
	for i, commit := range commits {
		if err := r.elsewhere(dir).do(ctx, "--git-dir="+gitDir, "update-ref", fmt.Sprintf("refs/heads/cold/%d", i), commit); err != nil {
			return err
		}
	}
	return nil
}

// adoptContentConfig takes along what of a repository's own configuration decides
// which bytes a checkout has and a merge makes: git-crypt, nbstripout and
// `git lfs install --local` write there.
func (r *Repo) adoptContentConfig(ctx context.Context, from *Repo) error {
	recs, code, err := from.reading("config", "-z", "--local", "--get-regexp", `^filter\.|^merge\..*\.driver$|^core\.(autocrlf|eol)$`).answers(1).run(ctx)
	if err != nil || code == 1 {
		return err
	}
	for _, rec := range splitNUL(recs) {
		key, value := cutLine(rec)
		if err := r.plumbing("config", "--local", "--add", key, value).do(ctx); err != nil {
			return err
		}
	}
	return nil
}

// ScratchFrom is Scratch, of a commit of a cold clone.
func (r *Repo) ScratchFrom(ctx context.Context, clone, dir, commit string) error {
	c, err := r.openOther(ctx, clone)
	if err != nil {
		return err
	}
	return c.Scratch(ctx, dir, commit)
}

// ColdMerge merges a commit of a cold clone into another one there, in a scratch
// checkout in a new folder. It is the merge that a person would make, without
// hooks and signatures. Conflicts are an answer: the paths, and no commit.
func (r *Repo) ColdMerge(ctx context.Context, clone, dir, onto, commit string) (merged string, conflicts []string, err error) {
	if err := r.ScratchFrom(ctx, clone, dir, onto); err != nil {
		return "", nil, err
	}
	s, err := r.openOther(ctx, dir)
	if err != nil {
		return "", nil, err
	}
	s.env = append(s.env, "GIT_OBJECT_DIRECTORY="+filepath.Join(clone, ".git", "objects"),
		"GIT_AUTHOR_NAME=git agent", "GIT_AUTHOR_EMAIL=git-agent@localhost", "GIT_COMMITTER_NAME=git agent", "GIT_COMMITTER_EMAIL=git-agent@localhost")
	_, code, err := s.plumbing("merge", "-q", "--no-edit", "--no-verify", "--no-gpg-sign", "-m", "git-agent: merge to be checked", commit).answers(1).run(ctx)
	if err != nil {
		return "", nil, err
	}
	if code == 1 {
		conflicts, err = s.plumbing("diff", "--name-only", "--diff-filter=U", "-z").records(ctx)
		if err == nil && len(conflicts) == 0 {
			err = fmt.Errorf("merge %s into %s: git merge ended with 1 and names no conflict", Short(commit), Short(onto))
		}
		return "", conflicts, err
	}
	merged, err = s.reading("rev-parse", "--verify", "HEAD").text(ctx)
	return merged, nil, err
}

func (r *Repo) openOther(ctx context.Context, dir string) (*Repo, error) {
	return Open(ctx, Options{Dir: dir, Env: stripped(r.env), Bin: r.bin, Log: r.logger, Now: r.now})
}
