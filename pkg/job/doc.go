// Package job keeps one attempt's folder and the job in it: a process that
// outlives the runner that started it (the design, section 9). It owns what
// lies in that folder, the attempt's fence, and the drain that moves what the
// job wrote into the attempt's log, from here or from another machine.
//
// It never decides what an outcome means for a step, never touches git, and
// never takes a word in a log for an end: that is the supervisor's status,
// which pkg/check reads.
//
//	at, err := job.Create(folder, facts)       // its folder
//	log, err := at.OpenLog(now)                // durable header
//	kept, err := at.Start(runner, command)     // from here on it outlives us
//	st, err := job.Drain{From: job.Local(at), Log: log}.Run(ctx)
//
// # An attempt's folder
//
// It is <run>/logs/<step>-<number>-<id> and stays when the attempt is over.
//
//	attempt.json           whose it is, and how its job is found: Facts
//	fence                  the lock, never deleted
//	stdout, stderr         native files, the supervisor's alone; gone once the log is complete
//	status                 the supervisor's report, line by line
//	job.log, job.index     the job's log, see pkg/journal
//	check-<c>-<n>.log, …   run n of check c in this attempt
//
// # Who may do what
//
// The runner of an attempt holds its fence from the start until the attempt
// is retired, and only it waits for it. Whoever else wants to finish, cancel,
// clean up or follow it up is busy while the runner lives, and holds the
// fence after its death. A lock says nothing about what was true before it
// was had: who has taken it looks again whether the attempt is still the
// current one and still its own.
package job
