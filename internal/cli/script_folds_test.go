package cli

import (
	"fmt"
	"os"
	"path/filepath"
)

// condition knows [folds]: the scripts are on a file system that takes a name
// in another case for the same.
func condition(name string) (bool, error) {
	if name != "folds" {
		return false, fmt.Errorf("unknown condition %q", name)
	}
	dir, err := os.MkdirTemp("", "folds-")
	if err != nil {
		return false, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := os.WriteFile(filepath.Join(dir, "a"), nil, 0o600); err != nil {
		return false, err
	}
	_, err = os.Stat(filepath.Join(dir, "A"))
	return err == nil, nil
}
