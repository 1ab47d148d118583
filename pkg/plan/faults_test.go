package plan_test

import (
	"strings"
	"testing"
	"time"
)

// TestParse_oneFault holds, for every rule, the position and the words that
// say what is allowed. A key of a step stands on line 4, after "- id".
func TestParse_oneFault(t *testing.T) {
	for _, test := range []struct{ key, value, want string }{
		{"id", `1e3`, `3:9: id must be text, not a number; write it in quotes: "1e3"`},
		{"id", `0x1F`, `3:9: id must be text, not a number; write it in quotes: "0x1F"`},
		{"id", `true`, `3:9: id must be text, not true or false; write it in quotes: "true"`},
		{"id", `~`, `3:9: id must be text, not nothing; write a short name`},
		{"id", `[a]`, `3:9: id must be text, not a list; a text that begins with [ must be quoted`},
		{"id", `Ab`, `3:9: id "Ab"`},
		{"id", `a..b`, `3:9: id "a..b"`},
		{"id", `a.lock`, `3:9: id "a.lock"`},
		{"id", `a/b`, `3:9: id "a/b"`},
		{"id", `""`, `3:9: the id is empty`},
		{"id", `strays`, `3:9: the id "strays" is taken`},
		{"id", `lost`, `3:9: the id "lost" is taken`},
		{"title", `" "`, `4:12: title is empty`},
		{"title", `" x"`, `4:12: title begins or ends with a blank: " x"`},
		{"title", `"a\tb"`, `4:12: title holds the character U+0009, which does not print`},
		{"title", `"a\x1b[2Jb"`, `4:12: title holds the character U+001B`},
		{"title", `"a\u202eb"`, `4:12: title holds the character U+202E`},
		{"title", `"a\rb"`, `4:12: title must stand on one line`},
		{"title", `12`, `4:12: title must be text, not a number; write it in quotes: "12"`},
		{"title", `a: b`, `4:5: not valid YAML: mapping values are not allowed in this context; a text that holds ": " must be quoted`},
		{"title", strings.Repeat("x", 501), `4:12: title has 501 characters; at most 500 are allowed`},
		{"title", `!`, `4:12: begins with "!", which YAML takes for a tag and drops`},
		{"check", `["` + strings.Repeat("é", 50_001) + `"]`, `6:13: the command has 100002 bytes; at most 100000 are allowed`},
		{"check", `[{run: x, env: {A: "` + strings.Repeat("é", 50_001) + `"}}]`, `6:31: the variable's value has 100002 bytes; at most 100000 are allowed`},
		{"item", `15`, `7:11: item must be text, not a number; write it in quotes: "15"`},
		{"item", `""`, `7:11: item is empty`},
		{"touches", `x`, `5:14: touches must be a list, not the text "x"; write ["x"]`},
		{"touches", `[*.go]`, `5:5: not valid YAML: did not find expected alphabetic or numeric character; a text that begins with * or & must be quoted`},
		{"touches", `[1]`, `5:15: touches entry 1 must be text, not a number; write it in quotes: "1"`},
		{"touches", `[a, ../x]`, `5:18: touches entry 2: "../x" goes up by ".."`},
		{"reads", `[.git/x]`, `7:13: reads entry 1: ".git/x" reaches into .git`},
		{"check", `1`, `6:12: check must be`},
		{"check", `{run: x}`, `6:12: check must be text or a list, not a mapping; write it as an entry of a list, behind a hyphen`},
		{"check", `[true]`, `6:13: check entry 1 must be text or a mapping, not true or false; write it in quotes: "true"`},
		{"check", `[! grep x]`, `6:13: begins with "!", which YAML takes for a tag and drops; write the text in quotes`},
		{"check", `[&a ! grep x]`, `6:13: begins with "!", which YAML takes for a tag and drops`},
		{"check", `[!grep x]`, `6:13: the tag !grep is not known; a text that begins with ! must be quoted`},
		{"check", `[{echo a: b}]`, `6:14: check entry 1 has an unknown key "echo a"; a text that holds ": " must be quoted`},
		{"check", `[{run: x, tmeout: 1s}]`, `6:22: check entry 1 has an unknown key "tmeout"; did you mean "timeout"?`},
		{"check", `[{run: x, shell: zsh}]`, `6:22: check entry 1 has an unknown key "shell"; allowed are dir, env, run, timeout`},
		{"check", `["a\0b"]`, `6:13: the command holds the character U+0000`},
		{"check", `["a\u2066b"]`, `6:13: the command holds the character U+2066`},
		{"check", `[{run: x, timeout: 0s}]`, `6:31: timeout "0s" must be more than zero; leave it out for the default`},
		{"check", `[{run: x, timeout: -1s}]`, `6:31: timeout "-1s" must be more than zero`},
		{"check", `[{run: x, timeout: 1d}]`, `6:31: timeout "1d" is not a duration; write a number with its unit, such as 90s, 2m or 1h30m`},
		{"check", `[{run: x, timeout: 60}]`, `6:31: timeout must be text, not a number; write a number with its unit, such as 90s or 2m`},
		{"check", `[{run: x, timeout: 169h}]`, `6:31: timeout "169h" is more than 168h`},
		{"check", `[{run: x, dir: ..}]`, `6:27: dir ".." goes up by ".."`},
		{"check", `[{run: x, dir: /tmp}]`, `6:27: dir "/tmp" is absolute`},
		{"check", `[{run: x, env: {1A: x}}]`, `6:28: env: "1A" is no variable name`},
		{"check", `[{run: x, env: {"A=B": x}}]`, `6:28: env: "A=B" is no variable name`},
		{"check", `[{run: x, env: {A: 1}}]`, `6:31: env A must be text, not a number; write it in quotes: "1"`},
		{"check", `[{run: x, env: {A: "\0"}}]`, `6:31: the variable's value holds the character U+0000`},
		{"check", `[{run: x, env: [A=1]}]`, `6:27: env must be a mapping, not a list`},
		{"do", `" "`, `7:9: do is a blank command`},
		{"brief", `"a\0"`, `7:12: brief holds a NUL character`},
		{"until", `a`, `7:12: until names the step itself`},
		{"until", `z`, `7:12: until names no step of this plan: "z"`},
		{"confirm", `0`, `7:14: confirm must be at least 1`},
		{"confirm", `101`, `7:14: confirm must be at most 100`},
		{"confirm", `1.5`, `7:14: confirm must be a whole number, not a number`},
		{"confirm", `99999999999999999999`, `7:14: confirm must be`},
		{"retry", `-1`, `7:12: retry must be at least 0`},
		{"retry", `.inf`, `7:12: retry must be a whole number`},
		{"retry", `"1"`, `7:12: retry must be a whole number, not the text "1"`},
		{"fixpoint", `yes`, `7:15: fixpoint must be true or false, not the text "yes"`},
		{"fixpoint", `!!bool yes`, `7:15: fixpoint must be true or false, not the text "yes"`},
		{"keep-partial", `true`, `7:5: step "a" has an unknown key "keep-partial"; did you mean "keep_partial"?`},
		{"Retry", `1`, `7:5: step "a" has an unknown key "Retry"; did you mean "retry"?`},
		{"<<", `{}`, `7:5: merge keys ("<<") are not read`},
		{"? [a]", `1`, `7:7: a key must be text, not a list or a mapping`},
	} {
		t.Run(test.key+" "+test.value[:min(30, len(test.value))], func(t *testing.T) {
			faults := faultsOf(t, stepWith(test.key, test.value))
			if len(faults) != 1 || !strings.HasPrefix(faults[0], test.want) {
				t.Errorf("got  %q\nwant %q", faults, test.want)
			}
		})
	}
}

func TestParse_faultsOfThePlan(t *testing.T) {
	const step = "steps: [{id: a, title: t, touches: [], check: x}]\n"
	for _, test := range []struct{ name, text, want string }{
		{"no title", step, `1:1: the plan has no title`},
		{"no steps", "title: x\n", `1:1: the plan has no steps; list at least one step`},
		{"empty steps", "title: x\nsteps: []\n", `2:8: steps is an empty list; list at least one step`},
		{"steps without a value", "title: x\nsteps:\n", `2:7: steps must be a list, not nothing; list at least one step`},
		{"step is text", "title: x\nsteps: [a]\n", `2:9: step 1 must be a mapping, not the text "a"`},
		{"unknown key", "title: x\nauthor: me\n" + step, `2:1: the plan has an unknown key "author"; allowed are base, fingerprint, pass_env, setup, steps, stray, target, title`},
		{"base is an option", "title: x\nbase: --help\n" + step, `2:7: base "--help" begins with "-", which git would take for an option`},
		{"base is a number", "title: x\nbase: 1234567\n" + step, `2:7: base must be text, not a number; write it in quotes: "1234567"`},
		{"target", "title: x\ntarget: a b\n" + step, `2:9: target "a b" is no branch name: it holds " "`},
		{"target lock", "title: x\ntarget: a.lock/b\n" + step, `2:9: target "a.lock/b" is no branch name`},
		{"target dots", "title: x\ntarget: a..b\n" + step, `2:9: target "a..b" is no branch name`},
		{"stray", "title: x\nstray: keep\n" + step, `2:8: stray must be refuse, set-aside or include, not "keep"`},
		{"stray empty", "title: x\nstray:\n" + step, `2:7: stray must be refuse, set-aside or include, not nothing`},
		{"stray mapping", "title: x\nstray: {a: \"\\n\"}\n" + step, `2:8: stray must be refuse, set-aside or include, not a mapping`},
		{"setup", "title: x\nsetup: npm ci\n" + step, `2:8: setup must be a list, not the text "npm ci"; write ["npm ci"]`},
		{"setup mapping", "title: x\nsetup: [{run: a}]\n" + step, `2:9: setup entry 1 must be text, not a mapping`},
		{"fingerprint", "title: x\nfingerprint: [\"\"]\n" + step, `2:15: fingerprint entry 1 is a blank command`},
		{"pass_env", "title: x\npass_env: [A-B]\n" + step, `2:12: pass_env: "A-B" is no variable name`},
		{"id twice", "title: x\nsteps:\n- {id: a, title: t, touches: [], check: x}\n- {id: a, title: t, touches: [], check: x}\n", `4:8: the id "a" is used twice, first on line 3`},
		{"until an earlier step", "title: x\nsteps:\n- {id: a, title: t, touches: [], check: x}\n- {id: b, title: t, touches: [], check: x, until: a}\n", `4:51: until names "a", an earlier step`},
		{"duplicate key", "title: x\ntitle: y\n" + step, `2:1: duplicate key "title", first on line 1`},
		{"empty", "", `1:1: the plan is empty`},
		{"only a comment", "# x\n", `1:1: the plan is empty`},
		{"null", "~\n", `1:1: the plan is empty`},
		{"a list", "- a\n", "1:1: the plan must be a mapping, not a list; it begins with a title"},
		{"two documents", "title: x\n" + step + "---\ntitle: y\n", `3:1: a second YAML document begins here`},
		{"not UTF-8", "title: \xff\n" + step, `1:8: byte 0xff is not UTF-8`},
		{"not UTF-8, later", "title: ä\n  \xc3(\n", `2:3: byte 0xc3 is not UTF-8`},
		{"UTF-16", "\xff\xfet\x00", `1:1: the plan is UTF-16; save it as UTF-8`},
		{"a raw escape", "title: ä\x1b\n", `1:9: the character U+001B is not allowed`},
		{"a lone CR", "title: x\rsteps: []\n", `1:9: the character U+000D is not allowed`},
		{"an inner byte order mark", "title: \ufeffx\n" + step, `1:8: the character U+FEFF is not allowed`},
		{"tab", "title: x\nsteps:\n\t- id: a\n", `3:1: a tab indents this line; YAML allows only blanks there`},
		{"open quote", "title: x\nsteps:\n  - id: \"a\n    title: t\n", `3:3: not valid YAML: found unexpected end of stream; a quote that is opened here is never closed`},
		{"open bracket", "title: x\nsetup: [a,\nsteps: []\n", `3:1: not valid YAML: did not find expected ',' or ']'; a [ opened here or above is never closed`},
		{"indentation", "title: x\nsteps:\n  - id: a\n   title: t\n", `4:4: not valid YAML: did not find expected '-' indicator`},
		{"cycle", "title: x\nsetup: &a [*a]\n" + step, `2:12: the anchor "a" contains itself`},
		{"too big", strings.Repeat("#", 4<<20+1), `1:1: the plan has 4194305 bytes; at most 4194304 are read`},
	} {
		t.Run(test.name, func(t *testing.T) {
			faults := faultsOf(t, test.text)
			if len(faults) != 1 || !strings.HasPrefix(faults[0], test.want) {
				t.Errorf("got  %q\nwant %q", faults, test.want)
			}
		})
	}
}

func TestParse_hostileAliasesAndNestingAreBounded(t *testing.T) {
	laughs := "title: x\nsetup:\n- &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := range 30 {
		a, b := string(rune('a'+i%26))+strings.Repeat("q", i), string(rune('a'+(i+1)%26))+strings.Repeat("q", i+1)
		if i == 0 {
			a = "a0"
		}
		laughs += "- &" + b + " [" + strings.Repeat("*"+a+", ", 9) + "*" + a + "]\n"
	}
	for name, text := range map[string]string{
		"aliases": laughs,
		"nesting": "title: " + strings.Repeat("[", 5000) + strings.Repeat("]", 5000),
	} {
		start := time.Now()
		if faults := faultsOf(t, text); len(faults) == 0 {
			t.Errorf("%s: accepted", name)
		}
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%s: took %s", name, took)
		}
	}
}
