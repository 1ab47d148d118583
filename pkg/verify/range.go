package verify

import (
	"context"
	"errors"

	"github.com/git-agent/git-agent/pkg/trailers"
)

// ErrNoBase says that nothing tells where a run begins.
var ErrNoBase = errors.New("the plan is not here, so where the run begins is not known")

// RangeRequest is a part of a branch, or all of it.
type RangeRequest struct {
	Ref string // the branch in full, "" where only commits were named
	Run string // "": each certificate is judged as one of its own run
	Tip string
	// Base is left out with everything below it; "" is the run's own base.
	Base string
	// Elsewhere is as in [Side].
	Elsewhere []string
}

// Range judges the first-parent chain base..tip.
func (v *Verifier) Range(ctx context.Context, req RangeRequest) (*Report, error) {
	report := v.newReport()
	t := target{ref: req.Ref, run: req.Run, tip: req.Tip, base: req.Base, branch: branchName(Update{Ref: req.Ref})}
	err := v.judgeAll(ctx, report, question{targets: []target{t}, side: Side{Elsewhere: req.Elsewhere}})
	return report, err
}

// Message judges a message that is about to be committed, without comments;
// run is the one whose branch HEAD is on, "" for none. repaired is the message
// with its evidence in one block, where that is all it takes.
func Message(message, run string) (faults []string, repaired string) {
	r := trailers.Read(message)
	faults = r.Faults
	if run == "" {
		return faults, mended(message, r)
	}
	faults = r.RunBranchFaults()
	j := judge{target: target{run: run}}
	if other := j.otherRun(r.Evidence.Run); other != nil {
		return append(faults, other.says), ""
	}
	if r.Kind == trailers.FailureRecord {
		faults = append(faults, "it records "+firstFailure(r.Evidence)+"; that certifies nothing")
	}
	return faults, mended(message, r)
}

func mended(message string, r trailers.Reading) string {
	if r.Kind != trailers.Scattered || !mendable(message, r.Evidence.Tree, r.Evidence) {
		return ""
	}
	text, _ := trailers.Repair(message)
	return text
}
