package cli

import (
	"reflect"
	"strings"
	"testing"
)

// Every command is found by its name, and what is built for it is its own
// part of the command line and nothing else.
func TestNarrowed_isTheCommandAlone(t *testing.T) {
	a := &app{grammar: &grammar{}}
	whole, err := a.newParser()
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range whole.Model.Children {
		fields := narrowed(reflect.TypeFor[grammar](), []string{command.Name, "x"})
		if command.Name == "help" {
			if fields != nil {
				t.Error("help is about all commands")
			}
			continue
		}
		narrow, err := a.parserOf(reflect.New(reflect.StructOf(fields)).Interface())
		if err != nil {
			t.Errorf("%s: %v", command.Name, err)
			continue
		}
		if n := len(narrow.Model.Children); n != 1 || narrow.Model.Children[0].Name != command.Name {
			t.Errorf("%s: %d commands", command.Name, n)
		}
		if got, want := len(narrow.Model.Flags), len(whole.Model.Flags); got != want {
			t.Errorf("%s: %d flags of all commands, want %d", command.Name, got, want)
		}
		if got, want := narrow.Model.Children[0].Summary(), command.Summary(); got != want {
			t.Errorf("%s: %q, want %q", command.Name, got, want)
		}
	}
	for _, args := range [][]string{nil, {"--help"}, {"-q", "status"}, {"nonsense"}} {
		if narrowed(reflect.TypeFor[grammar](), args) != nil {
			t.Errorf("%q: not all of it", args)
		}
	}
}

// What an unset variable leaves is told for every command and every flag.
func TestNoEmptyWord(t *testing.T) {
	for want, args := range map[string][]string{
		`the command is empty`:                    {""},
		`the argument after "cancel" is empty`:    {"cancel", ""},
		`the argument after "--through" is empty`: {"land", "r-1", "--through", ""},
		`--through is empty`:                      {"land", "--through="},
		`the argument after "a b" is empty`:       {"say", "a b", ""},
	} {
		if err := noEmptyWord(args); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", args, err, want)
		}
	}
	for _, args := range [][]string{nil, {"say", "x="}, {"status", "--run=r-1"}, {"plan", "show", "-"}, {"step", "--note", "a=", "--note=b="}} {
		if err := noEmptyWord(args); err != nil {
			t.Errorf("%q: %v", args, err)
		}
	}
}
