package cli

import (
	"os/exec"
	"strings"
	"testing"
)

// TestDiskFull: whatever a full disk stops is told so, with what goes on, and goes
// on once there is room: git says it in words alone.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	if out, err := exec.Command("unshare", "-rm", "true").CombinedOutput(); err != nil {
		t.Skipf("needs leave to mount a file system of its own: %v: %s", err, out)
	}
	w := contractWorld(t)
	said := w.must(`cat > ../there <<'END'
mkdir ../full; mount -t tmpfs -o size=2m tmpfs ../full; cp -r . ../full/w
try() { "$@" > ../out 2> ../err; echo "$1 $2 $3 $4 [$?]"; cat ../err; }
head -c 4m /dev/zero > ../full/fill 2> ../err
TMPDIR=$PWD/../full; export TMPDIR
try git agent audit
try git agent plan lint --run-checks
unset TMPDIR; cd ../full/w; echo done2 > a/s02.txt 2> ../../err
try git agent rollback s01 --yes
try git agent step s02
rm ../fill
try git agent step s02
END
unshare -rm sh ../there`)
	for _, want := range []string{"git agent audit  [3]", "git agent plan lint [3]", "git agent rollback s01 [3]", "git agent step s02 [3]", "the same command again"} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in\n%s", want, said)
		}
	}
}
