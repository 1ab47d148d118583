package verify

import (
	"strings"

	"github.com/git-agent/git-agent/pkg/trailers"
)

// mending is the way in which a fault goes away.
type mending int

const (
	resume   mending = iota // checked again by resume, which records it anew
	again                   // certified again, on top
	gathered                // the evidence is sound, but not in one block
	plain                   // the evidence is taken out; resume checks the step
)

// repair is a command line for a POSIX shell, "" where there is none. Each is
// for a working tree on the branch, so it goes there first unless HEAD is the
// tip already: what amends HEAD must not amend another commit.
func (j *judge) repair(c *commit, step string, mend mending) string {
	run := j.target.run
	if run == "" {
		run = c.reading.Evidence.Run
	}
	switch mend {
	case resume:
		return strings.TrimSpace("git agent resume " + run)
	case again:
		return strings.TrimSpace("git agent step " + step + " --empty --run " + run)
	}
	rev := "HEAD"
	if c.ID != j.tip {
		rev = c.ID
	}
	if rev != "HEAD" && len(c.Parents) == 0 {
		return "" // a root commit cannot be the start of a rebase
	}
	message := ""
	if mend == gathered {
		message, _ = trailers.Repair(c.Message)
	} else {
		message = withoutEvidence(c.Message)
	}
	if message == "" || j.branch == "" && (j.head == nil || j.head() != j.tip) {
		return "" // or nobody knows the branch to go to
	}
	return j.checkout() + trailers.RewordCommand(message, rev)
}

func (j *judge) checkout() string {
	if j.branch == "" || j.head != nil && j.head() == j.tip {
		return ""
	}
	return "git checkout " + quote(j.branch) + " -- && "
}

// withoutEvidence is a message that claims nothing any more: the Agent-* lines
// of its last paragraphs are gone, everything else is as it was. "" where that
// does not help.
func withoutEvidence(message string) string {
	paragraphs := strings.Split(strings.ReplaceAll(message, "\r\n", "\n"), "\n\n")
	for i := len(paragraphs) - 1; i >= 0; i-- {
		paragraphs[i] = withoutAgentLines(paragraphs[i])
		text := strings.TrimSpace(joined(paragraphs)) + "\n"
		if text == "\n" {
			text = "work without a certificate\n"
		}
		if trailers.Read(text).Kind == trailers.None {
			return text
		}
	}
	return ""
}

func joined(paragraphs []string) string {
	var kept []string
	for _, p := range paragraphs {
		if strings.Trim(p, "\n") != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, "\n\n")
}

// withoutAgentLines drops the lines that begin with an Agent-* key, and those
// that continue one.
func withoutAgentLines(paragraph string) string {
	var kept []string
	dropped := false
	for line := range strings.SplitSeq(paragraph, "\n") {
		continues := dropped && strings.TrimLeft(line, " \t") != line
		dropped = continues || agentLine(line)
		if !dropped {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

func agentLine(line string) bool {
	const prefix = "agent-"
	key, _, colon := strings.Cut(line, ":")
	return colon && len(key) > len(prefix) && strings.EqualFold(key[:len(prefix)], prefix) && !strings.Contains(strings.TrimSpace(key), " ")
}

// quote makes one word of s for a POSIX shell, where it is not one already.
func quote(s string) string {
	const safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%_+=:,./-"
	if s != "" && strings.Trim(s, safe) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
