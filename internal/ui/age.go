package ui

import (
	"strconv"
	"time"
)

const (
	day  = 24 * time.Hour
	week = 7 * day
	year = 365 * day
)

// Age is how long ago something was, in the one unit that a reader needs:
// "40s", "3m", "2h", "5d", "7w", "2y", rounded down. Clocks of two machines
// differ: what lies in the future is "0s".
func Age(d time.Duration) string {
	switch {
	case d < 0:
		return "0s"
	case d < time.Minute:
		return whole(d, time.Second, "s")
	case d < time.Hour:
		return whole(d, time.Minute, "m")
	case d < day:
		return whole(d, time.Hour, "h")
	case d < 2*week:
		return whole(d, day, "d")
	case d < year:
		return whole(d, week, "w")
	}
	return whole(d, year, "y")
}

func whole(d, unit time.Duration, name string) string {
	return strconv.FormatInt(int64(d/unit), 10) + name
}
