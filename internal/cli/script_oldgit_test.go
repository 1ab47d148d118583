package cli

import (
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/testscript"
)

// oldGit is the real git but for its number: from 2.54 on it takes hooks from
// the configuration too, and that is where git agent then writes them.
const oldGit = `#!/bin/sh
me=$(cd "$(dirname "$0")" && pwd)
PATH=$(echo "$PATH" | sed "s|$me:||")
for a; do case $a in version) echo git version 2.53.0; exit;; -*) ;; *) break;; esac; done
exec git "$@"
`

// cmdOldGit: from here on git says that it takes hooks from scripts alone, to a
// git-agent that is called by its own name: git puts its own folder first on PATH.
func cmdOldGit(ts *testscript.TestScript, _ bool, _ []string) {
	dir := ts.MkAbs("oldgit")
	ts.Check(os.MkdirAll(dir, 0o755))
	ts.Check(os.WriteFile(filepath.Join(dir, "git"), []byte(oldGit), 0o755))
	ts.Setenv("PATH", dir+string(os.PathListSeparator)+ts.Getenv("PATH"))
}
