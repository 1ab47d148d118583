package run

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/git-agent/git-agent/pkg/check"
	"github.com/git-agent/git-agent/pkg/settings"
)

func (s *session) environ(extra map[string]string) []string {
	mode, _ := s.Config.Config("agent.env")
	return check.Environ(s.Env, s.LocalEnv, mode == "strict", s.plan.PassEnv, extra)
}

func (s *session) agentEnv(at place) map[string]string {
	env := map[string]string{"GIT_AGENT_RUN": s.run, "GIT_AGENT_STEP": at.step, check.AttemptVariable: ""}
	if at.attempt != nil {
		env[check.AttemptVariable] = at.attempt.ID
	}
	if s.hold.mine.Nonce != "" {
		env[check.ClaimVariable] = s.hold.mine.Nonce
	}
	return env
}

func (s *session) checkTimeout() time.Duration {
	return settings.Duration(s.Config, "agent.checktimeout", defaultCheckTimeout)
}

// prepare runs the plan's setup once per checkout: remembered on disk for the
// person's working tree, for this command only for a scratch checkout. why is
// non-empty where it failed: an environment outcome.
func (s *session) prepare(ctx context.Context, dir string) (why string, err error) {
	if len(s.plan.Setup) == 0 || s.prepared[dir] {
		return "", nil
	}
	marker := s.setupMarker()
	if dir == s.Place.Top {
		if _, err := s.Tree.Read(marker); err == nil {
			return "", nil
		}
	}
	if dir == s.Place.Top {
		return s.setUpHere(ctx, marker)
	}
	why, err = s.setUpIn(ctx, dir)
	s.prepared[dir] = why == "" && err == nil
	return why, err
}

// setupMarker names the setup commands of one run in one working tree.
func (s *session) setupMarker() string {
	h := sha256.New()
	for _, command := range s.plan.Setup {
		_, _ = fmt.Fprintf(h, "%d:%s", len(command), command)
	}
	return s.run + "/setup-" + hex.EncodeToString(h.Sum(nil))[:32]
}

// fingerprint hashes what the plan's fingerprint commands print; "" without
// any. why is non-empty where one failed: an environment outcome.
func (s *session) fingerprint(ctx context.Context, dir string) (digest, why string, err error) {
	if len(s.plan.Fingerprint) == 0 {
		return "", "", nil
	}
	h := sha256.New()
	for _, command := range s.plan.Fingerprint {
		result, err := s.runFingerprint(ctx, command, dir)
		if err != nil {
			return "", "", err
		}
		if !result.Outcome.Passed() {
			return "", fmt.Sprintf("fingerprint `%s` ended with %s", command, result.Outcome), interrupted(ctx)
		}
		_, _ = fmt.Fprintf(h, "%d:%d:", len(result.Stdout.Bytes), result.Stdout.Total)
		h.Write(result.Stdout.Bytes)
	}
	digest = "sha256:" + hex.EncodeToString(h.Sum(nil))
	s.local.Fingerprint = digest
	return digest, "", nil
}

func (s *session) runFingerprint(ctx context.Context, command, dir string) (check.Result, error) {
	if err := s.needLeave(ctx); err != nil {
		return check.Result{}, err
	}
	result, err := s.supervise(ctx, check.Command{Run: command, Dir: dir, Env: s.environ(s.agentEnv(place{})), Timeout: s.checkTimeout()}, nil)
	return result, s.unseen("", err)
}
