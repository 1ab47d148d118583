package run

// Again is the command that starts a run so: with what was said to this one by
// flag, and is kept nowhere.
func (req StartRequest) Again(run string) string {
	again := withFlags("git agent start "+quoteArg(first(req.File, "-"))+" --run "+run, [2]string{"base", req.Base})
	if req.NoPush {
		again += " --no-push"
	}
	return withFlags(again, [2]string{"worktree", req.Beside})
}

// from is the request with another base.
func (req StartRequest) from(base string) StartRequest {
	req.Base = base
	return req
}

// another is the command for a run beside this one, whose clone is in the way.
func (req StartRequest) another(run string) string {
	if req.Beside != "" {
		req.Beside += "-2"
	}
	return req.Again(run + "-2")
}
