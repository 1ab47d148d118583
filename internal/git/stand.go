package git

import (
	"os"
	"path/filepath"
	"strings"
)

// standing starts a child that moves the working tree in the folder of it that we
// stand in, as the person's shell does: git leaves the folder that it was started
// in, however empty (since 2.35).
func (c *command) standing() *command {
	here, err := os.Getwd() //nolint:forbidigo // of this process, as the shell has it: what is handed in may be the top
	if err == nil {
		here, err = filepath.EvalSymlinks(here)
	}
	if top := c.repo.Top; err == nil && top != "" && strings.HasPrefix(here, top+string(filepath.Separator)) {
		c.dir = here
	}
	return c
}
