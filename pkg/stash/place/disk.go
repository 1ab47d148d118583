package place

import (
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/git-agent/git-agent/pkg/object"
)

// ModeOdd is what git cannot store: a pipe, a socket, a device.
const ModeOdd = "odd"

// Disk is the working tree below one folder, looked at path by path.
type Disk struct {
	Top    string
	SHA256 bool // the repository's object format
}

// File is what lies at a path, by its bytes: Mode is one of object's
// (ModeTree for a folder) or ModeOdd, ID the blob id of the raw bytes, links
// by their text, "" for all that has no bytes.
type File struct {
	Mode string
	ID   string

	info fs.FileInfo
}

// Absent reports that nothing lies there.
func (f File) Absent() bool { return f.Mode == object.ModeNone }

// HasBytes reports a regular file or a link.
func (f File) HasBytes() bool { return f.ID != "" }

func (d Disk) path(p string) string { return filepath.Join(d.Top, filepath.FromSlash(p)) }

// Blocker is the nearest-to-the-top leading component of p that is there and
// is no folder (a link to one included), "" for none.
func (d Disk) Blocker(p string) (string, error) {
	for i := range len(p) {
		if p[i] != '/' {
			continue
		}
		info, err := os.Lstat(d.path(p[:i]))
		switch {
		case gone(err):
			return "", nil
		case err != nil:
			return "", fmt.Errorf("look at %q: %w", p[:i], err)
		case !info.IsDir():
			return p[:i], nil
		}
	}
	return "", nil
}

// Look says what lies at p. Behind a link or a file, nothing does.
func (d Disk) Look(p string) (File, error) {
	absent := File{Mode: object.ModeNone}
	blocker, err := d.Blocker(p)
	if err != nil || blocker != "" {
		return absent, err
	}
	info, err := os.Lstat(d.path(p))
	if gone(err) {
		return absent, nil
	}
	if err != nil {
		return absent, fmt.Errorf("look at %q: %w", p, err)
	}
	f := File{Mode: modeOf(info), info: info}
	switch f.Mode {
	case object.ModeSymlink:
		f.ID, err = d.linkID(p)
	case object.ModeFile, object.ModeExecutable:
		f.ID, err = d.fileID(p, info)
	}
	if gone(err) { // since the look; FUSE remembers a name for a while
		return absent, nil
	}
	if err != nil {
		return absent, fmt.Errorf("hash %q: %w", p, err)
	}
	return f, nil
}

func gone(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// modeOf reads the owner's executable bit only, as git does.
func modeOf(info fs.FileInfo) string {
	switch m := info.Mode(); {
	case m.IsDir():
		return object.ModeTree
	case m&fs.ModeSymlink != 0:
		return object.ModeSymlink
	case !m.IsRegular():
		return ModeOdd
	case m&0o100 != 0:
		return object.ModeExecutable
	default:
		return object.ModeFile
	}
}

func (d Disk) linkID(p string) (string, error) {
	text, err := os.Readlink(d.path(p))
	if err != nil {
		return "", err
	}
	h := d.blob(int64(len(text)))
	_, _ = io.WriteString(h, text)
	return hex.EncodeToString(h.Sum(nil)), nil
}

var errChanged = errors.New("it changed while it was read")

func (d Disk) fileID(p string, seen fs.FileInfo) (string, error) {
	f, err := os.Open(d.path(p))
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	if !os.SameFile(info, seen) {
		return "", errChanged
	}
	h := d.blob(info.Size())
	// By itself io.Copy tries what only helps between files, and takes 32 KiB
	// for each: most are small, and there may be thousands.
	n, err := io.CopyBuffer(h, struct{ io.Reader }{f}, make([]byte, min(info.Size()+1, 32<<10)))
	if err == nil && n != info.Size() {
		err = errChanged
	}
	return hex.EncodeToString(h.Sum(nil)), err
}

func (d Disk) blob(size int64) hash.Hash { return object.BlobHash(d.SHA256, size) }

// EmptyBlob is the id of a blob without content.
func (d Disk) EmptyBlob() string { return hex.EncodeToString(d.blob(0).Sum(nil)) }

// Nested is the nearest-to-the-top folder above p that is a repository of its
// own, "" for none. The top itself does not count.
func (d Disk) Nested(p string) string {
	for i := range len(p) {
		if p[i] == '/' {
			if _, err := os.Lstat(d.path(p[:i] + "/.git")); err == nil {
				return p[:i]
			}
		}
	}
	return ""
}

// Below lists all that is not a folder below the folder p, and the nested
// repositories among it.
func (d Disk) Below(p string) (files, nested []string, err error) {
	err = filepath.WalkDir(d.path(p), func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(d.Top, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if e.Name() == ".git" {
			nested = append(nested, path.Dir(rel))
		}
		if !e.IsDir() {
			files = append(files, rel)
		}
		return nil
	})
	return files, nested, err
}

// Parents lists the folders above p, the nearest last.
func Parents(p string) []string {
	var up []string
	for i := range len(p) {
		if p[i] == '/' {
			up = append(up, p[:i])
		}
	}
	return up
}

// Clean reports whether p is a path that an index could hold: relative, no
// empty, "." or ".." component, none named .git.
func Clean(p string) bool {
	if p == "" || strings.ContainsRune(p, 0) {
		return false
	}
	for part := range strings.SplitSeq(p, "/") {
		if part == "" || part == "." || part == ".." || strings.EqualFold(part, ".git") {
			return false
		}
	}
	return true
}
