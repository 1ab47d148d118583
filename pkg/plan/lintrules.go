package plan

import (
	"slices"
	"strings"
)

// ruleProvesNothing finds lines that end with 0 whatever happened.
func ruleProvesNothing(_ Check, commands []simple, _ bool, add adder) {
	outer := slices.DeleteFunc(slices.Clone(commands), func(c simple) bool { return c.inner })
	if len(outer) == 0 {
		return
	}
	last := outer[len(outer)-1]
	stops := slices.ContainsFunc(outer, func(c simple) bool { return c.name() == "set" && c.has("-e", "-eu", "-ex", "-eux") })
	passes := slices.Contains([]string{"true", ":"}, last.name()) || last.name() == "exit" && last.has("0")
	says := passes || slices.Contains([]string{"echo", "printf"}, last.name())
	switch {
	case passes && (last.after == "||" || len(outer) == 1):
	case says && last.after == ";" && !stops:
	default:
		return
	}
	add(LintProvesNothing, "let the last command be the one whose exit status decides", "the check ends with `%s`, so it passes whatever came before", strings.Join(last.words, " "))
}

func ruleFullSuite(_ Check, commands []simple, last bool, add adder) {
	for _, c := range commands {
		if !last && fullSuite(c) {
			add(LintFullSuite, "check what the step changes here, and run all tests on the last step",
				"`%s` runs all tests on a step that is not the last: each attempt pays for them, and a failure elsewhere is blamed on this step", strings.Join(c.words, " "))
			return
		}
	}
}

// suites are the programs that run all tests when nothing narrows them.
var suites = map[string]struct {
	verbs   []string // the first operand, where one is needed
	narrows []string // options that choose some
	bare    bool     // any further operand chooses some
}{
	"cargo": {verbs: []string{"test", "nextest"}, narrows: []string{"-p", "--package", "--test", "--lib", "--bin", "--doc", "--example"}, bare: true},
	"npm":   {verbs: []string{"test", "t"}, bare: true}, "yarn": {verbs: []string{"test"}, bare: true}, "pnpm": {verbs: []string{"test"}, bare: true},
	"pytest": {narrows: []string{"-k", "-m"}, bare: true}, "tox": {narrows: []string{"-e"}}, "nox": {narrows: []string{"-s"}},
	"jest": {narrows: []string{"-t"}, bare: true}, "vitest": {narrows: []string{"-t"}, bare: true}, "rspec": {bare: true}, "phpunit": {bare: true},
	"make": {verbs: []string{"test", "check", "ci", "all"}}, "just": {verbs: []string{"test", "check", "ci"}}, "rake": {verbs: []string{"test"}},
	"mvn": {verbs: []string{"test", "verify", "install"}, narrows: []string{"-pl", "-Dtest"}}, "gradle": {verbs: []string{"test", "check", "build"}, narrows: []string{"--tests"}},
	"gradlew": {verbs: []string{"test", "check", "build"}, narrows: []string{"--tests"}}, "dotnet": {verbs: []string{"test"}, narrows: []string{"--filter"}, bare: true},
	"mix": {verbs: []string{"test"}, bare: true},
}

func fullSuite(c simple) bool {
	operands := c.operands()
	switch c.name() {
	case "go":
		return len(operands) > 1 && operands[0] == "test" && c.has("./...", "...") && !c.has("-run")
	case "bazel":
		return len(operands) > 1 && operands[0] == "test" && c.has("//...")
	}
	s, known := suites[c.name()]
	if !known || slices.ContainsFunc(c.args(), func(w string) bool { return narrows(w, s.narrows) }) {
		return false
	}
	if s.verbs != nil {
		if len(operands) == 0 || !slices.Contains(s.verbs, operands[0]) {
			return false
		}
		operands = operands[1:]
	}
	return !s.bare || len(unvalued(c.args(), operands)) == 0
}

func narrows(word string, options []string) bool {
	return slices.ContainsFunc(options, func(o string) bool { return word == o || strings.HasPrefix(word, o+"=") })
}

// valued are options whose value is a word of its own and chooses no test.
var valued = []string{"--target-dir", "--manifest-path", "--features", "--profile", "--jobs", "-j", "--timeout", "--config", "-c"}

// unvalued drops operands that are some option's value.
func unvalued(args, operands []string) []string {
	for i, w := range args {
		if i > 0 && slices.Contains(valued, args[i-1]) {
			operands = slices.DeleteFunc(slices.Clone(operands), func(o string) bool { return o == w })
		}
	}
	return operands
}

var (
	talkers = []string{"curl", "wget", "ssh", "scp", "sftp", "ftp", "nc", "ncat", "telnet", "ping", "dig", "nslookup", "gh", "glab", "aws", "gcloud", "kubectl", "rsync"}
	// fetchers go to the network with these verbs.
	fetchers = map[string][]string{
		"git": {"fetch", "pull", "push", "clone", "ls-remote"}, "npm": {"install", "ci", "i", "add"}, "yarn": {"install", "add"}, "pnpm": {"install", "add", "i"},
		"pip": {"install", "download"}, "pip3": {"install", "download"}, "go": {"get", "install"}, "cargo": {"install", "update", "fetch"},
		"apt-get": {"install", "update"}, "apt": {"install", "update"}, "apk": {"add"}, "brew": {"install"}, "gem": {"install"}, "bundle": {"install"},
		"docker": {"pull", "push"}, "podman": {"pull", "push"},
	}
	speakers = []string{"echo", "printf", "grep", "sed", "awk", "test", "["}
)

func ruleNetwork(_ Check, commands []simple, _ bool, add adder) {
	for _, c := range commands {
		if !network(c) {
			continue
		}
		add(LintNetwork, "fetch in setup, and check against what is in the tree or on loopback",
			"`%s` goes to the network: the check can fail, or pass, for reasons that are not in the tree", strings.Join(c.words, " "))
		return
	}
}

func network(c simple) bool {
	if verbs := fetchers[c.name()]; verbs != nil {
		operands := c.operands()
		return len(operands) > 0 && slices.Contains(verbs, operands[0])
	}
	loopback := slices.ContainsFunc(c.args(), func(w string) bool {
		return strings.Contains(w, "localhost") || strings.Contains(w, "127.0.0.1") || strings.Contains(w, "[::1]")
	})
	if loopback || slices.Contains(speakers, c.name()) {
		return false
	}
	return slices.Contains(talkers, c.name()) || slices.ContainsFunc(c.args(), func(w string) bool {
		return strings.HasPrefix(w, "https://") || strings.HasPrefix(w, "http://")
	})
}

var (
	clocks = []string{"-mtime", "-mmin", "-atime", "-ctime", "-cmin", "-newermt"}
	drifts = []string{"$RANDOM", "$SECONDS", "$EPOCHSECONDS", "${RANDOM}", "${SECONDS}"}
)

func ruleClock(_ Check, commands []simple, _ bool, add adder) {
	for _, c := range commands {
		var says string
		switch {
		case c.name() == "date" && !c.has("-d", "--date"):
			says = "asks for the time"
		case c.name() == "sleep":
			says = "waits by the clock"
		case c.name() == "find" && c.has(clocks...):
			says = "asks how old files are, which a fresh clone does not keep"
		case slices.ContainsFunc(c.words, func(w string) bool {
			return slices.ContainsFunc(drifts, func(v string) bool { return strings.Contains(w, v) })
		}):
			says = "uses a variable that changes by itself"
		default:
			continue
		}
		add(LintClock, "decide by what is in the tree; poll for what has to happen, with a limit", "`%s` %s: the same tree can pass now and fail later", strings.Join(c.words, " "), says)
		return
	}
}

func rulePipe(check Check, commands []simple, _ bool, add adder) {
	for _, c := range commands {
		if c.pipes && !slices.Contains(speakers[:2], c.name()) && !strings.Contains(check.Run, "pipefail") {
			add(LintPipe, "write its output to a file and look at that afterwards, or let bash run it: bash -o pipefail -c '…'",
				"the exit status of `%s` is lost in the pipe: the last command alone decides", strings.Join(c.words, " "))
			return
		}
	}
}

// quick are commands that end by themselves in no time.
var quick = []string{
	"test", "[", "[[", "true", "false", ":", "grep", "egrep", "fgrep", "diff", "cmp", "cat", "head", "tail", "wc", "ls", "echo", "printf", "cd", "set", "sed",
	"awk", "tr", "sort", "uniq", "cut", "jq", "stat", "basename", "dirname", "exit", "export", "pwd", "file", "touch", "rm", "mkdir", "gofmt", "command", "type", "which",
}

func ruleTimeout(check Check, commands []simple, _ bool, add adder) {
	if check.Timeout != 0 {
		return
	}
	for _, c := range commands {
		if slices.Contains(quick, c.name()) {
			continue
		}
		add(LintTimeout, "write {run: …, timeout: 5m} with what it needs at most", "the check has no timeout: if `%s` hangs, the step hangs for half an hour", c.words[0])
		return
	}
}
