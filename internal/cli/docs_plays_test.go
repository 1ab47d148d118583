package cli

// readmeMarks name the test that takes the README's blocks of a mark.
var readmeMarks = map[string]string{
	"demo":       "TestReadme_demoIsReal",
	"run: quick": "TestReadme_blocksRun",
	"run: fresh": "TestReadme_blocksRun",
	"run: loop":  "TestReadme_loop",
}

// goStub is go for a play where compiling is not the point: `go build -o FILE`
// yields this very program, `go test` looks whether package and test are there.
const goStub = `cat > ../bin/go <<'END'
#!/bin/sh
set -e
case $1 in
build) cp "$(command -v git-agent)" dist/git-agent ;;
test)
	cd "$ROOT/$2"
	test $# -lt 4 || { name=${4#*/^}; name=${name%%[!A-Za-z_]*}; grep -qr "func $name\|$name" --include="*_test.go" . || test -e "testdata/script/$name.txtar"; }
	;;
*) exit 1 ;;
esac
END
chmod +x ../bin/go; `

// makeDry is for targets that take minutes: whether they are there.
const makeDry = "ln -s \"$ROOT/Makefile\" \"$ROOT/.ci\" .; "

// run4471 is a run under the name that the pages about evidence use.
const run4471 = "repo; git agent -q start ../plan.yaml --run r-4471 > ../log; one; two"

// itemRun answers issue 15 and is certified whole.
const itemRun = `repo; sed -i '1i target: main' ../plan.yaml; sed -i 's/{id: s01/&, item: "15"/' ../plan.yaml
git agent -q start ../plan.yaml --run r-1 > ../log; one; two; three
`

// docPlays are the plays of all blocks but those of the README that are marked.
var docPlays = map[string]docPlay{
	"README.md: go run ./cmd/git-agent demo": {by: "TestReadme_demoIsReal"},
	"README.md: make install": {needs: "make", setup: goStub + "ln -s \"$ROOT/Makefile\" .; mkdir dist", with: []string{"make install", "make install PREFIX=$W/local"},
		after: "test -s ../local/share/man/man1/git-agent.1 -a -s ../local/share/bash-completion/completions/git-agent; ../local/bin/git-agent version"},

	"CONTRIBUTING.md: make build":                                {needs: "make", setup: makeDry, with: []string{"make ", "make -n "}},
	"CONTRIBUTING.md: go test ./pkg/reconcile":                   {setup: goStub},
	"CONTRIBUTING.md: make fuzz PKG=./pkg/trailers FUZZTIME=30s": {needs: "make", setup: makeDry, with: []string{"make ", "make -n "}},

	"docs/first-run.md: $ git agent plan new \"Explain the change\" >../plan.yaml":               {by: "TestFirstRun_transcript"},
	"docs/first-run.md: $ \"${EDITOR:-vi}\" ../plan.yaml":                                        {by: "TestFirstRun_transcript"},
	"docs/first-run.md: $ git agent start ../plan.yaml":                                          {by: "TestFirstRun_transcript"},
	"docs/first-run.md: $ git agent step -- sh -c 'echo \"What this change is for.\" >NOTES.md'": {by: "TestFirstRun_transcript"},
	"docs/first-run.md: $ git agent resume":                                                      {by: "TestFirstRun_transcript"},
	"docs/first-run.md: $ git log -1 --format=%B":                                                {by: "TestFirstRun_transcript"},
	"docs/configuration.md: git config agent.remote origin":                                      {by: "TestMan_examplesRun"}, // made from that page
	"docs/img/report.md: git agent status auth --remote":                                         {by: "TestScreens"},

	"docs/agents.md: git agent setup claude": {setup: "begin", after: "test ! -e ../home/.claude/settings.json || ! grep -q git-agent ../home/.claude/settings.json"},
	"docs/agents.md: AIDER='aider --yes --no-auto-commits --read \"$GIT_AGENT_BRIEF\" --message-file \"$GIT_AGENT_BRIEF\"'": {setup: `begin
cat > ../bin/aider <<'END'
#!/bin/sh
test "$3" = --read && grep -q 'write file 1' "$4" && test "$5" = --message-file -a -s "$6" && echo done1 > a/s01.txt
END
chmod +x ../bin/aider`, after: "git agent status --json | grep -q '\"next\":\"s02\"'"},

	"docs/fleet.md: install -D contrib/fleet/worker contrib/fleet/systemd/start-runs -t /usr/local/libexec/git-agent/": {
		needs: "install", setup: `ln -s "$ROOT/contrib" .; mkdir -p ../etc
printf '#!/bin/sh\ncase $* in daemon-reload) ;; *) for unit; do :; done; test -e "$W/etc/$unit"; esac\n' > ../bin/systemctl; chmod +x ../bin/systemctl`,
		with:  []string{"/usr/local/libexec", "$W/libexec", "/etc/systemd/system", "$W/etc"},
		after: "test -x ../libexec/git-agent/worker; grep -ho '/usr/local/libexec/git-agent/[a-z-]*' ../etc/* | while read -r f; do test -x \"$W${f#/usr/local}\"; done"},

	"docs/forges.md: git agent land --mode pr":                                      {setup: itemRun + aForge, after: "git log --format=%B refs/agent/r-1 | grep -q '^Agent-Opened: opened PR #7'"},
	"docs/forges.md: git config --global agent.forge /path/to/contrib/forge/github": {setup: "repo", with: []string{"/path/to", "$ROOT"}, after: "test -x \"$(git config agent.forge)\""},
	"docs/forges.md: $ echo '{\"format\":1,\"op\":\"item-state\",\"run\":\"r-1\",\"remote\":\"git@forge.example:o/r.git\",\"item\":\"15\"}' | my-forge": {setup: "repo; " + aForge},

	"docs/hooks.md: git agent hooks install": {setup: "begin", after: "test ! -e .git/hooks/pre-push -a ! -e .git/hooks/commit-msg"},
	"docs/hooks.md: git agent verify":        {setup: run4471},

	"docs/judging.md: $ git agent check s02 --repeat 20": {setup: wordsRun},
	"docs/judging.md: $ git agent audit":                 {setup: wordsRun},

	"docs/landing.md: git agent preflight [<run> | --item <key>]": {why: "a synopsis; TestDocs_inlineCommandsExist looks at its commands and flags"},
	"docs/recovery.md: git agent resume <run>":                    {setup: "begin; git config agent.command 'echo done${GIT_AGENT_STEP#s0} > a/$GIT_AGENT_STEP.txt'", after: "git agent status --exit-status"},
	"docs/recovery.md: git update-ref refs/agent-stash/<run>/<step>/1 <id>": {
		setup: "begin; echo half > a/s01.txt; git agent -q rollback s01 > ../log; git agent step s01 -- sh -c 'echo done1 > a/s01.txt' 2> ../said > ../log",
		with:  []string{"<step>", "s01", "<id>", `$(sed -n 's/.*dropped .*(was \(.*\))/\1/p' ../said)`},
		after: "git agent stash show r-1/s01/1 --patch | grep -q '^+half'; git stash show -p -u 'stash@{0}' | grep -q '^+half'"},
	"docs/trailers.md: git log --first-parent --reverse \\":                    {setup: run4471},
	"man/git-agent-trailers.5: git log --first-parent --reverse \\":            {setup: run4471},
	"man/gitagent-recovery.7: git agent resume <run>":                          {setup: itemRun, with: []string{"<key>", "16"}},
	"man/git-agent.1: git agent plan new \"Explain the change\" >../plan.yaml": {setup: "repo; rm ../plan.yaml", after: "git agent status --exit-status"},

	"contrib/agents/plugins/git-agent/README.md: claude plugin marketplace add ./contrib/agents": {why: "needs Claude Code; make e2e-agents does it"},
	"contrib/agents/plugins/git-agent/README.md: codex plugin marketplace add ./contrib/agents":  {why: "needs Codex; make e2e-agents does it"},
}

// aForge is a forge with one open pull request at most.
const aForge = `cat > ../bin/my-forge <<'END'
#!/bin/sh
cat > "$W/question"
case $(cat "$W/question") in
*'"op":"open-pr"'*) echo '{"number":7,"url":"https://forge.example/7"}' ;;
*'"op":"item-state"'*) echo '{"state":"open"}' ;;
esac
END
chmod +x ../bin/my-forge; git config --global agent.forge "$W/bin/my-forge"`

// wordsRun has a step whose check fails once in twenty times, and breaks on what
// a later step does.
const wordsRun = `repo; mkdir tests header; git checkout -q main
cat > tests/header.sh <<'END'
n=$(cat "$W/n"); echo $((n + 1)) > "$W/n"; test $n != 7 -a -e header/header
END
echo 'test $(wc -l < count) = 1' > tests/count.sh
git add .; git commit -q -m tests; git push -q origin main; echo 100 > ../n
cat > ../plan.yaml <<'END'
title: A program that counts words
steps:
  - {id: s01, title: count them, touches: [count], check: [sh tests/count.sh]}
  - {id: s02, title: parse the header, touches: [header/], check: [sh tests/header.sh]}
  - {id: s03, title: count twice, touches: [count], check: [test -s count]}
END
git agent -q start ../plan.yaml --run words > ../log
echo 1 > count; git agent -q step > ../log
echo > header/header; git agent -q step > ../log
echo 2 >> count; git agent -q step > ../log
echo 0 > ../n
`
