package plan

import (
	"fmt"
	"strings"

	"github.com/git-agent/git-agent/pkg/trailers"
)

// KeyCertificate stands beside a landing marker on the plan ref and names the
// commit of the run's branch up to which it landed: a squash is not on that
// branch, so the marker alone could not tell what came after it.
const KeyCertificate = "Agent-Certificate"

// MarkerMessage is the commit message of a landing marker. key and value are
// the trailer that pkg/landing makes; step is the last one that landed, or that
// the pull request offers.
func MarkerMessage(run, step, key, value, certificate string) (string, error) {
	block := []trailers.Trailer{{Key: trailers.KeyRun, Value: run}, {Key: trailers.KeyStep, Value: step}, {Key: key, Value: value}}
	if certificate != "" {
		block = append(block, trailers.Trailer{Key: KeyCertificate, Value: certificate})
	}
	what := fmt.Sprintf("marker of run %q", run)
	return write(what, trailers.Landing, trailers.Message{Subject: value, Trailers: block})
}

func markerCertificate(e trailers.Evidence) string {
	for _, t := range e.Other {
		if strings.EqualFold(t.Key, KeyCertificate) {
			return t.Value
		}
	}
	return ""
}
