package cli

import (
	"reflect"
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
