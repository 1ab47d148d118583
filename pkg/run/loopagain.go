package run

import "strconv"

// again is the command that goes on as this one, with another limit where that is
// not 0: what was given by flag is nowhere else. Not --trust, which is remembered,
// nor what was of that moment: --takeover and --budget-time.
func (l *loop) again(limit int) string {
	command, r := "git agent run "+l.req.Run, l.req
	if limit == 0 {
		limit = r.MaxAttempts
	}
	if limit > 0 {
		command += " --max-attempts " + strconv.Itoa(limit)
	}
	return withFlags(command, [2]string{"until", r.Until}, [2]string{"trust-plan", r.Trust.Digest}, [2]string{"agent", r.Agent})
}
