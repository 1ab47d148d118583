package journal

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// BenchmarkDrain drains 64 MiB as a runner does and prints its time as a
// multiple of what a copy to a file with as many syncs takes in the same run:
// the design, section 15, allows 2.
func BenchmarkDrain(b *testing.B) {
	const size = 64 << 20
	dir := b.TempDir()
	source := filepath.Join(dir, "native")
	if err := os.WriteFile(source, make([]byte, size), 0o600); err != nil {
		b.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = root.Close() }()
	folder := counting{RootFolder(root, "."), new(int)}
	var ours, floor time.Duration
	for b.Loop() {
		*folder.syncs = 0
		start := time.Now()
		drainFile(b, folder, source)
		ours += time.Since(start)
		start = time.Now()
		catFile(b, source, filepath.Join(dir, "cat"), *folder.syncs)
		floor += time.Since(start)
		for _, name := range []string{"a.log", "a.index", "cat"} {
			if err := root.Remove(name); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.SetBytes(size)
	b.ReportMetric(float64(ours)/float64(floor), "x-cat+syncs")
}

func drainFile(b *testing.B, folder Folder, source string) {
	f, err := os.Open(source)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	w, err := Open(OpenRequest{Folder: folder, Name: "a", Identity: testID, Owner: testOwner, Stdout: f, Now: time.Now})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = w.Close() }()
	for chunk := make([]byte, ChunkSize); ; {
		n, err := f.Read(chunk)
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = w.Append(Stdout, w.Next(Stdout), chunk[:n])
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Finish(End{Kind: Exited}, Offsets{Stdout: w.Next(Stdout)}); err != nil {
		b.Fatal(err)
	}
}

// catFile copies in chunks of the same size, syncing as often, spread evenly.
func catFile(b *testing.B, source, target string, syncs int) {
	in, err := os.Open(source)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	out, err := os.Create(target)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = out.Close() }()
	info, err := in.Stat()
	if err != nil {
		b.Fatal(err)
	}
	chunk := make([]byte, ChunkSize)
	chunks, done := int(info.Size()/ChunkSize), 0
	for i := range chunks {
		if _, err := io.ReadFull(in, chunk); err != nil {
			b.Fatal(err)
		}
		if _, err := out.Write(chunk); err != nil {
			b.Fatal(err)
		}
		for ; done < syncs*(i+1)/chunks; done++ {
			if err := syncData(out); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// counting counts the syncs of a folder's files.
type counting struct {
	Folder
	syncs *int
}

func (c counting) Append(name string) (File, error) {
	f, err := c.Folder.Append(name)
	return countingFile{f, c.syncs}, err
}

type countingFile struct {
	File
	syncs *int
}

func (c countingFile) Sync() error { *c.syncs++; return c.File.Sync() }
