package place

import (
	"slices"

	"github.com/git-agent/git-agent/pkg/object"
)

// LookAt says what lies at each of the paths. What is another one of them in
// another case, and no file of its own, is absent.
func (d Disk) LookAt(git Git, paths []string) (map[string]File, error) {
	aliases := git.Aliases(paths)
	files := make(map[string]File, len(paths))
	for _, p := range paths {
		files[p] = File{Mode: object.ModeNone}
		if slices.Contains(aliases, p) {
			continue
		}
		f, err := d.Look(p)
		if err != nil {
			return nil, err
		}
		files[p] = f
	}
	return files, nil
}
