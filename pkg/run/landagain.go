package run

// landCommand is what lands the same once more, whichever way it is integrated.
func (l *lander) landCommand() string {
	command := withFlags(l.session.landCommand(l.target.branch), [2]string{"through", l.req.Through}, [2]string{"trust-plan", l.req.Trust.Digest})
	if l.req.Again {
		command += " --again"
	}
	if l.req.Comment {
		command += " --comment"
	}
	return command
}

// again is the command as it was given, for where it only has to be done once more.
func (l *lander) again() string {
	mode := l.req.Mode
	if l.mode == LandPR {
		mode = LandPR
	}
	return withFlags(l.landCommand(), [2]string{"mode", mode})
}
