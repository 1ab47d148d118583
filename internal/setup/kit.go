package setup

import (
	"io/fs"

	kit "github.com/git-agent/git-agent/contrib/agents"
)

// Kit is what agents are given, as it was built in.
func Kit() fs.FS { return kit.Files }
