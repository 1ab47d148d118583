package plan

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

// secret is a kind of token that can be told from other text by its form alone
// (as its maker publishes it, so that scanners find it).
type secret struct {
	what  string
	looks func() *regexp.Regexp
	sure  func(string) bool // nil: the form says enough
}

var secrets = []secret{
	{"a private key", lazy(`-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----`), nil},
	{"an AWS access key", lazy(`\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b`), notExample},
	{"a GitHub token", lazy(`\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})`), nil},
	{"a GitLab token", lazy(`\bgl(?:pat|ptt|dt|rt|cbt)-[A-Za-z0-9_-]{20,}`), nil},
	{"a Slack token", lazy(`\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\bxapp-[0-9]-[A-Za-z0-9-]{10,}|\bhooks\.slack\.com/services/T[A-Za-z0-9/]{20,}`), nil},
	{"an API key", lazy(`\bsk-[A-Za-z0-9_-]{20,}`), mixed},
	{"a Google API key", lazy(`\bAIza[A-Za-z0-9_-]{35}\b`), nil},
	{"a Stripe key", lazy(`\b[rs]k_live_[A-Za-z0-9]{16,}`), nil},
	{"an npm token", lazy(`\bnpm_[A-Za-z0-9]{36}\b`), nil},
}

// notExample: the keys of Amazon's own documentation end so.
func notExample(s string) bool { return !strings.HasSuffix(s, "EXAMPLE") }

// mixed tells a random text from words joined by hyphens.
func mixed(s string) bool {
	s = strings.TrimPrefix(s, "sk-")
	return strings.ContainsFunc(s, unicode.IsUpper) && strings.ContainsFunc(s, unicode.IsLower) && strings.ContainsFunc(s, unicode.IsDigit)
}

// ParseNew is [Parse] for a plan that is about to be stored: a text that looks
// like a token or a private key is a fault too, wherever it stands, comments
// included. A stored plan is pushed and cannot be taken back; one that was
// stored before is read all the same. The fault never repeats the token.
func ParseNew(file string, data []byte) (*Plan, error) {
	p, err := Parse(file, data)
	if err != nil {
		return nil, err
	}
	return p, joinProblems(findSecrets(file, strings.TrimPrefix(string(data), byteOrderMark)))
}

func findSecrets(file, text string) (found []*Problem) {
	for _, s := range secrets {
		for _, at := range s.looks().FindAllStringIndex(text, -1) {
			if s.sure != nil && !s.sure(text[at[0]:at[1]]) {
				continue
			}
			line, column := position(text, at[0])
			found = append(found, &Problem{file, line, column, fmt.Sprintf("this looks like %s, and everybody who can fetch the plan could read it; have the command take it from the environment, as \"$TOKEN\", and revoke it if it ever was in a repository", s.what)})
		}
	}
	return found
}
