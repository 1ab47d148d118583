package killat

import (
	"fmt"
	"testing"
)

// TestShare_coversOnce: the shares of a sweep have every point of every row once.
func TestShare_coversOnce(t *testing.T) {
	var rows [][]spot
	for _, points := range []int{1, 4, 5, 23} {
		var row []spot
		for _, n := range order(points) {
			row = append(row, spot{n: n})
		}
		rows = append(rows, row)
	}
	tried := map[string]int{}
	for which := range 5 {
		for r, row := range share(t, rows, fmt.Sprintf("%d/5", which+1)) {
			for _, s := range row {
				tried[fmt.Sprint(r, " ", s.n)]++
			}
		}
	}
	for r, row := range rows {
		for _, s := range row {
			if n := tried[fmt.Sprint(r, " ", s.n)]; n != 1 {
				t.Errorf("point %d of row %d is in %d shares", s.n, r, n)
			}
		}
	}
}
