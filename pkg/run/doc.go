// Package run is the step engine: it joins plan, ledger, checks, rollback and
// stash into the verbs of the design, sections 6 and 7: start, step, resume,
// status, brief, rollback. One type, [Engine]; its methods are the verbs.
//
// It believes the tree. Status is computed from git's objects and from checks
// that it ran itself; the private folder below the repository's common git
// folder only saves work and may be deleted at any moment.
//
// It reaches git through the small interfaces below, never starts git, and
// prints nothing: what there is to say goes out as values and through Notify.
package run
