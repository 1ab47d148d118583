package journal

import (
	"errors"
	"syscall"
	"testing"
)

func TestErrors_words(t *testing.T) {
	for want, err := range map[string]error{
		`log "a.log" is not empty and has no index: where its streams stood is unknown`:     &CheckpointMissingError{"a.log"},
		`whether log "a.log" is complete is unknown: its owner is gone and recorded no end`: (&cursor{Reader: &Reader{name: "a"}}).unknown("its owner is gone and recorded no end"),
		`"a.index" is damaged at offset 40: no record, but a good one lies behind it`:       &DamagedError{"a.index", 40, "no record, but a good one lies behind it"},
		`stderr at offset 7, expected 5`:                                                    &OffsetError{Stderr, 7, 5},
		`sync "a.log": input/output error`:                                                  &BrokenError{OpSync, "a.log", syscall.EIO},
		`"a.index" is damaged at offset 0: it is of run "r1", step "s1", attempt "a1", plan version 3, file "a"; ` +
			`meant was run "r2", step "s1", attempt "a1", plan version 3, file "b"`: &DamagedError{File: "a.index",
			What: identityDiffers(Header{Identity: testID, File: "a"}, "b", Identity{"r2", "s1", "a1", 3})},
	} {
		if err.Error() != want {
			t.Errorf("%s\nwant %s", err, want)
		}
	}
	if !errors.Is(&BrokenError{OpSync, "a.log", syscall.EIO}, syscall.EIO) {
		t.Error("the system's own error is lost")
	}
}
