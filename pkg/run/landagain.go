package run

// landCommand is what lands the same once more, whichever way it is integrated.
func (l *lander) landCommand() string {
	command := l.session.landCommand(l.target.branch)
	for _, flag := range []struct{ name, value string }{{"through", l.req.Through}, {"trust-plan", l.req.Trust.Digest}} {
		if flag.value != "" {
			command += " --" + flag.name + " " + quoteArg(flag.value)
		}
	}
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
	if mode == "" {
		return l.landCommand()
	}
	return l.landCommand() + " --mode " + mode
}
