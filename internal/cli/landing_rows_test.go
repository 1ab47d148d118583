package cli

// landingRow is something that became of a run's landing, as sh in a clone that
// stands on main, and the verdict that has to follow.
type landingRow struct {
	name  string
	world string // certified, or landed by ff, merge or squash
	then  string
	token string
	how   string
	says  string // a regular expression of the text
}

// landingWords are sh functions: squash makes one commit on main of everything
// between two revisions, with a message; shove is somebody else's push.
const landingWords = `
git config advice.skippedCherryPicks false
base=$(git log -1 --format='%(trailers:key=Agent-Base,valueonly)' $(git rev-list --max-parents=0 refs/agent/r-1) | tr -d '\n')
run=$(git rev-parse refs/heads/agent-run/r-1)
cert() { git log --format=%H -1 --grep "^Agent-Step: $1" $run; }
shove() { git push -q --force origin main; }
other() { echo "$1" > "$2"; git add "$2"; git commit -q -m "other $2"; }
squash() { git diff --binary $1 $2 | git apply --index; git commit -q -m "$3"; }
forge() { # a forge's squash: subjects and bodies as lines, its own paragraph below
	git log --reverse --format='* %s%n%n%b' $base..$run > ../message
	printf -- '---------\n\nCo-authored-by: Somebody <s@example.org>\n' >> ../message
	git diff --binary $base $run | git apply --index; git commit -q -F ../message
}
`

var landingRows = []landingRow{
	{name: "certified, not landed", world: "certified", then: ":", token: "dispatch", says: "still to be done"},
	{name: "landed by `land`, fast-forward", world: "ff", then: ":", token: "already-landed", how: "marker"},
	{name: "landed by `land --mode merge`", world: "merge", then: ":", token: "already-landed", how: "marker"},
	{name: "landed by `land --mode squash`", world: "squash", then: ":", token: "already-landed", how: "marker"},
	{name: "… and the target was rebased", world: "ff", then: "git checkout -q -b x $base; other y below; git rebase -q --onto x $base main; shove", token: "landed-marker-stale", how: "not-ancestor", says: "the change is there as"},
	{name: "… and the landing reverted, commit by commit", world: "ff", then: "git revert --no-edit $base..main > ../log; shove", token: "landed-marker-stale", how: "reverted"},
	{name: "… and one step of it reverted", world: "ff", then: "git revert --no-edit $(cert s02) > ../log; shove", token: "landed-marker-stale", how: "reverted"},
	{name: "… and the merge reverted", world: "merge", then: "git revert --no-edit -m 1 main > ../log; shove", token: "landed-marker-stale", how: "reverted"},
	{name: "… and the squash reverted", world: "squash", then: "git revert --no-edit main > ../log; shove", token: "landed-marker-stale", how: "reverted"},
	{name: "… and reverted together with other work", world: "ff", then: "git revert --no-commit main; echo x > README; git add README; git commit -q --no-edit; shove", token: "landed-marker-stale", how: "reverted"},
	{name: "… and taken back by a commit that does not say so", world: "squash", then: "squash main main~1 'Take it back (#8)'; shove", token: "landed-marker-stale", how: "reverted"},
	{name: "… and the revert reverted", world: "squash", then: "git revert --no-edit main > ../log; git revert --no-edit main >> ../log; shove", token: "already-landed", how: "marker"},
	{name: "… and the revert of the merge reverted", world: "merge", then: "git revert --no-edit -m 1 main > ../log; git revert --no-edit main >> ../log; shove", token: "already-landed", how: "marker"},
	{name: "… and reverted on a branch that was merged without the revert (`-s ours`)", world: "ff", then: "git checkout -q -b rv; git revert --no-edit main > ../log; git checkout -q main; git merge -q --no-edit -s ours rv; shove", token: "already-landed", how: "marker"},
	{name: "… and one step reverted, and made again by hand", world: "squash", then: "git show main:a/s02.txt > ../s02; git rm -q a/s02.txt; git commit -q -m 'Drop it' -m \"This reverts commit $(git rev-parse main).\"; cp ../s02 a/s02.txt; git add a; git commit -q -m 'and again'; shove", token: "already-landed", how: "marker"},
	{name: "… and what it made was renamed, and removed later", world: "ff", then: "mkdir b; git mv a/s02.txt b; git commit -q -m move; git rm -q b/s02.txt; git commit -q -m away; shove", token: "already-landed", how: "marker"},
	{name: "… and the target moved on over the same file", world: "ff", then: "other done1-and-more a/s01.txt; other x README; shove", token: "already-landed", how: "marker"},
	{name: "… and the run's branch was deleted", world: "squash", then: "git push -q origin :agent-run/r-1; git branch -q -D agent-run/r-1; git update-ref -d refs/agent-remote/origin/branch/r-1", token: "already-landed", how: "marker"},
	{name: "… and the run's branch advanced, two commits", world: "ff", then: "git checkout -q agent-run/r-1; other more a/s01.txt; other fix a/s02.txt; git push -q origin agent-run/r-1", token: "landed-marker-stale", how: "unexplained-commits", says: "went on after it landed: [0-9a-f]{10}, [0-9a-f]{10}"},
	{name: "… and a step was certified again", world: "squash", then: "git checkout -q agent-run/r-1; echo done1 better > a/s01.txt; git agent -q step s01 > ../log", token: "landed-marker-stale", how: "newer-records"},
	{name: "… and a check ran again, nothing changed", world: "squash", then: "git checkout -q agent-run/r-1; git agent -q step s01 --empty > ../log", token: "already-landed", how: "marker"},
	{name: "… and the marker is no marker", world: "ff", then: "git log -1 --format=%B refs/agent/r-1 | sed 's/landed /Landed /2; s/ on main/ at main/' > ../m; git push -q origin $(git commit-tree -p refs/agent/r-1 -F ../m refs/agent/r-1^{tree}):refs/agent/r-1", token: "unknown", how: "marker-unreadable"},
	{name: "a step was reverted and done again on the run's own branch, then landed", world: "certified", then: "git checkout -q agent-run/r-1; git revert --no-edit HEAD > ../log; git agent -q step s03 -- sh -c 'echo more >> a/one.txt; echo done3 > a/s03.txt' > ../log; git agent -q land > ../log; git checkout -q main; git pull -q", token: "already-landed", how: "marker"},
	{name: "pushed to the target by hand", world: "certified", then: "git merge -q --ff-only $run; shove", token: "already-landed", how: "ancestry"},
	{name: "merged by hand", world: "certified", then: "other x README; git merge -q --no-ff -m 'Merge pull request 7' $run; shove", token: "already-landed", how: "ancestry"},
	{name: "squashed in one commit, the forge's message", world: "certified", then: "other x README; forge; shove", token: "already-landed", how: "trailers"},
	{name: "squashed in one commit, `git merge --squash`", world: "certified", then: "other x README; git merge -q --squash $run > ../log; git commit -q --no-edit; shove", token: "already-landed", how: "trailers"},
	{name: "squashed in one commit, `message --squash`", world: "certified", then: "other x README; squash $base $run \"$(git agent message --squash r-1)\"; shove", token: "already-landed", how: "trailers"},
	{name: "squashed in one commit, empty body", world: "certified", then: "other x README; squash $base $run 'Write files (#7)'; shove", token: "already-landed", how: "patch-id"},
	{name: "squashed in one commit, empty body, target unmoved", world: "certified", then: "squash $base $run 'Write files (#7)'; shove", token: "already-landed", how: "tree"},
	{name: "squashed in one commit, target changed the same file", world: "certified", then: "sed -i 1s/1/first/ a/one.txt; git commit -qam lines; squash $base $run 'Write files (#7)'; shove", token: "already-landed", how: "patch-id"},
	{name: "squashed in three commits, empty bodies", world: "certified", then: "other x README; squash $base $(cert s01) one; squash $(cert s01) $(cert s02) two; squash $(cert s02) $run three; shove", token: "already-landed", how: "patch-id"},
	{name: "squashed in two commits, empty bodies", world: "certified", then: "other x README; squash $base $(cert s02) 'one and two'; squash $(cert s02) $run three; shove", token: "already-landed", how: "patch-id"},
	{name: "cherry-picked one by one", world: "certified", then: "other x README; git cherry-pick $base..$run > ../log; shove", token: "already-landed", how: "trailers"},
	{name: "rebased onto the target and pushed", world: "certified", then: "other x README; git checkout -q --detach $run; git rebase -q main; git push -q origin HEAD:main", token: "already-landed", how: "trailers"},
	{name: "only the first two cherry-picked", world: "certified", then: "git cherry-pick $base..$(cert s02) > ../log; other x README; shove", token: "dispatch"},
	{name: "only the first two cherry-picked, and one of them reverted", world: "certified", then: "git cherry-pick $base..$(cert s02) > ../log; git revert --no-edit HEAD > ../log; other x README; shove", token: "landed-marker-stale", how: "reverted"},
	{name: "squashed by hand, then reverted", world: "certified", then: "other x README; squash $base $run 'Write files (#7)'; git revert --no-edit main > ../log; shove", token: "landed-marker-stale", how: "reverted"},
	{name: "squashed by hand, then reverted on a branch that was merged without the revert", world: "certified", then: "other x README; squash $base $run 'Write files (#7)'; git checkout -q -b rv; git revert --no-edit main > ../log; git checkout -q main; git merge -q --no-edit -s ours rv; shove", token: "already-landed", how: "patch-id"},
	{name: "squashed by hand, then a step was certified again", world: "certified", then: "other x README; forge; shove; git checkout -q agent-run/r-1; echo done1 better > a/s01.txt; git agent -q step s01 > ../log", token: "landed-marker-stale", how: "newer-records"},
	{name: "only mentioned in the target", world: "certified", then: "other x README; git commit -q --allow-empty -m 'Explain runs' -m 'A certificate says Agent-Run: r-1 and Agent-Step: s01.'; shove", token: "dispatch"},
	{name: "part of it changed before it landed", world: "certified", then: "squash $base $run part; echo else > a/s03.txt; git commit -q -a --amend -m part; shove", token: "dispatch"},
	{name: "the branch deleted, no marker", world: "certified", then: "git push -q origin :agent-run/r-1; git branch -q -D agent-run/r-1; git update-ref -d refs/agent-remote/origin/branch/r-1", token: "unknown", how: "branch-gone"},
	{name: "the branch deleted, no marker, squashed with its evidence", world: "certified", then: "other x README; forge; shove; git push -q origin :agent-run/r-1; git branch -q -D agent-run/r-1; git update-ref -d refs/agent-remote/origin/branch/r-1", token: "already-landed", how: "trailers"},
	{name: "a shallow clone of depth 1", world: "squash", then: "cd ..; rm -rf work; git clone -q --depth 1 file://$W/work.git; cd work", token: "already-landed", how: "marker"},
	{name: "a shallow clone of depth 1, nothing landed", world: "certified", then: "other x README; other y README; shove; cd ..; rm -rf work; git clone -q --depth 1 file://$W/work.git; cd work", token: "dispatch"},
	{name: "the target gained more commits than are looked at", world: "certified", then: "for i in 1 2 3 4; do other $i README; done; shove; git config agent.preflightScan 3", token: "unknown", how: "truncated"},
	{name: "the search switched off", world: "ff", then: "other x README; shove; git config agent.preflightScan 0", token: "already-landed", how: "marker"},
	{name: "merged by hand, and the target renamed on the remote", world: "certified", then: "git merge -q --ff-only $run; shove; git --git-dir=../work.git branch -q -m main trunk", token: "unknown", how: "no-target"},
	{name: "the target not pushed yet, nor any branch but the run's", world: "certified", then: "git --git-dir=../work.git update-ref -d refs/heads/main", token: "dispatch"},
	{name: "the remote does not answer", world: "certified", then: "offline", token: "unknown", how: "no-answer"},
}
