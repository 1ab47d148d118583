package compattest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/internal/testkit"
)

const compatHead = `# In which clones what works

Each cell is what a test saw (` + "`go test ./internal/compattest`" + `, which writes this page with ` + "`-update`" + ` and fails
where the two differ): one clone for each row, the commands of its columns one after the other from the left, with git 2.39 on Linux.

*works* means more than exit 0: the certificate holds the step's paths and no other, git sees nothing left of them, the remote has
it, and whatever lies elsewhere in the working tree is as it was. Everything else is how the command refused: its frozen code and
its [exit status](exit-codes.md).

`

// compatPage renders the rows.
func compatPage(results []map[string]string) string {
	var b strings.Builder
	b.WriteString(compatHead + "| clone |")
	rule := "|---|"
	for _, command := range compatCommands {
		b.WriteString(" " + command.name + " |")
		rule += "---|"
	}
	b.WriteString("\n" + rule + "\n")
	for i, shape := range compatShapes {
		b.WriteString("| " + shape.name + " |")
		for _, command := range compatCommands {
			b.WriteString(" " + results[i][command.name] + " |")
		}
		b.WriteString("\n")
	}
	return b.String() + compatFoot
}

func comparePage(t *testing.T, page string) {
	t.Helper()
	name := filepath.Join("..", "..", "docs", "compatibility.md")
	if *update {
		if err := os.WriteFile(name, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	testkit.SameLines(t, "docs/compatibility.md", string(have), page)
}

const compatFoot = `
- A bare repository has no files to check: make a working tree of it, by ` + "`git clone`" + ` or ` + "`git worktree add`" + `.
- A run's branch has one working tree: in another one, ` + "`resume`" + ` names the folder to go to.
- ` + "`check`" + ` runs on what is in the working tree: on another branch, or where a sparse checkout left the step's files out, that is
  not the step's work, and it fails. With ` + "`isolate: true`" + ` a step's checks see the whole tree.
- Without an attempt there is none to follow up (` + "`NO_ATTEMPT`" + `) and no log (` + "`NO_LOG`" + `).
- With the remote gone, what is certified stays certified here and is pushed later (exit 5); a job does not start unless this clone
  was the last to move the lease. History or objects that a clone left out and cannot fetch are *unknown* (exit 7), never *pending*.
- Of a submodule, its commit is what a certificate holds; a rollback takes the index entry back and leaves the folder as it is, and says
  so. Changes inside one, and files in the folder of one that is not checked out, cannot be preserved by a commit here: under the
  step's touches they stop the command, beside them they are counted as untracked files are. A submodule at
  another commit is a change like any other, and the hint how to put it back.
`
