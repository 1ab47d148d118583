package git

import (
	"context"
	"os/exec"
	"strings"
)

// GoodSignature reports whether a commit carries an SSH signature of somebody
// whom the given file lists (ssh-keygen(1), ALLOWED SIGNERS), and who. File and
// program are forced on git: a repository's own settings would verify anybody.
func (r *Repo) GoodSignature(ctx context.Context, commit, allowedSigners string) (good bool, signer string, err error) {
	keygen, err := exec.LookPath("ssh-keygen")
	if err != nil {
		return false, "", err
	}
	out, err := r.reading("log", "-1", "--no-show-signature", "--format=%G?%x00%GS", "--end-of-options", commit).
		config("gpg.format=ssh").config("gpg.ssh.program=" + keygen).
		config("gpg.ssh.allowedSignersFile=" + allowedSigners).config("gpg.ssh.revocationFile=").text(ctx)
	if err != nil {
		return false, "", err
	}
	status, signer, _ := strings.Cut(out, "\x00")
	return status == "G" && signer != "", signer, nil
}
