package trailers

import (
	"fmt"
	"strings"
)

const maxID = 64

// ValidID reports why s cannot be the id of a run or a step, or nil. Ids are
// parts of ref names and of file names, so the alphabet is the common part of
// git-check-ref-format(1) and case-insensitive file systems:
// `[a-z0-9][a-z0-9._-]{0,63}`, without `..`, not ending in `.` or `.lock`.
func ValidID(s string) error {
	switch {
	case s == "":
		return fmt.Errorf("the id is empty")
	case len(s) > maxID:
		return fmt.Errorf("id %q is longer than %d characters", s, maxID)
	case !lowerOrDigit(s[0]):
		return fmt.Errorf("id %q does not begin with a lower case letter or a digit", s)
	case strings.Contains(s, ".."):
		return fmt.Errorf("id %q contains %q", s, "..")
	case strings.HasSuffix(s, "."), strings.HasSuffix(s, ".lock"):
		return fmt.Errorf("id %q ends in %q or %q, which git refuses in a ref name", s, ".", ".lock")
	}
	for i := range len(s) {
		if c := s[i]; !lowerOrDigit(c) && c != '.' && c != '_' && c != '-' {
			return fmt.Errorf("id %q holds a character outside a-z, 0-9, '.', '_', '-'", s)
		}
	}
	return nil
}

func lowerOrDigit(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }

// validOID accepts a full object id of either hash, lower case as git writes
// it.
func validOID(s string) error {
	if (len(s) == 40 || len(s) == 64) && isHex(s) {
		return nil
	}
	return fmt.Errorf("%q is no full object id (40 or 64 lower case hexadecimal digits)", s)
}

// validFingerprint accepts `sha256:<64 hexadecimal digits>`.
func validFingerprint(s string) error {
	digits, ok := strings.CutPrefix(s, "sha256:")
	if ok && len(digits) == 64 && isHex(digits) {
		return nil
	}
	return fmt.Errorf("%q is no fingerprint (sha256: and 64 lower case hexadecimal digits)", s)
}

func isHex(s string) bool {
	// Digits and letters alternate at random: a set costs less than a guess.
	const set = uint64(1<<10 - 1 | (1<<6-1)<<('a'-'0')) // of '0' and what follows it
	for i := range len(s) {
		if set>>(s[i]-'0')&1 == 0 { // a shift of 64 and more leaves nothing
			return false
		}
	}
	return true
}
