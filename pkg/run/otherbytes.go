package run

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/plan"
)

// attributes is what git reads attributes of a folder's paths from.
const attributes = ".gitattributes"

// otherBytes are the files of a tree that a checkout would write with other
// bytes than lie here: git converts (line ends, ident, filters, encodings), and
// not each conversion comes back to where it began. Checks would see what no
// clone has. Looked at are the changes and, of what the run changed before, what
// the checks depend on.
//
// Git is only asked where a file's bytes are not the blob's, or attributes or
// settings may make others of a blob.
func (s *session) otherBytes(ctx context.Context, tree string, sees plan.Paths, changes []object.Change) ([]string, error) {
	own := slices.ContainsFunc(changes, func(c object.Change) bool { return path.Base(c.Path) == attributes })
	blobs, err := s.blobsSeen(ctx, tree, own, sees, changes)
	if err != nil {
		return nil, err
	}
	disk, here, c := s.store.Disk(tree), map[string]string{}, s.conversions()
	for p, id := range blobs {
		f, err := disk.Look(p)
		if err != nil {
			return nil, err
		}
		regular := f.Mode == object.ModeFile || f.Mode == object.ModeExecutable
		if regular && (f.ID != id || c.at(p)) {
			here[p] = f.ID
		}
	}
	if len(here) == 0 {
		return nil, nil
	}
	if !own {
		if own, err = s.otherAttributes(ctx, tree, here); err != nil {
			return nil, err
		}
	}
	return s.unlikeCheckout(ctx, tree, here, own)
}

// otherAttributes reports whether a .gitattributes that counts for these paths is
// not the tree's: an untracked one, an ignored one, one that git was told not to
// look at. No clone has it.
func (s *session) otherAttributes(ctx context.Context, tree string, paths map[string]string) (bool, error) {
	files := map[string]bool{}
	for p := range paths {
		for dir := path.Dir(p); !files[path.Join(dir, attributes)]; dir = path.Dir(dir) {
			files[path.Join(dir, attributes)] = true
		}
	}
	entries, err := s.Git.EntriesAt(ctx, tree, slices.Collect(maps.Keys(files)))
	if err != nil {
		return false, err
	}
	disk := s.store.Disk(tree)
	for _, e := range entries {
		f, err := disk.Look(e.Path)
		if err != nil || f.ID != e.ID {
			return true, err
		}
	}
	return false, nil
}

// unlikeCheckout are those of the files, by the ids of their bytes, of which git
// would check out other bytes. It does so in a folder of its own.
func (s *session) unlikeCheckout(ctx context.Context, tree string, here map[string]string, own bool) (others []string, err error) {
	tmp, err := s.tmp()
	if err != nil {
		return nil, err
	}
	disk := s.store.Disk(tree)
	if disk.Top, err = os.MkdirTemp(tmp, "bytes-"); err != nil {
		return nil, fmt.Errorf("lay out files: %w", err)
	}
	defer func() { _ = os.RemoveAll(disk.Top) }()
	paths := slices.Sorted(maps.Keys(here))
	if err := s.Git.CheckoutInto(ctx, tmp, tree, paths, disk.Top, own); err != nil {
		return nil, fmt.Errorf("lay out %s: %w", short(tree), err)
	}
	for _, p := range paths {
		f, err := disk.Look(p)
		if err != nil {
			return nil, err
		}
		if f.ID != here[p] {
			others = append(others, p)
		}
	}
	return others, nil
}

// blobsSeen are the files that the changes left and, among what the run changed
// before, those that the checks depend on; all of these where attributes change.
func (s *session) blobsSeen(ctx context.Context, tree string, all bool, sees plan.Paths, changes []object.Change) (map[string]string, error) {
	blobs := map[string]string{}
	set := func(path, mode, id string) {
		delete(blobs, path)
		if mode == object.ModeFile || mode == object.ModeExecutable {
			blobs[path] = id
		}
	}
	for _, c := range s.ledger.Changed(s.base) {
		if sees.Match(c.Path) {
			set(c.Path, c.NewMode, c.NewID)
		}
	}
	if all {
		entries, err := s.Git.Entries(ctx, tree)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if sees.Match(e.Path) {
				set(e.Path, e.Mode, e.ID)
			}
		}
	}
	for _, c := range changes {
		set(c.Path, c.NewMode, c.NewID)
	}
	return blobs, nil
}

// conversions tells where git may write another content than a blob's, by the
// settings and attribute files that count there (gitattributes(5)). Each file is
// read once, however many paths lie below it.
type conversions struct {
	*session
	everywhere bool
	inFolder   map[string]bool // or above it
}

func (s *session) conversions() conversions {
	c := conversions{s, false, map[string]bool{}}
	for _, key := range []string{"core.autocrlf", "core.eol"} {
		value, _ := s.Config.Config(key)
		c.everywhere = c.everywhere || value != "" && value != "input" && value != "false" && value != "lf"
	}
	for _, name := range []string{filepath.Join(s.Place.CommonDir, "info", "attributes"), s.ownAttributes()} {
		c.everywhere = c.everywhere || converting(name)
	}
	return c
}

func (c conversions) at(p string) bool {
	if c.everywhere || p == "." {
		return c.everywhere
	}
	dir := path.Dir(p)
	found, known := c.inFolder[dir]
	if !known {
		found = converting(c.session.at(path.Join(dir, attributes))) || c.at(dir)
		c.inFolder[dir] = found
	}
	return found
}

// converting reports whether a file of attributes has one that may convert.
func converting(name string) bool {
	text, err := os.ReadFile(name)
	return err == nil && slices.ContainsFunc([]string{"eol=", "ident", "filter", "working-tree-encoding", "crlf"},
		func(word string) bool { return strings.Contains(string(text), word) })
}

// ownAttributes is the person's file of attributes (git-config(1), core.attributesFile).
func (s *session) ownAttributes() string {
	home := lookup(s.Env, "HOME")
	file, set := s.Config.Config("core.attributesfile")
	if !set {
		return filepath.Join(first(lookup(s.Env, "XDG_CONFIG_HOME"), filepath.Join(home, ".config")), "git", "attributes")
	}
	if rest, tilde := strings.CutPrefix(file, "~/"); tilde {
		return filepath.Join(home, rest)
	}
	return file
}
