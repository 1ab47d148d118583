package cli

import (
	"fmt"
	"strconv"
)

// fromOne is a number of things that are counted from 1; 0 is "not given", and
// is never typed.
type fromOne int

// UnmarshalText is how kong reads it.
func (n *fromOne) UnmarshalText(text []byte) error {
	value, err := strconv.Atoi(string(text))
	if err != nil || value < 1 {
		return fmt.Errorf("%q is no number from 1", text)
	}
	*n = fromOne(value)
	return nil
}
