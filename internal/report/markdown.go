package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/git-agent/git-agent/pkg/run"
)

// Markdown writes the body of a pull request. Where something is certified it
// ends with the block that a squash carries: a forge that takes the body for
// the message of a squash keeps the evidence.
func Markdown(w io.Writer, r *run.Review) error {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n", escape(r.Status.Title))
	fmt.Fprintf(&b, "%s: run %s, plan version %d, %s to %s. ", howMany(r.Status.Steps, "steps are certified"),
		code(r.Status.Run), r.Status.PlanVersion, short(r.Status.Base), short(r.Status.Head))
	b.WriteString("Each is a commit whose tree is exactly the one on which git agent saw the checks pass.\n\n")
	stepTable(&b, r)
	section(&b, "Notes", notes(r))
	section(&b, "Attempts that failed", failures(r))
	section(&b, "Kept aside", kept(r))
	section(&b, "Landed", landings(r))
	fmt.Fprintf(&b, "### See for yourself\n\n```sh\ngit agent status %s --remote\ngit agent resume %s --dry-run\ngit log --format='%%h %%s%%n%%(trailers)' %s..%s\n```\n",
		r.Status.Run, r.Status.Run, short(r.Status.Base), short(r.Status.Head))
	if r.Squash != "" {
		b.WriteString("\n" + r.Squash + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func stepTable(b *strings.Builder, r *run.Review) {
	b.WriteString("| | step | | checks | took | commit |\n|---|---|---|---|--:|---|\n")
	for _, s := range r.Status.Steps {
		var checks []string
		took := ""
		for _, c := range s.Checks {
			checks = append(checks, code(c.Command)+" "+c.Outcome)
		}
		if len(s.Checks) > 0 {
			took = seconds(sum(s.Checks))
		}
		commit := ""
		if s.Commit != "" {
			commit = short(s.Commit)
		}
		state := ""
		if s.Status != "certified" {
			state = " *" + escape(words(s)) + "*"
		}
		fmt.Fprintf(b, "| %s | **%s** | %s%s | %s | %s | %s |\n", sign(s.Status), s.ID, escape(s.Title), state, strings.Join(checks, "<br>"), took, commit)
	}
	b.WriteString("\n")
}

func section(b *strings.Builder, title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(b, "### %s\n\n", title)
	for _, line := range lines {
		b.WriteString("- " + line + "\n")
	}
	b.WriteString("\n")
}

func notes(r *run.Review) []string {
	var lines []string
	for _, a := range r.Attempts {
		for _, n := range a.Notes {
			lines = append(lines, "**"+a.Step+"**: "+escape(n))
		}
		for _, s := range a.Strays {
			lines = append(lines, "**"+a.Step+"** also changed "+code(s)+", outside its touches")
		}
	}
	return lines
}

func failures(r *run.Review) []string {
	var lines []string
	for _, a := range r.Attempts {
		if a.Outcome != "failed" && a.Outcome != "refuted" {
			continue
		}
		text := fmt.Sprintf("**%s**, attempt %d, %s", a.Step, a.Attempt, moment(a.Ended))
		for _, c := range a.Checks {
			if c.Outcome != "exit=0" {
				text += ": " + code(c.Command) + " " + c.Outcome
			}
		}
		lines = append(lines, text)
	}
	return lines
}

func kept(r *run.Review) []string {
	var lines []string
	for _, p := range r.Partial {
		lines = append(lines, escape(p.Subject)+" at "+code(p.Ref))
	}
	return lines
}

func landings(r *run.Review) []string {
	var lines []string
	for _, l := range r.Landings {
		lines = append(lines, code(l.Text))
	}
	return lines
}

var markup = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "&", "&amp;",
	"|", `\|`, "#", "\\#\u2060", "~", `\~`, "@", "@\u2060")

// escape makes foreign text plain text on one line: no markup, nobody mentioned,
// no issue closed. A forge finds `@name` and `fixes #1` in the text that is shown,
// where a backslash is gone: there, a joiner that nobody sees stands in between.
func escape(text string) string {
	return markup.Replace(visible(strings.Join(strings.Fields(text), " ")))
}

// code is foreign text as code, also where it holds backquotes or the bar that
// would end a table's cell.
func code(text string) string {
	text = visible(strings.Join(strings.Fields(text), " "))
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return fence + strings.ReplaceAll(text, "|", `\|`) + fence
}
