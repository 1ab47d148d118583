package git_test

import (
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/internal/git"
	"github.com/git-agent/git-agent/internal/git/gittest"
	"github.com/git-agent/git-agent/pkg/object"
)

var hostile = []string{":colon", "star*", "back\\slash", "new\nline", "quo\"te", "\xff\xfe", "cr\r", "d/[x]", " blank ", "-dash"}

func TestRepo_StoreRaw_hostileNames(t *testing.T) {
	r := gittest.NewWithFiles(t, map[string]string{".gitattributes": "* text eol=crlf\n"})
	for _, name := range hostile {
		r.Write(name, name+"\r\n")
	}
	repo := r.Open()
	ids, err := repo.StoreRaw(ctx, hostile)
	if err != nil {
		t.Fatal(err)
	}
	blobs, err := repo.Blobs(ctx, ids)
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range hostile {
		if b := blobs[ids[i]]; string(b) != name+"\r\n" {
			t.Errorf("%q is stored as %q", name, b)
		}
	}
}

func TestRepo_Ignored_hostileNames(t *testing.T) {
	r := gittest.NewWithFiles(t, map[string]string{".gitignore": "*.o\n", "tracked": "x"})
	var built []string
	for _, name := range hostile {
		r.Write(name, "")
		built = append(built, name+".o")
		r.Write(name+".o", "")
	}
	got, err := r.Open().Ignored(ctx, slices.Concat(hostile, built, []string{"tracked", "absent.o"}))
	if err != nil || !slices.Equal(got, append(built, "absent.o")) {
		t.Errorf("ignored = %q, %v", got, err)
	}
	if _, err := r.Open().Ignored(ctx, []string{"../outside"}); git.ExitCode(err) != 128 {
		t.Errorf("err = %v, want git's own failure", err)
	}
}

func TestRepo_PutIndex_bringsBackWhatIndexEntriesSaw(t *testing.T) {
	r := gittest.NewWithFiles(t, map[string]string{"plain": "x\n", "assumed": "x\n", "skipped": "x\n", "both": "x\n", "other": "x\n", "d/file": "x\n"})
	r.Write("meant", "x\n")
	r.Write("run", "x\n")
	r.Write("empty", "")
	r.Git("add", "empty")
	if err := os.Chmod(r.Path("run"), 0o755); err != nil {
		t.Fatal(err)
	}
	r.Git("add", "-N", "meant", "run")
	r.Git("update-index", "--assume-unchanged", "assumed", "both")
	r.Git("update-index", "--skip-worktree", "skipped", "both")
	repo, scratch := r.Open(), t.TempDir()
	paths := []string{"plain", "assumed", "skipped", "both", "meant", "run", "empty", "d/file"}
	before, err := repo.IndexEntries(ctx, scratch, paths)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]bool{}
	var gone []object.IndexEntry
	for _, e := range before {
		kinds[e.Path] = e.IntentToAdd
		if e.Path != "other" {
			gone = append(gone, object.IndexEntry{Entry: object.Entry{Path: e.Path, Mode: object.ModeNone}})
		}
	}
	if !kinds["meant"] || !kinds["run"] || kinds["empty"] {
		t.Errorf("intents to add: %v", kinds)
	}
	gone = append(gone, object.IndexEntry{Entry: object.Entry{Path: "d", Mode: before[0].Mode, ID: before[0].ID}})
	if err := repo.PutIndex(ctx, scratch, gone); err != nil {
		t.Fatal(err)
	}
	if got := r.Git("ls-files"); got != "d\nother" {
		t.Errorf("index holds %q", got)
	}
	back := append([]object.IndexEntry{{Entry: object.Entry{Path: "d", Mode: object.ModeNone}}}, before...)
	if err := repo.PutIndex(ctx, scratch, back); err != nil {
		t.Fatal(err)
	}
	after, err := repo.IndexEntries(ctx, scratch, paths)
	if err != nil || !slices.Equal(after, before) {
		t.Errorf("after = %+v\nbefore %+v, %v", after, before, err)
	}
}

func TestRepo_CopyBlobs(t *testing.T) {
	big := strings.Repeat("0123456789abcdef\n", 1<<16)
	r := gittest.NewWithFiles(t, map[string]string{"big": big, "empty": "", "small": "x"})
	repo := r.Open()
	ids := []string{r.Git("rev-parse", "HEAD:big"), r.Git("rev-parse", "HEAD:empty"), r.Git("rev-parse", "HEAD:small"), r.Git("rev-parse", "HEAD:big")}
	var got []int
	err := repo.CopyBlobs(ctx, ids, func(i int, content io.Reader) error {
		if i == 0 {
			return nil // left unread
		}
		b, err := io.ReadAll(content)
		got = append(got, len(b))
		return err
	})
	if err != nil || !slices.Equal(got, []int{0, 1, len(big)}) {
		t.Errorf("sizes %v, %v", got, err)
	}
	stop := errors.New("enough")
	if err := repo.CopyBlobs(ctx, ids, func(int, io.Reader) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("err = %v", err)
	}
	if err := repo.CopyBlobs(ctx, []string{strings.Repeat("1", 40)}, func(int, io.Reader) error { return nil }); err == nil {
		t.Error("a blob that does not exist was read")
	}
}

func TestRepo_CheckoutInto_ownAttributes(t *testing.T) {
	r := gittest.NewWithFiles(t, map[string]string{".gitattributes": "a text eol=crlf\n", "a": "1\n", "d/a": "2\n"})
	r.Write(".gitattributes", "a text eol=lf\n")
	index := r.Git("ls-files", "-s", "--debug")
	for own, want := range map[bool]string{true: "1\r\n", false: "1\n"} {
		folder := t.TempDir()
		if err := r.Open().CheckoutInto(ctx, t.TempDir(), "HEAD", []string{"a", "d/a"}, folder, own); err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(folder + "/a"); err != nil || string(b) != want {
			t.Errorf("own=%v: %q, %v", own, b, err)
		}
	}
	if got := r.Git("ls-files", "-s", "--debug"); got != index {
		t.Error("the person's index changed")
	}
}
