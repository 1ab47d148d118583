package hooks

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestShipped_currentTextsAreListed: whoever changes a hook adds its digests,
// so that the next version still knows this one.
func TestShipped_currentTextsAreListed(t *testing.T) {
	for _, event := range Events {
		for what, text := range map[string]string{"whole": Text(event), "block": Block(event)} {
			if !shipped(everShipped(), text, event, what) {
				t.Errorf("contrib/hooks/shipped lacks\n%s", shippedLine(text, event, what))
			}
		}
	}
	lines := strings.Split(strings.TrimSpace(everShipped()), "\n")
	for _, line := range lines {
		if !strings.HasPrefix(line, "#") && len(strings.Fields(line)) != 3 {
			t.Errorf("contrib/hooks/shipped: %q", line)
		}
	}
	if sorted := slices.Sorted(slices.Values(lines)); len(slices.Compact(sorted)) != len(lines) {
		t.Error("contrib/hooks/shipped lists a text twice")
	}
}

func TestStateOf(t *testing.T) {
	const event = "pre-push"
	foreign := "#!/bin/sh\necho mine\n"
	tests := map[string]struct {
		text string
		want State
	}{
		"ours":                 {Text(event), Installed},
		"ours, edited below":   {Text(event) + "# more\n", Changed},
		"ours, edited inside":  {strings.Replace(Text(event), "--pre-push", "--pre-push --json", 1), Changed},
		"ours of another hook": {Text("update"), Foreign},
		"theirs":               {foreign, Foreign},
		"empty":                {"", Foreign},
		"lines in theirs":      {withBlock(foreign, event), Installed},
		"lines, edited":        {strings.Replace(withBlock(foreign, event), "exec </dev/null", "exec <&-", 1), Changed},
		"lines without an end": {strings.SplitAfter(withBlock(foreign, event), "case")[0], Foreign},
		"a mention":            {"#!/bin/sh\n# see: # >>> git-agent pre-push >>>\n", Foreign},
		"no last newline":      {strings.TrimSuffix(withBlock("#!/bin/sh", event), "\n"), Installed},
	}
	for name, tt := range tests {
		if got := stateOf(tt.text, event, everShipped()); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}

// Taking our lines out gives back the same bytes, whatever they went into.
func TestBlock_roundTrip(t *testing.T) {
	for _, text := range []string{"", "\n", "x", "x\n", "#!/bin/sh", "#!/bin/sh\n", "#!/bin/sh\r\nx\r\n", "#!/bin/bash -e\n\n\nx\n# >>>\n", "\n\n#!/bin/sh\n"} {
		for _, event := range Events {
			with := withBlock(text, event)
			if got := withoutBlock(with, event); got != text {
				t.Errorf("%s: %q became %q", event, text, got)
			}
			if stateOf(with, event, everShipped()) != Installed {
				t.Errorf("%s in %q: %s", event, text, stateOf(with, event, everShipped()))
			}
		}
	}
}

func TestBlock_roundTripOfAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOf(rapid.SampledFrom([]string{"#!/bin/sh", "", "exit 0", "# <<< git-agent update <<<", "# >>> git-agent pre-push", "\r", "é"})).Draw(t, "lines")
		text := strings.Join(lines, "\n")
		if got := withoutBlock(withBlock(text, "pre-push"), "pre-push"); got != text {
			t.Errorf("%q became %q", text, got)
		}
	})
}

func TestIsShell(t *testing.T) {
	for text, want := range map[string]bool{
		"#!/bin/sh\n": true, "#!/usr/bin/env bash\n": true, "#!/usr/bin/env -S bash -e\n": true, "#! /bin/dash -e\n": true, "echo x\n": true, "": true,
		"#!/usr/bin/env node\n": false, "#!/usr/bin/python3\n": false, "#!\n": false, "#!/usr/bin/env\n": false,
	} {
		if got := isShell(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
