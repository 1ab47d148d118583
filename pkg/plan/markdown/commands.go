package markdown

import (
	"regexp"
	"slices"
	"strings"
)

// shells are the words behind a fence that say: these are commands.
var shells = []string{"sh", "bash", "shell", "zsh", "console", "shell-session", "terminal"}

// judges are programs of which a command is most often a check.
var judges = strings.Fields("go cargo npm npx yarn pnpm pytest python python3 tox nox make just mvn gradle ./gradlew dotnet mix bazel rspec phpunit jest vitest tsc eslint ruff mypy flake8 golangci-lint shellcheck deno bun ctest test grep diff cmp sh bash swift rake bundle node rustc clippy staticcheck")

// doers are first words, or first two, that change something: they are work.
var doers = lazy(`^(git (add|commit|push|checkout|switch|merge|rebase|branch|tag|stash|reset|worktree)|cd|mkdir|rm|mv|cp|touch|chmod|ln|export|source|\.|(npm|yarn|pnpm) (install|ci|i|add|init|run (dev|start))|pip3? install|go (get|mod|install|generate|run)|cargo (new|init|add|install|run|update|fmt)|apt(-get)?|brew|curl|wget|docker|sudo|echo|cat|ls|make (install|clean)|gofmt -w)(\s|$)`)

// readers are exceptions: with these options they only look.
var readers = lazy(`^(cargo fmt .*--check|go mod verify)`)

// fencedCommands are the checks in a fenced block.
func fencedCommands(language, text string) []string {
	if language != "" && !slices.Contains(shells, strings.ToLower(language)) {
		return nil
	}
	return commandLines(text, language != "")
}

// commandLines are the lines of a text that are checks. Where it is not known
// that they are commands, all of them must look like one, or none is.
func commandLines(text string, known bool) []string {
	prompts := regexp.MustCompile(`(?m)^\s*[$%>] `).MatchString(text)
	var checks []string
	for line := range strings.SplitSeq(joinContinued(text), "\n") {
		line = strings.TrimSpace(line)
		if prompts {
			var asked bool
			if line, asked = cutPrompt(line); !asked {
				continue // what a command printed
			}
		}
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case !looksLikeCommand(line) && known:
		case !looksLikeCommand(line):
			return nil
		case !works(line) && !slices.Contains(checks, line):
			checks = append(checks, line)
		}
	}
	return checks
}

func joinContinued(text string) string {
	return regexp.MustCompile(`[ \t]*\\\n[ \t]*`).ReplaceAllString(text, " ")
}

func cutPrompt(line string) (string, bool) {
	for _, mark := range []string{"$ ", "% ", "> "} {
		if rest, ok := strings.CutPrefix(line, mark); ok {
			return strings.TrimSpace(rest), true
		}
	}
	return "", false
}

// works reports a command that changes something.
func works(line string) bool {
	line = settings().ReplaceAllString(line, "")
	return doers().MatchString(line) && !readers().MatchString(line)
}

var settings = lazy(`^(?:[A-Z_][A-Z0-9_]*=\S* +)*`)

// looksLikeCommand: the first word is a program that judges or works, and what
// follows is no prose.
func looksLikeCommand(line string) bool {
	line = settings().ReplaceAllString(line, "")
	if doers().MatchString(line) {
		return true
	}
	first, rest, _ := strings.Cut(line, " ")
	if strings.HasPrefix(first, "./") && len(first) > 2 {
		return true
	}
	if !slices.Contains(judges, first) || strings.HasSuffix(line, ".") && !strings.HasSuffix(line, "...") {
		return false
	}
	return rest != "" || slices.Contains([]string{"pytest", "tox", "make", "jest", "vitest", "mypy", "tsc"}, first)
}

var run = lazy("(?i)(?:^|\\n|[.:] )(?:Run|Verify|Check|Test|Command)(?: with| by)?:?\\s+`([^`\\n]+)`")

// spokenCommands are the checks of sentences such as "Run: `go test ./x`".
func spokenCommands(text string) []string {
	var checks []string
	for _, m := range run().FindAllStringSubmatch(text, -1) {
		if line := strings.TrimSpace(m[1]); looksLikeCommand(line) && !works(line) && !slices.Contains(checks, line) {
			checks = append(checks, line)
		}
	}
	return checks
}
