package killat

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// disk is a real file system on a loop device, or a tmpfs, of the test's own.
type disk struct {
	t     *testing.T
	kind  string // ext4, xfs or tmpfs
	image string
	at    string // where it is mounted
}

// newDisk makes and mounts one, or skips the test by the name of what is missing.
func newDisk(t *testing.T, kind string) *disk {
	t.Helper()
	if os.Getenv(powerVar) == "" {
		t.Skipf("takes disks away from the system: only with %s (make power)", powerVar)
	}
	if os.Geteuid() != 0 {
		t.Skip("needs root, to mount a file system of its own")
	}
	d := &disk{t: t, kind: kind, image: filepath.Join(t.TempDir(), "image"), at: filepath.Join(t.TempDir(), "disk")}
	if err := os.Mkdir(d.at, 0o755); err != nil {
		t.Fatal(err)
	}
	if kind != "tmpfs" {
		d.format()
	}
	if out, err := d.mount(); err != nil {
		t.Skipf("needs leave to mount %s: %v: %s", kind, err, out)
	}
	t.Cleanup(func() { d.must("umount", d.at) })
	return d
}

// format: xfs takes no image under 300 MB; the file is sparse.
func (d *disk) format() {
	d.t.Helper()
	tool, err := exec.LookPath("mkfs." + d.kind)
	if err != nil {
		d.t.Skipf("needs mkfs.%s", d.kind)
	}
	if err := os.WriteFile(d.image, nil, 0o600); err != nil {
		d.t.Fatal(err)
	}
	if err := os.Truncate(d.image, 320<<20); err != nil {
		d.t.Fatal(err)
	}
	d.must(tool, "-q", d.image)
}

func (d *disk) mount() (string, error) {
	args := []string{"-t", d.kind, "-o", "loop", d.image, d.at}
	if d.kind == "tmpfs" {
		args = []string{"-t", "tmpfs", "-o", "size=64m", "tmpfs", d.at}
	}
	out, err := exec.Command("mount", args...).CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

func (d *disk) must(name string, args ...string) {
	d.t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		d.t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

// goingDown is FS_IOC_GOINGDOWN (ioctl_xfs_goingdown(2)), which ext4 takes too;
// noLogFlush: what the journal did not write yet is gone, as by a power cut.
const (
	goingDown  = 0x8004587d
	noLogFlush = 2
)

// cutPower ends the file system at once, and mounts what reached the disk.
func (d *disk) cutPower() {
	d.t.Helper()
	f, err := os.Open(d.at)
	if err != nil {
		d.t.Fatal(err)
	}
	if err := unix.IoctlSetPointerInt(int(f.Fd()), goingDown, noLogFlush); err != nil {
		d.t.Fatalf("shut %s down: %v", d.kind, err)
	}
	if err := f.Close(); err != nil {
		d.t.Fatal(err)
	}
	d.must("umount", d.at)
	if out, err := d.mount(); err != nil {
		d.t.Fatalf("mount after the cut: %v: %s", err, out)
	}
}

// sync makes what is on it durable: what a trial begins with.
func (d *disk) sync() {
	d.t.Helper()
	f, err := os.Open(d.at)
	if err != nil {
		d.t.Fatal(err)
	}
	defer f.Close()
	if err := unix.Syncfs(int(f.Fd())); err != nil {
		d.t.Fatal(err)
	}
}

// free is how many bytes a tmpfs has left.
func (d *disk) free() int64 {
	d.t.Helper()
	var s unix.Statfs_t
	if err := unix.Statfs(d.at, &s); err != nil {
		d.t.Fatal(err)
	}
	return int64(s.Bavail) * s.Bsize
}

// fill leaves so many bytes, and answers how to free them again.
func (d *disk) fill(left int64) (free func()) {
	d.t.Helper()
	ballast := filepath.Join(d.at, "ballast")
	f, err := os.Create(ballast)
	if err != nil {
		d.t.Fatal(err)
	}
	defer f.Close()
	if err := unix.Fallocate(int(f.Fd()), 0, 0, max(1, d.free()-left)); err != nil {
		d.t.Fatal(err)
	}
	return func() {
		if err := os.Remove(ballast); err != nil {
			d.t.Fatal(err)
		}
	}
}
