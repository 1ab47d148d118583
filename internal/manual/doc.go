// Package manual owns the pages about git agent: one for each command, made of
// the command line's own description (kong's model) and of prose that is kept
// beside this file, and how a page looks as roff, as text and as Markdown.
//
// It never decides what a command does and reads nothing at run time: the
// prose is part of the binary, so `git agent help step` shows a page where no
// man(1) and no network is.
//
//	page, err := manual.Command(parser.Model, "step")
//	err = page.Roff(w)
package manual
