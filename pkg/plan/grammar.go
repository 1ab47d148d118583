package plan

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// maxPath bounds one path or pattern, in bytes (PATH_MAX of Linux).
const maxPath = 4096

// envName is what a shell can export (POSIX, "Environment Variables").
var envName = lazy(`^[A-Za-z_][A-Za-z0-9_]*$`)

// className finds what looks like a character class, a range or a negation,
// so that it can be refused instead of being taken literally in silence. A
// route folder such as [id] or [...slug] is not one.
var className = lazy(`\[[!^]|\[[^\]/]?-[^\]/]?\]`)

// alternatives finds {a,b}, refused for the same reason.
var alternatives = lazy(`\{[^}/]*,[^}]*\}`)

// checkPattern judges one entry of touches or reads. Wildcards are `*`, `?`
// and `**` alone; everything else, brackets included, is literal, because
// paths such as app/[id]/page.tsx are common and an escape would be forgotten.
func checkPattern(s string) error {
	if err := checkRelative(strings.TrimSuffix(s, "/"), s); err != nil {
		return err
	}
	if found := className().FindString(s); found != "" {
		return fmt.Errorf("holds %q, which looks like a character class; only *, ? and ** are wildcards: use ? or write one entry each", found)
	}
	if found := alternatives().FindString(s); found != "" {
		return fmt.Errorf("holds %q, which looks like alternatives; only *, ? and ** are wildcards: write one entry each", found)
	}
	for part := range strings.SplitSeq(s, "/") {
		if strings.Contains(part, "**") && part != "**" {
			return fmt.Errorf("has ** beside other characters in %q; it must stand alone between slashes, as in a/**/b", part)
		}
	}
	return nil
}

// checkDir judges the folder of a check: "." or a path inside the repository,
// never a pattern.
func checkDir(s string) error {
	if s == "." {
		return nil
	}
	return checkRelative(strings.TrimSuffix(s, "/"), s)
}

// checkRelative holds for every path of a plan: inside the repository, never
// inside .git, in the one spelling that git itself uses. whole is the text as
// written, path is it without a closing slash.
func checkRelative(path, whole string) error {
	switch {
	case whole == "":
		return errors.New("is empty; write a path relative to the top of the repository")
	case len(whole) > maxPath:
		return fmt.Errorf("is longer than %d bytes", maxPath)
	case strings.ContainsFunc(whole, unicode.IsControl):
		return errors.New("holds a control character")
	case strings.Contains(whole, `\`):
		return errors.New(`holds a backslash; separate folders by "/"`)
	case whole[0] == '/' || driveLetter(whole):
		return errors.New("is absolute; write it relative to the top of the repository")
	case whole[0] == '-':
		return errors.New(`begins with "-", which a command would take for an option`)
	case whole[0] == ':':
		return errors.New(`begins with ":", which git would take for pathspec magic`)
	}
	for part := range strings.SplitSeq(path, "/") {
		if err := checkComponent(part); err != nil {
			return err
		}
	}
	return nil
}

func checkComponent(part string) error {
	switch {
	case part == "":
		return errors.New(`has two slashes in a row; write one`)
	case part == "..":
		return errors.New(`goes up by ".."; it must stay inside the repository`)
	case part == ".":
		return errors.New(`has a "." component; write x instead of ./x, and ** for the whole repository`)
	case isDotGit(part):
		return errors.New("reaches into .git, which is never part of a step")
	}
	return nil
}

func driveLetter(s string) bool {
	return len(s) >= 3 && s[1] == ':' && s[2] == '/' && unicode.IsLetter(rune(s[0]))
}

// isDotGit folds a name as the file systems do that git protects itself from
// (git-config(1), core.protectHFS and core.protectNTFS): case, ignorable
// characters, trailing blanks and dots, a stream name, the 8.3 short name.
func isDotGit(name string) bool {
	name = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
	name, _, _ = strings.Cut(name, ":")
	name = strings.TrimRight(name, " .")
	return name == ".git" || name == "git~1"
}
