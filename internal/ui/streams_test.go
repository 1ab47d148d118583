package ui

import (
	"os"
	"testing"
)

func envOf(vars map[string]string) func(string) string {
	return func(name string) string { return vars[name] }
}

func TestUseColor(t *testing.T) {
	type vars = map[string]string
	xterm := vars{"TERM": "xterm"}
	for _, c := range []struct {
		tty    bool
		env    vars
		config string
		want   bool
	}{
		{true, xterm, "", true},
		{true, xterm, "auto", true},
		{true, xterm, "true", true},
		{true, xterm, "false", false},
		{true, xterm, "Never", false},
		{false, xterm, "auto", false},
		{false, xterm, "true", false}, // git: true means auto
		{false, xterm, "always", true},
		{true, vars{"TERM": "dumb"}, "", false},
		{true, vars{}, "", false},
		{true, vars{"TERM": "dumb"}, "always", true},
		{true, vars{"TERM": "xterm", "NO_COLOR": "1"}, "always", false},
		{true, vars{"TERM": "xterm", "NO_COLOR": ""}, "", true},
		{false, vars{"CLICOLOR_FORCE": "1"}, "", true},
		{false, vars{"CLICOLOR_FORCE": "0"}, "", false},
		{false, vars{"CLICOLOR_FORCE": "1"}, "never", false},
		{false, vars{"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, "", false},
	} {
		if got := useColor(c.tty, envOf(c.env), c.config); got != c.want {
			t.Errorf("useColor(%v, %v, %q) = %v", c.tty, c.env, c.config, got)
		}
	}
}

func TestKnowsColor_windows(t *testing.T) {
	for value, want := range map[string]bool{"": false, "id": true} {
		if got := knowsColor(envOf(map[string]string{"WT_SESSION": value}), "windows"); got != want {
			t.Errorf("WT_SESSION=%q: %v", value, got)
		}
	}
}

func TestIsUnicode(t *testing.T) {
	type vars = map[string]string
	for _, c := range []struct {
		env  vars
		want bool
	}{
		{vars{"LANG": "en_US.UTF-8"}, true},
		{vars{"LANG": "de_DE.utf8"}, true},
		{vars{"LANG": "C"}, false},
		{vars{"LC_ALL": "C", "LANG": "en_US.UTF-8"}, false},
		{vars{"LC_CTYPE": "C.UTF-8", "LANG": "C"}, true},
	} {
		if got := isUnicode(envOf(c.env)); got != c.want {
			t.Errorf("isUnicode(%v) = %v", c.env, got)
		}
	}
}

func TestDetect_pipes(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	env := map[string]string{"TERM": "xterm", "COLUMNS": "40"}
	s := Detect(r, w, w, envOf(env), "")
	if s.InTTY || s.OutTTY || s.ErrTTY || s.Color || s.ErrColor || s.Width != 0 {
		t.Errorf("pipes: %+v", s)
	}
	env["GIT_PAGER_IN_USE"] = "true"
	s = Detect(r, w, w, envOf(env), "")
	if s.OutTTY || !s.Color || s.ErrColor || s.Width != 40 {
		t.Errorf("under git's pager: %+v", s)
	}
	delete(env, "COLUMNS")
	if s = Detect(r, w, w, envOf(env), ""); s.Width != defaultWidth {
		t.Errorf("nobody knows the width: %d", s.Width)
	}
}
