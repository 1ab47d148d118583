package cli

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/alecthomas/kong"
)

// newParser builds the whole command line: for help, completion and the pages.
func (a *app) newParser() (*kong.Kong, error) { return a.parserOf(a.grammar) }

// parse builds no more of the command line than the one command that the
// arguments begin with, and reads them: all of it would take longer than most
// of them do.
func (a *app) parse() (*kong.Context, error) {
	whole := reflect.ValueOf(a.grammar).Elem()
	target, narrow := whole.Addr(), reflect.Value{}
	if fields := narrowed(whole.Type(), a.Args); fields != nil {
		target = reflect.New(reflect.StructOf(fields))
		narrow = target.Elem()
	}
	var err error
	if a.parser, err = a.parserOf(target.Interface()); err != nil {
		return nil, err
	}
	k, err := a.parser.Parse(wantHelp(a.Args))
	if narrow.IsValid() {
		for i := range narrow.NumField() {
			whole.FieldByName(narrow.Type().Field(i).Name).Set(narrow.Field(i))
		}
	}
	return k, err
}

// narrowed are the fields that the arguments can be about: the flags of every
// command and the command that is their first word. nil: all, because that is
// none, or is about the others.
func narrowed(grammar reflect.Type, args []string) []reflect.StructField {
	if len(args) == 0 || args[0] == "help" {
		return nil
	}
	var fields []reflect.StructField
	found := false
	for i := range grammar.NumField() {
		f := grammar.Field(i)
		_, command := f.Tag.Lookup("cmd")
		named := commandName(f) == args[0]
		if !command || named {
			fields = append(fields, f)
		}
		found = found || command && named
	}
	if !found {
		return nil
	}
	return fields
}

// commandName is what kong calls a field: its tag, else the words of its name.
func commandName(f reflect.StructField) string {
	if name := f.Tag.Get("name"); name != "" {
		return name
	}
	var b strings.Builder
	for i, c := range f.Name {
		if i > 0 && c >= 'A' && c <= 'Z' {
			b.WriteByte('-')
		}
		b.WriteRune(c)
	}
	return strings.ToLower(b.String())
}

// noEmptyWord refuses an empty argument or flag: what a script's unset variable
// leaves. To read it as absent would be to do more than was asked, as in
// `cancel "$step"`.
func noEmptyWord(args []string) error {
	for i, word := range args {
		if name, value, ok := strings.Cut(word, "="); ok && value == "" && strings.HasPrefix(name, "--") {
			return fmt.Errorf("%s is empty; nothing was done", name)
		}
		switch {
		case word != "":
		case i == 0:
			return errors.New("the command is empty; nothing was done")
		default:
			return fmt.Errorf("the argument after %q is empty; nothing was done", args[i-1])
		}
	}
	return nil
}
