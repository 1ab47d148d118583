// Package git is the only place that starts git. It offers typed calls by
// object (commits, refs, trees, the index, the working tree, remotes), typed
// errors, and two classes of child process:
//
//   - plumbing: reads, object and ref writes. Hardened: no hook, no editor, no
//     pager, no prompt, no replace objects, no grafts, literal pathspecs, the C locale and
//     every setting pinned that is known to change what we parse;
//   - porcelain: fetch, push, checkout and anything else that acts for the
//     person: their locale, hooks, filters, signing and credential helpers.
//
// It forces no push but by --force-with-lease with the value that was seen, never
// runs stash, clean, reset --hard, worktree add or prune, or gc, and decides by
// exit codes and a second question. Where git tells something in words alone,
// those of the C locale count: that it could not look somewhere (unread.go), why
// it finds no repository (discover.go).
//
//	repo, err := git.Open(ctx, git.Options{Dir: ".", Env: os.Environ()})
//	head, err := repo.Head(ctx)
package git
