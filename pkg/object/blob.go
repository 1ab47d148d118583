package object

import (
	"crypto/sha1" //nolint:gosec // git's names of objects
	"crypto/sha256"
	"fmt"
	"hash"
)

// BlobHash begins the hash by which git names a blob of so many bytes
// (git-hash-object(1)), in a repository of either object format.
func BlobHash(isSHA256 bool, size int64) hash.Hash {
	h := sha1.New() //nolint:gosec // as above
	if isSHA256 {
		h = sha256.New()
	}
	_, _ = fmt.Fprintf(h, "blob %d\x00", size)
	return h
}
