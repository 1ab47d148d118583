package cli

import (
	"fmt"
	"time"
)

// lasting is how long something may take or waits; 0 is "not given", and is
// never typed: a limit of no time would be either none or one that forbids all.
type lasting time.Duration

// UnmarshalText is how kong reads it.
func (l *lasting) UnmarshalText(text []byte) error {
	value, err := time.ParseDuration(string(text))
	if err != nil || value <= 0 {
		return fmt.Errorf("%q is no duration above zero, as 90s, 30m or 2h", text)
	}
	*l = lasting(value)
	return nil
}
