package cli

// refusalPrelude are the words of the scenarios: sh functions, $W is the
// scenario's folder, the working tree is $W/work.
const refusalPrelude = `
repo() {
	git init -q -b main .
	mkdir -p a
	echo hello > README
	echo 1 > a/one.txt
	git add -A
	git commit -q -m base
	git init -q --bare -b main ../work.git
	git remote add origin "file://$W/work.git"
	git push -q -u origin main
	plan > ../plan.yaml
}
plan() {
	echo 'title: black box'
	for i in 1 2 3; do step $i; done | sed '1i steps:'
}
step() {
	echo "  - {id: s0$1, title: write file $1, touches: [a/s0$1.txt, a/new0$1], check: ['grep -q done$1 a/s0$1.txt']}"
}
begin() { repo; git agent -q start ../plan.yaml --run r-1 > ../log; }
one() { git agent -q step s01 -- sh -c 'echo done1 > a/s01.txt' > ../log; }
two() { git agent -q step s02 -- sh -c 'echo done2 > a/s02.txt' > ../log; }
three() { git agent -q step s03 -- sh -c 'echo done3 > a/s03.txt' > ../log; }
aside() { git clone -q "file://$W/work.git" ../aside; echo other > "../aside/$1"; git -C ../aside add .; git -C ../aside commit -q -m aside; git -C ../aside push -q origin HEAD:main; }
elsewhere() {
	git clone -q "file://$W/work.git" ../other
	cd ../other
	git agent -q resume r-1 --trust > ../log
}
home() { cd "$W/work"; }
offline() { git remote set-url origin "file://$W/nowhere.git"; }
`

// wrongAtFirst is an agent that needs three attempts.
const wrongAtFirst = `echo x >> ../tries; test $(wc -l < ../tries) -gt 2 && did=done${GIT_AGENT_STEP#s0}; echo ${did-wrong} > a/$GIT_AGENT_STEP.txt`

// unprovoked are the codes that no honest scenario reaches, each with why.
var unprovoked = map[string]string{
	"JOB_ALIVE":   "needs a process that survives SIGKILL",
	"DEMO":        "the demo's own surprise; its test is with the demo",
	"NOT_EMPTY":   "its hint plays the whole demo",
	"UNSUPPORTED": "Windows only",
}

var refusals = []refusal{
	{name: "unknown command", code: "USAGE", exit: 129, setup: "repo", do: "git agent stepp", says: `stepp`, hints: 1, leads: []int{1}},
	{name: "no such file", code: "USAGE", exit: 129, setup: "repo", do: "git agent start ../none.yaml", says: `none\.yaml`, hints: 1, leads: []int{1}},
	{name: "no folder to write in", code: "USAGE", exit: 129, setup: "begin", do: "git agent report --output ../none/report.md", says: `no folder ".*none" to write "report.md" in`, hints: 2, mends: []int{1}, leads: []int{2}},
	{name: "a check that kills its watcher", code: "UNKNOWN", exit: 7, setup: `repo; sed -i 's#grep -q done1#test -e ../once || { : > ../once; kill -9 $PPID; }; grep -q done1#' ../plan.yaml
		git agent -q start ../plan.yaml --run r-1 > ../log; echo done1 > a/s01.txt`,
		do: "git agent step s01", says: `the outcome is unknown`, hints: 2, leads: []int{1, 2}},
	{name: "run id", code: "USAGE", exit: 129, setup: "begin", do: "git agent status 'Bad Run'", says: `"Bad Run"`, hints: 1, leads: []int{1}},
	{name: "no id in the title", code: "USAGE", exit: 129, setup: `repo; sed -i 's/^title:.*/title: "!!!"/' ../plan.yaml`,
		do: "git agent start ../plan.yaml", says: `run ""`, hints: 1, leads: []int{1}},
	{name: "none here", code: "NO_RUN", exit: 128, setup: "repo", do: "git agent status", says: `no run here`, hints: 2, leads: []int{1, 2}},
	{name: "not this one, reading", code: "NO_RUN", exit: 128, setup: "repo", do: "git agent status r-9", says: `refs/agent/r-9`, hints: 1},
	{name: "not this one, anywhere", code: "NO_RUN", exit: 128, setup: "repo", do: "git agent resume r-9", says: `here or on "origin"`, hints: 2, leads: []int{1, 2}},
	{name: "several", code: "WHICH_RUN", exit: 129, setup: "begin; git checkout -q main; git agent -q start ../plan.yaml --run r-2 > ../log; git checkout -q main",
		do: "git agent status", says: `r-1, r-2`, hints: 1, leads: []int{1}},
	{name: "several", code: "WHICH_REMOTE", exit: 129, setup: "repo; git remote rename origin one; git remote add two ../work.git",
		do: "git agent start ../plan.yaml", says: `one.*two`, hints: 1, mends: []int{1}},
	{name: "no duration", code: "BAD_SETTING", exit: 129, setup: "repo; git config agent.leaseTTL abc; git config --global agent.stall 0", do: "git agent start ../plan.yaml",
		says: `agent\.stall is "0" \(file:.*config\), and takes a whole number from 1; nothing was done`, hints: 2},
	{name: "by itself", code: "BAD_SETTING", exit: 129, setup: "repo; git config agent.leaseTTL abc", do: "git agent start ../plan.yaml", says: `agent\.leaseTTL is "abc"`, hints: 1, mends: []int{1}},
	{name: "in it", code: "BARE", exit: 128, setup: "repo; rm -rf ../work; mv ../work.git ../work", do: "git agent start ../plan.yaml", says: `no working tree`, hints: 1, leads: []int{1}},
	{name: "none configured", code: "NO_IDENTITY", exit: 128, setup: "repo; git config user.useConfigOnly true",
		do:   "unset GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL; git agent start ../plan.yaml",
		says: `who commits`, hints: 2, mends: []int{0}},
	{name: "merge", code: "OPERATION", exit: 3, setup: "begin; git checkout -q -b x main; echo x > README; git commit -qam x; git checkout -q -; echo y > README; git commit -qam y; ! git merge -q x > ../log",
		do: "git agent resume", says: `a merge is under way`, hints: 2, leads: []int{1, 2}},
	{name: "bisect", code: "OPERATION", exit: 3, setup: "begin; git bisect start > ../log", do: "git agent resume", says: `a bisect is under way`, hints: 2, leads: []int{1}, mends: []int{2}},
	{name: "start", code: "PLAN_INVALID", exit: 129, setup: "repo; echo 'stepz: 1' >> ../plan.yaml", do: "git agent start ../plan.yaml", says: `plan\.yaml:6:1: `, hints: 1, leads: []int{1}},
	{name: "validate", code: "PLAN_INVALID", exit: 129, setup: "repo; echo 'stepz: 1' >> ../plan.yaml", do: "git agent plan validate ../plan.yaml", says: `plan\.yaml:6:1: `, hints: 1, leads: []int{1}},
	{name: "amend", code: "PLAN_INVALID", exit: 129, setup: "begin; echo 'stepz: 1' >> ../plan.yaml", do: "git agent plan amend r-1 ../plan.yaml", says: `plan\.yaml:6:1: `, hints: 1, leads: []int{1}},
	{name: "stored", code: "PLAN_INVALID", exit: 129, setup: `begin; blob=$(echo 'title: [' | git hash-object -w --stdin); tree=$(printf '100644 blob %s\tplan.yaml\n' $blob | git mktree)
		git update-ref refs/agent/r-1 $(git log -1 --format=%B refs/agent/r-1 | git commit-tree $tree)`,
		do: "git agent status", says: `plan\.yaml@v1`, hints: 2, leads: []int{1, 2}},
	{name: "another plan", code: "RUN_EXISTS", exit: 3, setup: "begin; sed -i 's/file 2/file two/' ../plan.yaml", do: "git agent start ../plan.yaml --run r-1",
		says: `"r-1" exists with another plan; nothing was changed`, hints: 3, leads: []int{1, 2, 3}},
	{name: "unborn", code: "NO_BASE", exit: 128, setup: "repo; rm -rf .git; git init -q -b main", do: "git agent start ../plan.yaml", says: `main has no commit`, hints: 1, mends: []int{1}},
	{name: "misspelt", code: "NO_BASE", exit: 128, setup: "repo", do: "git agent start ../plan.yaml --base mian", says: `"mian"`, hints: 2, leads: []int{1, 2}},
	{name: "a job left running", code: "RUN_BUSY", exit: 6, setup: "begin; git agent -q step s01 --detach -- sh -c 'echo done1 > a/s01.txt; exec sleep 6' > ../log",
		do: "git agent rollback s02", says: `still runs its job`, hints: 2, mends: []int{1}, leads: []int{2}},
	{name: "of a job", code: "OWNER_UNCLEAR", exit: 7, setup: `begin; git agent -q step s01 --detach -- sh -c 'echo done1 > a/s01.txt; exec sleep 60' > ../log
		until test -e a/s01.txt; do :; done; sed -i 's/pid:.[0-9]*/&9/' .git/agent/r-1/logs/s01-1-*/attempt.json`,
		do: "git agent resume", says: `cannot be told from here`, hints: 1, mends: []int{1}},
	{name: "at start", code: "DIRTY_TREE", exit: 3, setup: "repo; echo x >> README", do: "git agent start ../plan.yaml --run r-1", says: `README.*nothing was touched`, hints: 2, leads: []int{1}, mends: []int{2}},
	{name: "before the job", code: "DIRTY_TREE", exit: 3, setup: "begin; echo done1 > a/s01.txt", do: "git agent step s01 -- sh -c 'echo done1 > a/s01.txt'",
		says: `s01: a/s01.txt changed before the job ran; nothing was moved`, hints: 2, leads: []int{1}, mends: []int{2}},
	{name: "elsewhere before the job", code: "DIRTY_TREE", exit: 3, setup: "begin; echo x >> README; mkdir 'b c'; echo \"it's\" > \"b c/it's\"; git add .",
		do: "cd a && git agent step s01 -- sh -c 'echo done1 > a/s01.txt'", says: `README.*nothing was moved`, hints: 2, leads: []int{1}, mends: []int{2}},
	{name: "on another branch", code: "DIRTY_TREE", exit: 3, setup: "begin; git checkout -q main; echo x >> README", do: "git agent resume r-1", says: `README.*nothing was moved`, hints: 2, leads: []int{1}, mends: []int{2}},
	{name: "other working tree", code: "CHECKED_OUT", exit: 3, setup: "begin; git checkout -q main; git worktree add -q ../second agent-run/r-1", do: "git agent resume r-1", says: `working tree .*/second`, hints: 1, leads: []int{1}},
	{name: "step", code: "WRONG_BRANCH", exit: 3, setup: "begin; git checkout -q main", do: "git agent step s01 --run r-1 -- sh -c 'echo done1 > a/s01.txt'", says: `HEAD is on main`, hints: 1, mends: []int{1}},
	{name: "detached", code: "WRONG_BRANCH", exit: 3, setup: "begin; git checkout -q --detach", do: "git agent step s01 --run r-1 -- sh -c 'echo done1 > a/s01.txt'", says: `no branch \(detached at`, hints: 1, mends: []int{1}},
	{name: "rollback", code: "WRONG_BRANCH", exit: 3, setup: "begin; git checkout -q main", do: "git agent rollback s01 --run r-1", says: `HEAD is on main`, hints: 1, mends: []int{1}},
	{name: "file in the way", code: "WRONG_BRANCH", exit: 3, setup: "begin; one; git checkout -q main; echo mine > a/s01.txt", do: "git agent resume r-1", says: `a/s01\.txt|overwritten`, hints: 2, leads: []int{1}, mends: []int{2}},
	{name: "rewound under the step", code: "WRONG_BRANCH", exit: 3, setup: "begin; one; echo done2 > a/s02.txt", do: "DO_AT=row2 DO='git update-ref refs/heads/agent-run/r-1 HEAD~1' git agent step s02", says: `does not contain`, hints: 1},
	{name: "unknown", code: "NO_STEP", exit: 1, setup: "begin", do: "git agent step nope", says: `no step "nope"`, hints: 1, leads: []int{1}},
	{name: "later step", code: "NOT_NEXT", exit: 1, setup: "begin", do: "git agent step s02", says: `s02 is not next \(s01 is\)`, hints: 2, leads: []int{2}},
	{name: "with a job", code: "STRAYS", exit: 3, setup: "begin", do: "git agent step s01 -- sh -c 'echo done1 > a/s01.txt; echo x > README; echo y > new'", says: `README, new; nothing was moved`, hints: 3, leads: []int{1, 2, 3}},
	{name: "without", code: "STRAYS", exit: 3, setup: "begin; echo done1 > a/s01.txt; echo x > README", do: "git agent step s01", says: `README; nothing was moved`, hints: 3, leads: []int{1, 2, 3}},
	{name: "resume", code: "STRAYS", exit: 3, setup: "begin; echo done1 > a/s01.txt; echo x > README", do: "git agent resume", says: `README; nothing was moved`, hints: 3, leads: []int{1, 2, 3}},
	{name: "exact path", code: "IGNORED", exit: 3, setup: "begin; mkdir -p .git/info; echo /a/s01.txt > .git/info/exclude; echo done1 > a/s01.txt", do: "cd a; git agent step s01", says: `a/s01\.txt, which git ignores`, hints: 2, leads: []int{1, 2}},
	{name: "no operation", code: "UNMERGED", exit: 3, setup: `begin; echo 1 > a/s01.txt; h=$(git hash-object -w a/s01.txt)
		printf '100644 %s 1\ta/s01.txt\n100644 %s 2\ta/s01.txt\n' $h $h | git update-index --index-info`,
		do: "git agent step s01", says: `a/s01\.txt is unmerged; nothing was touched`, hints: 2, leads: []int{1, 2}},
	{name: "job did nothing", code: "NOTHING_CHANGED", exit: 1, setup: "begin", do: "git agent step s01 -- true", says: `nothing under its touches changed`, hints: 1},
	{name: "true of the base", code: "NOTHING_CHANGED", exit: 1, setup: "repo; sed -i 's/grep -q done1 [^ ]*/true/' ../plan.yaml; sed -i \"s/true/true']}/;s/']}'.*/']}/\" ../plan.yaml; git agent -q start ../plan.yaml --run r-1 > ../log",
		do: "git agent step s01", says: `nothing under its touches changed`, hints: 1, leads: []int{1}},
	{name: "with a job", code: "CHECK_FAILED", exit: 1, setup: "begin", do: "git agent step s01 -- sh -c 'echo half > a/s01.txt'", says: `ended with exit=1; nothing was certified and the work is still here`, hints: 2, leads: []int{2}},
	{name: "without", code: "CHECK_FAILED", exit: 1, setup: "begin; echo half > a/s01.txt", do: "git agent step s01", says: `ended with exit=1`, hints: 2, leads: []int{2}},
	{name: "edits a file", code: "CHECK_CHANGED", exit: 1, setup: "repo; sed -i 's/grep -q done1/echo x >> README; grep -q done1/' ../plan.yaml; git agent -q start ../plan.yaml --run r-1 > ../log; echo done1 > a/s01.txt",
		do: "git agent step s01", says: `the check changed README`, hints: 2, leads: []int{1}},
	{name: "detached", code: "COMMITS_IN_THE_WAY", exit: 3, setup: "begin; git checkout -q --detach; git commit -q --allow-empty -m mine; git rev-parse HEAD > ../mine", do: "git agent resume r-1",
		says: `no branch or other ref has`, hints: 1, mends: []int{1}, after: `git branch --contains $(cat ../mine) | grep -q kept-`},
	{name: "rollback", code: "COMMITS_IN_THE_WAY", exit: 3, setup: "begin; echo half > a/s01.txt; echo x > README; git add -A; git commit -q -m agent", do: "git agent rollback s01",
		says: `README; nothing was moved`, hints: 2, leads: []int{1, 2}},
	{name: "rollback", code: "CERTIFIED", exit: 3, setup: "begin; one", do: "git agent rollback s01", says: `certified by [0-9a-f]+; nothing was touched`, hints: 1, mends: []int{1}},
	{name: "rollback", code: "BUILT_UPON", exit: 3, setup: "begin; one; echo more >> a/s01.txt; git commit -qam more; git push -q origin HEAD", do: "cd a; git agent rollback s01 --yes", says: `a/s01\.txt too; nothing was touched`, hints: 1, leads: []int{1}},
	{name: "missing command", code: "ENVIRONMENT", exit: 3, setup: "repo; sed -i 's/grep -q done1/no-such-tool/' ../plan.yaml; git agent -q start ../plan.yaml --run r-1 > ../log; echo done1 > a/s01.txt",
		do: "git agent step s01", says: `command "no-such-tool" is not found; nothing was moved`, hints: 1},
	{name: "missing job", code: "ENVIRONMENT", exit: 3, setup: "begin", do: "git agent step s01 -- no-such-agent", says: `command "no-such-agent" is not found`, hints: 1, leads: []int{1}},
	{name: "fails on its own tree", code: "ENVIRONMENT", exit: 3, setup: "repo; sed -i 's/grep -q done1/test -e ..\\/tool \\&\\& grep -q done1/' ../plan.yaml; touch ../tool; git agent -q start ../plan.yaml --run r-1 > ../log; one; rm ../tool",
		do: "git agent resume --recheck", says: `and on the tree that it was certified on`, hints: 1},
	{name: "boundary fails too", code: "ENVIRONMENT", exit: 3, setup: "repo; sed -i 's/grep -q done1/test -e $W\\/tool \\&\\& grep -q done1/' ../plan.yaml; touch ../tool; git agent -q start ../plan.yaml --run r-1 > ../log; one; rm ../tool .git/agent/r-1/local.json; echo half > a/s02.txt",
		do: "git agent resume", says: `everything was put back`, hints: 1},
	{name: "foreign commit", code: "REGRESSED", exit: 3, setup: "begin; one; echo bad > a/s01.txt; git commit -qam bad", do: "git agent resume", says: `s01 is regressed`, hints: 2, leads: []int{1}},
	{name: "one -m each", code: "EVIDENCE", exit: 3, setup: "begin; echo done1 > a/s01.txt; git add -A; git commit -q -m 's01: x' -m 'Agent-Run: r-1' -m 'Agent-Step: s01' -m 'Agent-Check: true exit=0 secs=1' -m 'Agent-Plan-Version: 1'; git push -q origin HEAD",
		do: "git agent resume", says: `evidence is present but cannot be used`, hints: 2, leads: []int{1, 2}},
	{name: "job calls resume", code: "RUN_BUSY", exit: 6, setup: "begin",
		do: `git agent -q step s01 -- sh -c 'git agent resume --json 2> $W/err > $W/out; echo $? > $W/rc; echo done1 > a/s01.txt' > ../log; cat ../err >&2; (exit $(cat ../rc)) # git agent status`, says: `another process is at work here`, hints: 1, leads: []int{1}},
	{name: "job calls another step", code: "RUN_BUSY", exit: 6, setup: "begin",
		do: `git agent -q step s01 -- sh -c 'git agent step s02 --json 2> $W/err > $W/out; echo $? > $W/rc; echo done1 > a/s01.txt' > ../log; cat ../err >&2; (exit $(cat ../rc)) # git agent status`, says: `this is its job`, hints: 1},
	{name: "check calls step", code: "RUN_BUSY", exit: 6, setup: "repo; sed -i 's/grep -q done1/git agent step --json 2> $W\\/err > $W\\/out; echo $? > $W\\/rc; grep -q done1/' ../plan.yaml; git agent -q start ../plan.yaml --run r-1 > ../log",
		do: `git agent -q step s01 -- sh -c 'echo done1 > a/s01.txt' > ../log; cat ../err >&2; (exit $(cat ../rc)) # git agent status`, says: `a check of step s01`, hints: 1, leads: []int{1}},
	{name: "old", code: "GIT_LOCKED", exit: 3, setup: "begin; touch -d '2 hours ago' .git/index.lock", do: "git agent resume", says: `index\.lock is there, made 2h`, hints: 1, mends: []int{1}},
	{name: "fresh", code: "GIT_LOCKED", exit: 3, setup: "begin; touch .git/HEAD.lock", do: "git agent resume", says: `HEAD\.lock is there`, hints: 1, mends: []int{1}},
	{name: "remote gone", code: "HISTORY_TRUNCATED", exit: 7, setup: `begin; one; two; cd ..; rm -rf work; git clone -q --depth 1 --branch agent-run/r-1 "file://$W/work.git"; cd work; git fetch -q origin refs/agent/r-1:refs/agent/r-1; offline`,
		do: "git agent status", says: `history truncated`, hints: 1},
	{name: "no remote", code: "HISTORY_TRUNCATED", exit: 7, setup: `begin; one; two; cd ..; rm -rf work; git clone -q --depth 1 --branch agent-run/r-1 "file://$W/work.git"; cd work; git fetch -q origin refs/agent/r-1:refs/agent/r-1; git remote remove origin`,
		do: "git agent status", says: `history truncated`, hints: 1, leads: []int{1}},
	{name: "SIGTERM", code: "INTERRUPTED", exit: 75, setup: "begin", do: `sh -c 'echo $$ > ../pid; exec git-agent step s01 --json -- sh -c "echo half > a/s01.txt; kill -TERM $(cat $W/pid); sleep 20"' # git agent status`, says: `interrupted`, hints: 1, leads: []int{1}},
	{name: "remote's commits", code: "IN_THE_WAY", exit: 3, setup: "begin; elsewhere; git agent -q step --stray include -- sh -c 'echo done1 > a/s01.txt; echo theirs > README' > ../log; home; echo mine > README",
		do: "git agent resume", says: `would overwrite`, hints: 2, leads: []int{1}, mends: []int{2}},
	{name: "ignored", code: "IN_THE_WAY", exit: 3, setup: "begin; elsewhere; one; home; mkdir -p .git/info; echo a/s01.txt > .git/info/exclude; echo mine > a/s01.txt",
		do: "git agent resume", says: `ignored path.*a/s01.txt; nothing was moved`, hints: 1, mends: []int{1}, after: `test "$(cat ../work-aside/a/s01.txt)" = mine`},
	{name: "undo", code: "IN_THE_WAY", exit: 3, setup: "begin; git agent -q step --stray include -- sh -c 'echo done1 > a/s01.txt; echo x > README' > ../log; echo mine > README",
		do: "git agent rollback s01 --yes", says: `undo step s01.*nothing was moved`, hints: 2, leads: []int{1}, mends: []int{2}},
	{name: "behind", code: "LOST", exit: 4, setup: "begin; elsewhere; one; home", do: "git agent step -- true", says: `moved on elsewhere.*nothing was pushed or undone`, hints: 1, leads: []int{1}},
	{name: "overtaken", code: "LOST", exit: 4, setup: "begin; elsewhere; one; home; git remote set-url --push origin ../other.git; cp -a ../work.git ../other.git; git -C ../work.git update-ref refs/heads/agent-run/r-1 refs/heads/main; echo done1 mine > a/s01.txt",
		do: "git remote set-url --push origin \"file://$W/work.git\"; DO_AT=row1 DO='cp -a ../other.git/. ../work.git/' git agent step s01", says: `moved on elsewhere`, hints: 1},
	{name: "both certified", code: "LOST", exit: 4, setup: "begin; elsewhere; one; home; echo done1 mine > a/s01.txt; url=$(git remote get-url origin); offline; git agent -q step s01 > ../log || test $? = 5; git remote set-url origin $url",
		do: "git agent resume", says: `1 certificates? of this clone`, hints: 2, leads: []int{1, 2}},
	{name: "no answer", code: "NOT_PUSHED", exit: 5, setup: "begin; offline; echo done1 > a/s01.txt", do: "git agent step s01", says: `certified here, not pushed to "origin"`, hints: 1},
	{name: "hook", code: "PUSH_REFUSED", exit: 3, setup: "begin; mkdir -p ../work.git/hooks; printf '#!/bin/sh\\nexit 1\\n' > ../work.git/hooks/pre-receive; chmod +x ../work.git/hooks/pre-receive", do: "git agent step s01 -- sh -c 'echo done1 > a/s01.txt'", says: `refuses it`, hints: 1},
	{name: "rev", code: "NO_RECORD", exit: 1, setup: "begin", do: "git agent rev s01", says: `"s01" has no certificate`, hints: 1, leads: []int{1}},
	{name: "show", code: "NO_VERSION", exit: 7, setup: "begin", do: "git agent plan show r-1 --plan-version 9", says: `no plan version 9, the newest is 1`, hints: 1, leads: []int{1}},
	{name: "amended twice", code: "PLAN_DIVERGED", exit: 3, setup: "begin; elsewhere; sed -i 's/file 2/theirs/' ../plan.yaml; git agent -q plan amend r-1 ../plan.yaml > ../log; home; sed -i 's/theirs/mine/' ../plan.yaml; offline; git agent -q plan amend r-1 ../plan.yaml > ../log || test $? = 5; git remote set-url origin \"file://$W/work.git\"",
		do: "git agent resume --trust", says: `neither contains the other`, hints: 2, leads: []int{1}, mends: []int{2}},
	{name: "amended meanwhile", code: "PLAN_MOVED", exit: 3, setup: "begin; elsewhere; sed -i 's/file 2/theirs/' ../plan.yaml; git agent -q plan amend r-1 ../plan.yaml > ../log; home; sed -i 's/theirs/mine/' ../plan.yaml",
		do: "git agent plan amend r-1 ../plan.yaml", says: `plan version 2 was made meanwhile`, hints: 1, mends: []int{1}},
	{name: "no plan in it", code: "PLAN_REF", exit: 7, setup: "begin; git update-ref --create-reflog refs/agent/r-1 HEAD", do: "git agent status", says: `refs/agent/r-1`, hints: 2, leads: []int{1, 2}},
	{name: "no file in it", code: "PLAN_REF", exit: 7, setup: "begin; git update-ref --create-reflog refs/agent/r-1 $(git log -1 --format=%B refs/agent/r-1 | git commit-tree HEAD^{tree})", do: "git agent status", says: `holds no plan\.yaml`, hints: 2, leads: []int{1, 2}},
	{name: "from the future", code: "PLAN_VERSION_UNKNOWN", exit: 7, setup: "begin; git agent -q step --no-push -- sh -c 'echo done1 > a/s01.txt' > ../log; git commit --amend -q -m \"$(git log -1 --format=%B | sed 's/Version: 1/Version: 9/')\"", do: "git agent resume --json # git agent status", says: `plan version 9`, hints: 1},
	{name: "mangled by git", code: "RECORD_UNREADABLE", exit: 7, setup: "begin; mkdir ../bin; real=$(command -v git); printf '#!/bin/sh\\ncase \"$*\" in *commit-tree*) sed s/Agent-Step/Agent-Stop/ | %s \"$@\";; *) exec %s \"$@\";; esac\\n' $real $real > ../bin/git; chmod +x ../bin/git; echo done1 > a/s01.txt",
		do: "PATH=$W/bin:$PATH; git-agent step s01", says: `does not read back`, hints: 1, leads: []int{1}},
	{name: "nested repository", code: "REFUSED", exit: 3, setup: "repo; sed -i 's|a/new01|\"b/**\"|' ../plan.yaml; git agent -q start ../plan.yaml --run r-1 > ../log; mkdir b; git init -q b/sub; git -C b/sub commit -q --allow-empty -m x; echo half > a/s01.txt",
		do: "cd a; git agent rollback s01", says: `repository of its own`, hints: 2, leads: []int{1}, mends: []int{2}},
	{name: "unknown ref", code: "STASH", exit: 1, setup: "begin", do: "git agent stash show r-1/s01/9", says: `refs/agent-stash/r-1/s01/9`, hints: 1, leads: []int{1}},
	{name: "no answer about a run", code: "UNKNOWN", exit: 7, setup: "repo; offline", do: "git agent resume r-1", says: `not here and remote "origin" did not answer`, hints: 1},
	{name: "fresh clone", code: "UNTRUSTED", exit: 3, setup: "begin; cd ..; rm -rf work home; mkdir home; git clone -q work.git work; cd work", do: "git agent resume r-1", says: `do not run before you said so`, hints: 2, mends: []int{1, 2}},
	{name: "other digest", code: "UNTRUSTED", exit: 3, setup: "begin; cd ..; rm -rf work home; mkdir home; git clone -q work.git work; cd work", do: "git agent resume r-1 --trust-plan sha256:00", says: `not sha256:00`, hints: 2, leads: []int{1, 2}},
	{name: "moved onto another history", code: "WRONG_BASE", exit: 3, setup: "begin; git update-ref refs/heads/agent-run/r-1 $(git commit-tree -m x HEAD^{tree})", do: "git agent status", says: `does not contain the run's base`, hints: 2, leads: []int{1, 2}},
	{name: "lost its .git", code: "WRONG_PLACE", exit: 3, setup: "begin; git checkout -q main; git worktree add -q inner agent-run/r-1; cd inner; git agent -q resume > ../../log; rm .git",
		do: "cd inner; git agent resume r-1", says: `inner was the run's working tree and is none any more`, hints: 1, leads: []int{1}},
	{name: "branch deleted", code: "BRANCH_GONE", exit: 7, setup: "begin; git push -q origin :agent-run/r-1; cd ..; rm -rf work; git clone -q work.git work; cd work", do: "git agent resume r-1 --trust", says: `whether it landed cannot be told`, hints: 1, leads: []int{1}},
	{name: "job switched", code: "BRANCH_LEFT", exit: 3, setup: "begin", do: "git agent step s01 -- sh -c 'git checkout -q -b mine; echo done1 > a/s01.txt; git add -A; git commit -q -m mine'", says: `left or rewrote`, hints: 2, leads: []int{1, 2}},
	{name: "no room beside", code: "CLONE", exit: 7, setup: "repo; touch ../file", do: "git agent start ../plan.yaml --worktree ../file/x", says: `file/x`, hints: 1},
	{name: "a part of this one", code: "CLONE", exit: 3, setup: "repo; mkdir inside", do: "git agent start ../plan.yaml --worktree inside", says: `inside" is there and is no clone.*nothing was started`, hints: 1, leads: []int{1}},
	{name: "broken settings", code: "SETUP", exit: 3, setup: "repo; mkdir ../home/.claude; echo '{' > ../home/.claude/settings.json", do: "git agent setup claude",
		says: `settings\.json:2:1: .*nothing was changed`, hints: 1},
	{name: "of another place", code: "SETUP", exit: 3, setup: "repo", do: "git agent setup copilot --user", says: `copilot has no place`, hints: 1, leads: []int{1}},
	{name: "a stale lock", code: "DOCTOR", exit: 1, setup: "begin; touch -d '2 hours ago' .git/index.lock", do: "git agent doctor", says: `wrong here`, hints: 1, mends: []int{1}},
	{name: "elsewhere", code: "CANCELLED", exit: 3, setup: `begin; one; git fetch -q origin refs/agent-lease/r-1; lease=$(git log -1 --format=%B FETCH_HEAD | sed 's/released/cancelled/; s/Epoch: .*/Epoch: 9/' | git commit-tree FETCH_HEAD^{tree})
		git push -q -f origin $lease:refs/agent-lease/r-1`,
		do: "git agent step s02 -- sh -c 'echo done2 > a/s02.txt'", says: `was cancelled.*nothing was done`, hints: 1, leads: []int{1}},
	{name: "outside", code: "NOT_A_REPOSITORY", exit: 128, setup: "repo; rm -rf .git", do: "git agent status", says: `not a git repository`, hints: 1, leads: []int{1}},
	{name: "git of long ago", code: "GIT_TOO_OLD", exit: 128, setup: "repo; mkdir ../bin; printf '#!/bin/sh\\ncase \"$*\" in *version*) echo git version 2.20.1;; *rev-parse*) printf \"%%s\\\\n\" \"$@\";; *) exit 129;; esac\\n' > ../bin/git; chmod +x ../bin/git",
		do: "PATH=$W/bin:$PATH git-agent status --json # git agent status", says: `2\.20\.1`, hints: 1},
	{name: "between checks and certificate", code: "MOVED", exit: 4, setup: "begin; echo done1 > a/s01.txt", do: "DO_AT=row8 DO='git update-ref refs/heads/agent-run/r-1 $(git commit-tree -p HEAD -m x HEAD^{tree})' git agent step s01", says: `has moved`, hints: 1},
	{name: "no terminal", code: "NO_TERMINAL", exit: 129, setup: "begin", do: "setsid -w git agent step s01 --tty -- true", says: `no terminal to hand over.*nothing was begun`, hints: 1, leads: []int{1}},
	{name: "of nobody", code: "NO_TRUST", exit: 1, setup: "begin", do: "git agent trust revoke r-9", says: `"r-9"`, hints: 1, leads: []int{1}},
	{name: "one -m each", code: "BAD_EVIDENCE", exit: 1, setup: "begin; echo done1 > a/s01.txt; git add -A; git commit -q -m 's01: x' -m 'Agent-Run: r-1' -m 'Agent-Step: s01' -m 'Agent-Check: true exit=0 secs=1' -m 'Agent-Plan-Version: 1'",
		do: "git agent verify", says: `1 commit that must not pass`, hints: 1, leads: []int{1}},
	{name: "no lease", code: "LEASE_UNREADABLE", exit: 7, setup: "begin; git push -q -f origin $(git commit-tree -m x HEAD^{tree}):refs/agent-lease/r-1", do: "git agent step s01 -- sh -c 'echo done1 > a/s01.txt'",
		says: `who holds run r-1 cannot be told`, hints: 2, leads: []int{1}, mends: []int{2}},
	{name: "edited since", code: "HOOK", exit: 3, setup: "begin; git agent hooks install pre-push > ../log; echo true >> .git/hooks/pre-push", do: "git agent hooks install pre-push", says: `edited since`, hints: 1, mends: []int{1}},
	{name: "nobody to do it", code: "NO_AGENT", exit: 3, setup: "begin", do: "git agent run", says: "step s01 has no `do` in the plan", hints: 2, leads: []int{2}},
	{name: "twice", code: "ATTEMPTS_SPENT", exit: 3, setup: "begin; git config agent.command '" + wrongAtFirst + "'", do: "git agent run --max-attempts 2", says: `step s01: 2 of 2 attempts failed`,
		hints: 4, leads: []int{1, 2, 3}, mends: []int{4}},
	{name: "three times the same", code: "STALLED", exit: 3, setup: "begin; git config agent.stall 2; git config agent.command '" + wrongAtFirst + "'", do: "git agent run", says: `step s01: the last 2 attempts left the same tree`,
		hints: 4, leads: []int{1, 2, 3}, mends: []int{4}},
	{name: "a slow agent", code: "BUDGET_SPENT", exit: 75, setup: "begin; git config agent.command 'test -e ../go || exec sleep 60; echo done${GIT_AGENT_STEP#s0} > a/$GIT_AGENT_STEP.txt'",
		do: "git agent run --budget-time 500ms; code=$?; : > ../go; exit $code", says: `500ms of --budget-time are over`, hints: 1, leads: []int{1}},
	{name: "none to ask", code: "NO_REMOTE", exit: 1, setup: "begin; git remote remove origin", do: "git agent runs --remote", says: `no remote to ask`, hints: 1, leads: []int{1}},
	{name: "away", code: "NO_ANSWER", exit: 7, setup: "begin; offline", do: "git agent runs --remote", says: `"origin" did not answer`, hints: 1},
	{name: "no space", code: "NOT_PRESERVED", exit: 7, setup: "begin; for i in $(seq 40); do echo half$i >> a/s01.txt; done; head -c 300000 /dev/urandom > a/new01", do: "ulimit -f 64; git agent rollback s01", says: `nothing was moved`, hints: 2, leads: []int{2}},
	{name: "while it worked", code: "CANCELLED", exit: 3, setup: "begin",
		do: "git agent step s01 -- sh -c 'echo half > a/s01.txt; env -u GIT_AGENT_ATTEMPT git agent cancel > /dev/null; sleep 5'", says: `attempt 1 of step s01 was ended and nothing recorded`, hints: 2, leads: []int{1, 2}},
	{name: "nobody at it", code: "NOT_AT_WORK", exit: 1, setup: "begin", do: "git agent cancel s01", says: `nobody is at work on step s01; nothing was cancelled`, hints: 2, leads: []int{1, 2}},
	{name: "ended first", code: "CANCEL_TOO_LATE", exit: 1, setup: "begin",
		do: `g=git; ($g agent -q step s01 -- sh -c 'echo done1 > a/s01.txt; : > ../up; until test -e ../go; do sleep 0.02; done' > ../log 2>&1; : > ../over) &
		until test -e ../up; do sleep 0.02; done; DO_AT=cancel-looked DO=': > ../go; until test -e ../over; do sleep 0.02; done' git agent cancel s01`, says: `ended before the cancel was accepted; nothing was cancelled`, hints: 1, leads: []int{1}},
	{name: "nothing to follow up", code: "NO_ATTEMPT", exit: 1, setup: "begin", do: "git agent say 'do it well'", says: `nothing to follow up`, hints: 1, leads: []int{1}},
	{name: "nothing was made here", code: "NO_LOG", exit: 1, setup: "begin", do: "git agent logs", says: `no attempt of run r-1 was made in this clone, so there is no log of it here`, hints: 2, leads: []int{1, 2}},
	{name: "no job", code: "NO_LOG", exit: 1, setup: "begin; echo done1 > a/s01.txt; git agent -q step > ../log", do: "git agent logs s01", says: `had no job`, hints: 2, leads: []int{1, 2}},
	{name: "another byte", code: "LOG_DAMAGED", exit: 7, setup: "begin; one; chmod u+w .git/agent/r-1/logs/*/job.index; printf X | dd of=$(echo .git/agent/r-1/logs/*/job.index) bs=1 seek=40 conv=notrunc 2> ../log", do: "git agent logs s01", says: `job.index" is damaged at offset 0.*nothing was changed`, hints: 1, leads: []int{1}},
	{name: "no index, one stream", code: "LOG_CHECKPOINT_MISSING", exit: 7, setup: "begin; git agent -q step s01 -- sh -c 'echo hello; echo done1 > a/s01.txt' > ../log; rm .git/agent/r-1/logs/*/job.index", do: "git agent logs s01 --stderr", says: `has no index`, hints: 1, leads: []int{1}},
	{name: "no index, followed", code: "LOG_COMPLETION_UNKNOWN", exit: 7, setup: "begin; git agent -q step s01 -- sh -c 'echo hello; echo done1 > a/s01.txt' > ../log; rm .git/agent/r-1/logs/*/job.index", do: "git agent logs s01 -f", says: `whether log .* is complete is unknown`, hints: 1, leads: []int{1}},
	{name: "now and then", code: "FLAKY", exit: 1, setup: "repo; sed -i 's/grep -q done1/echo x >> $W\\/ran; test $(( $(wc -l < $W\\/ran) % 2 )) = 0 \\&\\& grep -q done1/' ../plan.yaml; git agent -q start ../plan.yaml --run r-1 > ../log; echo done1 > a/s01.txt",
		do: "git agent check s01 --repeat 4", says: `pass 2 times of 4 on one tree`, hints: 1},
	{name: "judged alone", code: "CHECK_FAILED", exit: 1, setup: "begin", do: "git agent check s01", says: `its checks do not pass`, hints: 1, leads: []int{1}},
	{name: "judged alone", code: "CHECK_CHANGED", exit: 1, setup: "repo; sed -i 's/grep -q done1/echo x >> README; grep -q done1/' ../plan.yaml; git agent -q start ../plan.yaml --run r-1 > ../log; echo done1 > a/s01.txt",
		do: "git agent check s01", says: `the check changed README`, hints: 2, leads: []int{1}},
	{name: "judged alone", code: "ENVIRONMENT", exit: 3, setup: "repo; sed -i 's/grep -q done1/no-such-tool/' ../plan.yaml; git agent -q start ../plan.yaml --run r-1 > ../log; echo done1 > a/s01.txt",
		do: "git agent check s01", says: `command "no-such-tool" is not found; nothing was moved`, hints: 1},
	{name: "no strace", code: "ENVIRONMENT", exit: 3, setup: "begin; echo done1 > a/s01.txt; mkdir ../bin; for t in sh git git-agent grep; do ln -s $(command -v $t) ../bin/; done",
		do: "PATH=$W/bin git agent check s01 --trace", says: `needs strace, which is not here: install the package strace`, hints: 1, leads: []int{1}},
	{name: "nothing left to do", code: "NO_STEP", exit: 1, setup: "begin; one; two; git agent -q step s03 -- sh -c 'echo done3 > a/s03.txt' > ../log", do: "git agent check", says: `every step of run r-1 is certified`, hints: 1, leads: []int{1}},
	{name: "check calls check", code: "RUN_BUSY", exit: 6, setup: "begin", do: "GIT_AGENT_CHECK=1 git agent check s01", says: `a check cannot call git agent check`, hints: 1, leads: []int{1}},
	{name: "broken above it", code: "AUDIT", exit: 1, setup: "begin; one; echo bad > a/s01.txt; git commit -qam bad", do: "git agent audit", says: `does not hold: one finding; nothing was moved`, hints: 2, leads: []int{1}},
	{name: "nothing to audit", code: "NO_RECORD", exit: 1, setup: "begin", do: "git agent audit", says: `no certificate yet`, hints: 1, leads: []int{1}},
	{name: "audited onto nothing", code: "NO_BASE", exit: 128, setup: "begin; one", do: "git agent audit --onto nowhere", says: `--onto "nowhere"`, hints: 1, leads: []int{1}},
	{name: "audited without a tool", code: "ENVIRONMENT", exit: 3, setup: "repo; mkdir ../bin; ln -s $(command -v grep) ../bin/mygrep; sed -i 's/grep -q done1/mygrep -q done1/' ../plan.yaml; git agent -q start ../plan.yaml --run r-1 > ../log; PATH=$W/bin:$PATH; one",
		do: "git agent audit", says: `could not be judged here`, hints: 1},
	{name: "branch not made", code: "BRANCH_GONE", exit: 7, setup: "begin; git push -q origin :agent-run/r-1; git checkout -q main; git branch -q -D agent-run/r-1", do: "git agent audit r-1", says: `neither here nor on the remote`, hints: 1},
	{name: "an older version's commands", code: "UNTRUSTED", exit: 3, setup: "begin; one; sed -i 's/grep -q done1/grep done1/' ../plan.yaml; git agent -q plan amend r-1 ../plan.yaml > ../log; two; cd ..; rm -rf work home; mkdir home; git clone -q work.git work; cd work; git agent -q trust r-1 > ../log",
		do: "git agent audit r-1", says: `plan version 1, by which a step was certified`, hints: 1, mends: []int{1}},
	{name: "a file's commands", code: "UNTRUSTED", exit: 3, setup: "repo", do: "git agent plan lint ../plan.yaml --run-checks", says: `would run the commands of this file`, hints: 1, leads: []int{1}},
	{name: "something", code: "LINT", exit: 1, setup: "repo; sed -i 's/grep -q done1 [^ ]*.txt/curl https:\\/\\/example.org/' ../plan.yaml", do: "git agent plan lint ../plan.yaml --allow no-timeout", says: `1 finding in`, hints: 1},
	{name: "a code that is none", code: "USAGE", exit: 129, setup: "repo", do: "git agent plan lint ../plan.yaml --allow nonsense", says: `no finding "nonsense"`, hints: 1, leads: []int{1}},
	{name: "not valid", code: "PLAN_INVALID", exit: 129, setup: "repo; echo 'stepz: 1' >> ../plan.yaml", do: "git agent plan lint ../plan.yaml", says: `plan\.yaml:6:1: `, hints: 1, leads: []int{1}},
	{name: "prose", code: "NO_STEPS", exit: 1, setup: "repo; echo 'Just prose.' > ../notes.md", do: "git agent plan import ../notes.md", says: `nothing in the text looks like a step`, hints: 1, leads: []int{1}},
	{name: "reverted since", code: "LANDED_MARKER_STALE", exit: 3, setup: "begin; one; two; three; git agent -q land --onto main > ../log; git checkout -q main; git pull -q; git revert --no-edit HEAD > ../log; git push -q origin main; git checkout -q -",
		do: "git agent land --onto main", says: `took it back \(reverted\); nothing was done, and nothing is built again`, hints: 3, leads: []int{1}},
	{name: "remote away", code: "PREFLIGHT_UNKNOWN", exit: 7, setup: "begin; one; two; three; git agent -q land --onto main > ../log; git log -1 --format=%B refs/agent/r-1 | sed 's/ on main/ at main/' > ../m; git push -q origin $(git commit-tree -p refs/agent/r-1 -F ../m refs/agent/r-1^{tree}):refs/agent/r-1",
		do: "git agent land --onto main", says: `whether it landed cannot be told`, hints: 1},
	{name: "a step is missing", code: "NOT_CERTIFIED", exit: 1, setup: "begin; one", do: "git agent land --onto main", says: `s02 cannot land: it has no certificate; nothing was landed`, hints: 1, leads: []int{1}},
	{name: "nobody said where", code: "NO_TARGET", exit: 129, setup: "begin; one; two; three", do: "git agent land", says: `nothing was done`, hints: 1, leads: []int{1}},
	{name: "no such branch", code: "NO_TARGET", exit: 129, setup: "begin; one; two; three", do: "git agent land --onto mian", says: `no branch "mian" on "origin"`, hints: 2, leads: []int{1, 2}},
	{name: "never pushed", code: "NO_TARGET", exit: 129, setup: "begin; one; two; three; git branch here main", do: "git agent land --onto here", says: `no branch "here" on "origin"`, hints: 1, leads: []int{1}},
	{name: "the plan's branch renamed", code: "NO_TARGET", exit: 129, setup: "begin; one; two; three; echo 'target: main' >> ../plan.yaml; git agent -q plan amend r-1 ../plan.yaml > ../log; git branch -q -D main; git --git-dir=../work.git branch -m main trunk", do: "git agent land",
		says: `no branch "main" on "origin"`, hints: 2, leads: []int{1, 2}},
	{name: "the target moved on", code: "NOT_FAST_FORWARD", exit: 1, setup: "begin; one; two; three; aside x", do: "git agent land --onto main --mode ff", says: `cannot be fast-forwarded; nothing was landed`, hints: 2, leads: []int{1, 2}},
	{name: "the same lines", code: "CONFLICT", exit: 3, setup: "begin; one; two; three; aside a/s01.txt", do: "git agent land --onto main", says: `a/s01\.txt; nothing was landed and nothing was moved`, hints: 2, leads: []int{1}},
	{name: "no command for it", code: "NO_FORGE", exit: 3, setup: "begin; one; two; three", do: "git agent land --onto main --mode pr", says: `no pull request was opened: agent\.forge names no command`, hints: 2, leads: []int{1, 2}},
	{name: "the repository's command for it", code: "NO_FORGE", exit: 3, setup: "begin; one; two; three; git config agent.forge 'touch ../forged'", do: "git agent land --onto main --mode pr",
		says: `in the repository's own configuration, which decides nothing: "touch \.\./forged"`, hints: 2, leads: []int{1, 2}},
	{name: "more on the branch", code: "HOLDS_MORE", exit: 1, setup: "begin; one; two; git config --global agent.forge 'test $GIT_AGENT_FORGE_OP = list-prs || echo \"{\\\"number\\\":1}\"'", do: "git agent land --onto main --mode pr --through s01",
		says: `holds the whole branch agent-run/r-1, on which s02 is certified above s01; nothing was opened`, hints: 1, leads: []int{1}},
	{name: "its command fails", code: "FORGE", exit: 7, setup: "begin; one; two; three; git config --global agent.forge 'echo no network >&2; false'", do: "git agent land --onto main --mode pr", says: `no network`, hints: 1},
}
