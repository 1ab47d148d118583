package check

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestOutcome_String(t *testing.T) {
	for want, o := range map[string]Outcome{
		"exit=0": {Exit, 0}, "exit=255": {Exit, 255}, "signal=9": {Signal, 9},
		"timeout": {Kind: Timeout}, "not-found": {Kind: NotFound}, "cancelled": {Kind: Cancelled}, "": {},
	} {
		if o.String() != want || o.Passed() != (want == "exit=0") {
			t.Errorf("%#v: %q, passed %t", o, o, o.Passed())
		}
	}
}

func TestEnviron(t *testing.T) {
	base := []string{
		"PATH=/bin", "HOME=/h", "LANG=C", "TMPDIR=/t", "SECRET=s", "TOKEN=t", "PATH=/usr/bin", "broken", "=C:=x",
		"GIT_DIR=/r", "GIT_INDEX_FILE=i", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=a", "GIT_CONFIG_VALUE_0=b",
		"GIT_CONFIG_PARAMETERS=p", "GIT_PREFIX=sub/", "GIT_QUARANTINE_PATH=q", "GIT_NAMESPACE=n", "GIT_NEW_LOCAL=1",
		"GIT_EXEC_PATH=/x", "GIT_CONFIG_GLOBAL=/g", "GIT_AUTHOR_NAME=me", "GIT_AGENT_RUN=old", "GIT_AGENT_ATTEMPT=a1",
	}
	drop := []string{"GIT_NEW_LOCAL"}
	extra := map[string]string{"GIT_AGENT_RUN": "new", "GIT_AGENT_STEP": "s1", "EMPTY": ""}
	for name, tc := range map[string]struct {
		strict bool
		pass   []string
		want   []string
	}{
		"inherit": {false, nil, []string{
			"PATH=/usr/bin", "HOME=/h", "LANG=C", "TMPDIR=/t", "SECRET=s", "TOKEN=t",
			"GIT_EXEC_PATH=/x", "GIT_CONFIG_GLOBAL=/g", "GIT_AUTHOR_NAME=me", "GIT_AGENT_RUN=new", "GIT_AGENT_ATTEMPT=a1",
			"EMPTY=", "GIT_AGENT_STEP=s1",
		}},
		"strict": {true, []string{"TOKEN", "GIT_DIR", "GIT_CONFIG_KEY_0"}, []string{
			"PATH=/usr/bin", "HOME=/h", "LANG=C", "TMPDIR=/t", "TOKEN=t", "GIT_AGENT_RUN=new", "GIT_AGENT_ATTEMPT=a1",
			"EMPTY=", "GIT_AGENT_STEP=s1",
		}},
	} {
		if got := Environ(base, drop, tc.strict, tc.pass, extra); !slices.Equal(got, tc.want) {
			t.Errorf("%s:\n got %q\nwant %q", name, got, tc.want)
		}
	}
}

func TestCommand_firstWord(t *testing.T) {
	for run, want := range map[string]string{
		"go test ./...":                  "go",
		"  \n\tgo\ttest":                 "go",
		"go;true":                        "go",
		"go&&true":                       "go",
		"g++>log":                        "g++",
		"A=1 B=\"x y\" C='a;b' make all": "make",
		"A=\\ x make":                    "make",
		"A=$HOME make":                   "make",
		"A= make":                        "make",
		"A=1\nmake":                      "make",
		"PATH=/x make":                   "",
		"A=$(date +%s) make":             "",
		"A=`date` make":                  "",
		"A=${B:-c d} make":               "",
		"A='open make":                   "",
		"./x":                            "",
		"/bin/x":                         "",
		"~/x":                            "",
		"$X y":                           "",
		"'go' test":                      "",
		"\\go test":                      "",
		"g*":                             "",
		"(go)":                           "",
		"{ go; }":                        "",
		"! go":                           "",
		"f() { x; }; f":                  "",
		"f () { x; }; f":                 "",
		">out go":                        "",
		"# go":                           "",
		"-x":                             "",
		"A=1":                            "",
		"":                               "",
		"if true; then x; fi":            "if",
	} {
		if got := (Command{Run: run}).firstWord(); got != want {
			t.Errorf("%q: %q, want %q", run, got, want)
		}
	}
}

func FuzzCommand_firstWord(f *testing.F) {
	f.Add("A='x y' go test")
	f.Add("A=\\")
	f.Fuzz(func(t *testing.T, run string) {
		if word := (Command{Run: run}).firstWord(); word != "" && (!plainName.MatchString(word) || !strings.Contains(run, word)) {
			t.Errorf("%q: %q", run, word)
		}
	})
}

// A ring holds exactly the end of what was written, whatever the pieces.
func TestRing_keepsTheEnd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var r ring
		var all []byte
		sizes := rapid.SliceOfN(rapid.OneOf(rapid.IntRange(0, 200), rapid.IntRange(TailSize-2, 2*TailSize+2)), 0, 6).Draw(t, "sizes")
		for i, size := range sizes {
			piece := bytes.Repeat([]byte{byte(i + 1)}, size)
			r.write(piece)
			all = append(all, piece...)
		}
		got := r.tail()
		if want := all[max(0, len(all)-TailSize):]; got.Total != int64(len(all)) || !bytes.Equal(got.Bytes, want) {
			t.Fatalf("total %d of %d, %d bytes of %d", got.Total, len(all), len(got.Bytes), len(want))
		}
		if got.Cut() != (len(all) > TailSize) {
			t.Fatalf("cut %t with %d bytes", got.Cut(), len(all))
		}
	})
}

func TestOptions_roundTrip(t *testing.T) {
	for _, want := range []options{
		{onOrphan: orphanKill, grace: time.Second, argv: []string{"sh", "-c", "x"}},
		{onOrphan: orphanKill, timeout: 90 * time.Minute, grace: time.Millisecond, tty: true, argv: []string{"--tty", "--", "-x", ""}},
		{onOrphan: orphanKeep, grace: time.Second, argv: []string{"x"}},
	} {
		if got, err := parseOptions(want.args()); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v: %+v, %v", want, got, err)
		}
	}
	for _, args := range [][]string{nil, {"--on-orphan=keep", "--tty", "x"}, {"--on-orphan=leave", "x"}, {"--on-orphan=kill"}, {"x"}, {"--timeout=1", "x"}} {
		if got, err := parseOptions(args); err == nil {
			t.Errorf("%q: %+v", args, got)
		}
	}
}

func TestReport_read(t *testing.T) {
	var r report
	for _, line := range []string{"n started 12", "n ended 256 self", "n swept "} {
		if r.complete() {
			t.Errorf("complete before %q", line)
		}
		if err := r.read("n", line); err != nil {
			t.Fatal(err)
		}
	}
	if !r.complete() || r.pid != 12 || r.status != 256 || r.cause != causeSelf {
		t.Errorf("%+v", r)
	}
	if err := r.read("n", "n swept 5 6"); err != nil || r.complete() || !slices.Equal(r.left, []int{5, 6}) {
		t.Errorf("%+v, %v", r, err)
	}
	for _, line := range []string{"", "n", "x ended 0 self", "ended 0 self", "n ended 0", "n ended -1 self", "n ended x self",
		"n started x", "n failed exec", "n swept x", "n other 1", "nn ended 0 self"} {
		fresh := report{}
		if err := fresh.read("n", line); err == nil || fresh.complete() || fresh.ended {
			t.Errorf("%q: %+v, %v", line, fresh, err)
		}
	}
}

func TestOwner_Dead_doubtProvesNothing(t *testing.T) {
	self, err := Self()
	if err != nil {
		t.Skipf("no process identity on this system: %v", err)
	}
	if again, err := Self(); err != nil || again != self {
		t.Errorf("%+v, then %+v, %v", self, again, err)
	}
	change := func(f func(*Owner)) Owner {
		o := self
		f(&o)
		return o
	}
	for name, tc := range map[string]struct {
		o              Owner
		dead, provable bool
	}{
		"ourselves":             {self, false, true},
		"nothing recorded":      {Owner{}, false, false},
		"the pid given on":      {change(func(o *Owner) { o.Start++ }), true, true},
		"another namespace":     {change(func(o *Owner) { o.PIDNS = "pid:[1]" }), false, false},
		"another machine":       {change(func(o *Owner) { o.Boot, o.Machine = "b", "m" }), false, false},
		"a boot, no machine":    {change(func(o *Owner) { o.Boot, o.Machine = "b", "" }), false, false},
		"a boot, our machine":   {change(func(o *Owner) { o.Boot = "b" }), self.Machine != "", self.Machine != ""},
		"no such process":       {change(func(o *Owner) { o.PID = 1 << 30 }), true, true},
		"no pid":                {change(func(o *Owner) { o.PID = 0 }), false, false},
		"no boot":               {change(func(o *Owner) { o.Boot = "" }), false, false},
		"a pid of all or group": {change(func(o *Owner) { o.PID = -1 }), false, false},
	} {
		if dead, provable := tc.o.Dead(); dead != tc.dead || provable != tc.provable {
			t.Errorf("%s: dead %t, provable %t", name, dead, provable)
		}
	}
}

func TestKillLeftovers_needsAnAttempt(t *testing.T) {
	if err := KillLeftovers(t.Context(), "", 0); err == nil {
		t.Error("no error")
	}
	if err := EndCommand(t.Context(), "", 0); err == nil {
		t.Error("no error")
	}
	if got := fmt.Sprint(remain([]int{3, 4})); got != "processes could not be ended: pid 3, 4" {
		t.Error(got)
	}
}
