package git_test

import (
	"os"
	"slices"
	"testing"
	"time"

	"github.com/git-agent/git-agent/internal/git/gittest"
	"github.com/git-agent/git-agent/pkg/object"
)

func everyPath(string) bool { return true }

// What keeps size and time of change within one second is not in git's status.
func TestRepo_Unproven_withinOneSecond(t *testing.T) {
	t.Parallel()
	for range 20 {
		r := gittest.NewWithFiles(t, map[string]string{"a": "1\n", "below/b": "1\n"})
		long := time.Unix(1577836800, 0)
		must(t, os.Chtimes(r.Path("a"), long, long))
		r.Git("update-index", "--refresh")
		r.Write("a", "2\n")
		must(t, os.Chtimes(r.Path("a"), long, long))
		repo := r.Open()
		shown, err := repo.Status(ctx)
		must(t, err)
		if len(shown) > 0 {
			continue // another second had begun
		}
		unproven, err := repo.Unproven(ctx, nil, everyPath)
		must(t, err)
		unlike, err := repo.Unlike(ctx, t.TempDir(), unproven)
		must(t, err)
		if len(unlike) != 1 || unlike[0].Path != "a" {
			t.Errorf("changed: %v", unlike)
		}
		none, err := repo.Unproven(ctx, []string{"below"}, everyPath)
		must(t, err)
		if slices.ContainsFunc(none, func(e object.IndexEntry) bool { return e.Path == "a" }) {
			t.Errorf("looked beside the folder: %v", none)
		}
		return
	}
	t.Fatal("20 times a second was over too soon")
}

// A file that nobody touched since git looked at it is not hashed.
func TestRepo_Unproven_costsNothingAtRest(t *testing.T) {
	t.Parallel()
	r := gittest.NewWithFiles(t, map[string]string{"a": "1\n", "b c/\td\n": "1\n"})
	later := time.Now().Add(time.Hour) // than the tick of the file system's clock in which the files were written
	must(t, os.Chtimes(r.Path(".git/index"), later, later))
	unproven, err := r.Open().Unproven(ctx, nil, everyPath)
	must(t, err)
	if len(unproven) > 0 {
		t.Errorf("hashed: %v", unproven)
	}
}
