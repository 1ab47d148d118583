package git

import (
	"context"
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
)

// Peel says which commit each object id is, tags peeled. An id that is not
// in this repository, or names no commit, is absent from the answer. One child.
func (r *Repo) Peel(ctx context.Context, ids []string) (map[string]string, error) {
	commits := make(map[string]string, len(ids))
	if len(ids) == 0 {
		return commits, nil
	}
	out, err := r.reading("cat-file", "--batch-check=%(objectname)").environ("GIT_NO_LAZY_FETCH=1").
		input(strings.Join(ids, "^{commit}\n") + "^{commit}\n").text(ctx)
	if err != nil {
		return nil, err
	}
	for i, line := range strings.Split(out, "\n") {
		if i < len(ids) && !strings.Contains(line, " ") { // "<id>^{commit} missing"
			commits[ids[i]] = line
		}
	}
	return commits, nil
}

// bareFormat is logFormat without git's own reading of the trailers, which
// takes most of the time.
const bareFormat = "--format=%x00%H%x00%T%x00%P%x00%ct%x00%x00%B%x00"

// Unpublished hands over every commit that tips reach, and neither the known
// commits (where they are here) nor a ref that one of the patterns matches
// ("refs/remotes/origin/*", "*" for every ref; "^" before one leaves those refs
// out of the patterns behind it) does: newest first by date,
// without changes, as git finds them. One child. What git itself reads as
// trailers is only asked where [Repo.ReadsTrailersOtherwise].
func (r *Repo) Unpublished(ctx context.Context, tips, known, patterns []string, each func(object.Commit)) error {
	args := []string{"--ignore-missing", "--stdin"}
	if len(patterns) > 0 {
		args = append(args, "--not")
	}
	var out []string // git forgets them with each pattern
	for _, p := range patterns {
		if not, is := strings.CutPrefix(p, "^"); is {
			out = append(out, "--exclude="+not)
			continue
		}
		args = append(append(args, out...), "--glob="+p)
	}
	var in strings.Builder
	for _, id := range tips {
		in.WriteString(id + "\n")
	}
	for _, id := range known {
		in.WriteString("^" + id + "\n")
	}
	format := bareFormat
	if r.ReadsTrailersOtherwise() {
		format = logFormat
	}
	return r.reading(newestFirst(format, args...)...).input(in.String()).frames(ctx, each)
}

// ReadsTrailersOtherwise reports a configuration under which git may see other
// trailers in a message than those that are there (git-interpret-trailers(1)).
func (r *Repo) ReadsTrailersOtherwise() bool {
	for key := range r.config {
		if strings.HasPrefix(key, "trailer.") || key == "core.commentchar" || key == "core.commentstring" {
			return true
		}
	}
	return false
}

// CommonAncestor is a commit that all of these contain, "" where there is none.
func (r *Repo) CommonAncestor(ctx context.Context, ids []string) (string, error) {
	return r.reading(append([]string{"merge-base", "--octopus"}, ids...)...).answers(1).text(ctx)
}

// StripComments is a message as git-commit(1) keeps it after an editor: without
// comment lines (core.commentChar), outer blank lines, blanks at line ends.
func (r *Repo) StripComments(ctx context.Context, message string) (string, error) {
	out, _, err := r.reading("stripspace", "--strip-comments").input(message).run(ctx)
	return string(out), err
}
