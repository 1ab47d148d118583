package git_test

import (
	"strings"
	"testing"

	"github.com/git-agent/git-agent/internal/git/gittest"
)

func TestRepo_MergeAdds(t *testing.T) {
	r := gittest.NewWithFiles(t, map[string]string{"a": "a\n"}).Open()
	base := "1\n2\n3\n4\n5\n6\n7\n8\n9\n"
	edit := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(base) }
	for name, tt := range map[string]struct {
		ours, theirs string
		adds, clean  bool
	}{
		"it is there":        {edit("2\n", "two\n"), edit("2\n", "two\n"), false, true},
		"it is there moved":  {"0\n" + edit("2\n", "two\n"), edit("2\n", "two\n"), false, true},
		"another one is":     {edit("8\n", "two\n"), edit("2\n", "two\n"), true, true},
		"other blanks are":   {edit("2\n", " two\n"), edit("2\n", "two\n"), true, false},
		"it is no text":      {"\x00" + base, edit("2\n", "two\n"), true, false},
		"nothing of it left": {"", edit("2\n", "two\n"), true, false},
	} {
		ids := map[string]string{}
		for _, content := range []string{base, tt.ours, tt.theirs} {
			id, err := r.WriteBlob(t.Context(), []byte(content))
			if err != nil {
				t.Fatal(err)
			}
			ids[content] = id
		}
		adds, clean, err := r.MergeAdds(t.Context(), t.TempDir(), ids[base], ids[tt.ours], ids[tt.theirs])
		if err != nil || adds != tt.adds || clean != tt.clean {
			t.Errorf("%s: adds %v, clean %v, %v; want %v, %v", name, adds, clean, err, tt.adds, tt.clean)
		}
	}
}
