package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// OpenRoot opens a subfolder by itself, made (0700) unless this one is open for
// reading only; [fs.ErrNotExist] then. The caller closes it. A link in the
// folder's place is refused.
func (d *Dir) OpenRoot(name string) (*os.Root, error) {
	if err := d.check(name, false); err != nil {
		return nil, err
	}
	name = filepath.FromSlash(name)
	if !d.readOnly {
		if err := makeSubdirs(d.root, name); err != nil {
			return nil, fmt.Errorf("make folder %q: %w", d.Path(name), err)
		}
	}
	seen, err := d.root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !seen.IsDir() {
		return nil, fmt.Errorf("%q is not a folder (%s)", d.Path(name), seen.Mode().Type())
	}
	root, err := d.root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	opened, err := root.Stat(".")
	if err == nil && !os.SameFile(seen, opened) {
		err = fmt.Errorf("%q was replaced meanwhile: %w", d.Path(name), fs.ErrInvalid)
	}
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return root, nil
}
