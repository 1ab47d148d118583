package remotetest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

const sshdConfig = `HostKey %[1]s/host
AuthorizedKeysFile %[1]s/user.pub
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin yes
PidFile none
SetEnv PATH=%[2]s GIT_CONFIG_NOSYSTEM=1
`

const sshConfig = `Host *
IdentityFile %[1]s/user
IdentitiesOnly yes
UserKnownHostsFile %[1]s/known
GlobalKnownHostsFile /dev/null
StrictHostKeyChecking %[2]s
`

// serveSSH is a real sshd with keys of its own. The `ssh` that the machines
// find first knows them: ssh itself looks in the password file for a home.
func (w *world) serveSSH() string {
	w.t.Helper()
	sshd := lookUp(w.t, "sshd", "/usr/sbin/sshd")
	dir := w.path("ssh")
	w.check(os.MkdirAll(dir, 0o700))
	for _, key := range []string{"host", "user"} {
		out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", filepath.Join(dir, key)).CombinedOutput()
		if err != nil {
			w.t.Fatalf("ssh-keygen: %v\n%s", err, out)
		}
	}
	config := filepath.Join(dir, "sshd_config")
	w.write("ssh/sshd_config", fmt.Sprintf(sshdConfig, dir, os.Getenv("PATH")))
	w.sshAsks("no")
	w.write("ssh/bin/ssh", fmt.Sprintf("#!/bin/sh\nexec %s -F %s/config \"$@\"\n", lookUp(w.t, "ssh"), dir))
	return inetd(w.t, func() *exec.Cmd { return privileged(exec.Command(sshd, "-i", "-f", config)) })
}

// sshAsks says what ssh does with a host that it does not know: no, ask, yes.
func (w *world) sshAsks(strict string) {
	w.write("ssh/config", fmt.Sprintf(sshConfig, w.path("ssh"), strict))
}

// privileged: an sshd of root's wants /run/sshd, which only an installed
// service makes. It gets a /run of its own, that nobody else sees.
func privileged(sshd *exec.Cmd) *exec.Cmd {
	if _, err := os.Stat("/run/sshd"); os.Getuid() != 0 || err == nil {
		return sshd
	}
	cmd := exec.Command("sh", "-c", `mount -t tmpfs tmpfs /run && mkdir -m 755 /run/sshd && exec "$0" "$@"`)
	cmd.Args = append(cmd.Args, sshd.Args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
	return cmd
}
