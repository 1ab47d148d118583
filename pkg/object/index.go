package object

// IndexEntry is one entry of an index with what a tree cannot hold.
type IndexEntry struct {
	Entry
	Stage int // 0; 1 to 3 where the path is in conflict
	// AssumeUnchanged and SkipWorktree are the two flags of
	// git-update-index(1) that make git not look at the file.
	AssumeUnchanged, SkipWorktree bool
	// IntentToAdd: `git add -N`; the id is that of the empty blob and no tree
	// that is written from the index has the path.
	IntentToAdd bool
}
