package stash

import (
	"bytes"
	"context"
	"crypto/sha256"
	"io"
	"maps"
	"slices"
)

// Unfiltered lists the paths of which a preserving commit holds other bytes than
// git stores of them, in more than line ends: those that a filter encrypts or keeps
// elsewhere are among them. The bytes are asked, and no attribute: those that
// counted may have been part of the work, and be gone with it.
func (s *Store) Unfiltered(ctx context.Context, commit string) ([]string, error) {
	shape, _, err := s.shape(ctx, commit)
	if err != nil || len(shape.Parents) < 4 {
		return nil, err
	}
	c, err := s.Open(ctx, commit)
	if err != nil {
		return nil, err
	}
	paths := slices.Sorted(maps.Keys(c.raw))
	ids := make([]string, 0, 2*len(paths))
	for _, p := range paths {
		ids = append(ids, c.raw[p].ID, c.File(p).ID)
	}
	sums, err := s.sumsWithoutCR(ctx, ids)
	if err != nil {
		return nil, err
	}
	var unfiltered []string
	for i, p := range paths {
		if sums[2*i] != sums[2*i+1] {
			unfiltered = append(unfiltered, p)
		}
	}
	return unfiltered, nil
}

// sumsWithoutCR are equal for blobs that differ in line ends alone, however large.
func (s *Store) sumsWithoutCR(ctx context.Context, ids []string) ([][sha256.Size]byte, error) {
	sums := make([][sha256.Size]byte, len(ids))
	err := s.Git.CopyBlobs(ctx, ids, func(i int, content io.Reader) error {
		h := sha256.New()
		_, err := io.Copy(withoutCR{h}, content)
		h.Sum(sums[i][:0])
		return err
	})
	return sums, err
}

type withoutCR struct{ to io.Writer }

func (w withoutCR) Write(p []byte) (int, error) {
	_, err := w.to.Write(bytes.ReplaceAll(p, []byte("\r"), nil))
	return len(p), err
}
