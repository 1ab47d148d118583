package trailers

import (
	"fmt"
	"slices"
	"strings"
)

// readSquash reads a block with several Agent-Step trailers. It is a squash
// where every group is evidence by itself and all are of one run, which may
// be named once for all of them; otherwise it is damage.
func readSquash(block []Trailer) Reading {
	r := Reading{Kind: Squash}
	c := collect(block)
	runs := slices.Compact(slices.Sorted(slices.Values(c.values(fieldRun))))
	if len(runs) > 1 {
		c.fault("several runs in one block: %s", strings.Join(runs, ", "))
	}
	for i, group := range splitGroups(block) {
		e, faults := readEvidence(append(firstRun(runs), group...))
		r.Groups = append(r.Groups, e)
		for _, f := range faults {
			c.fault("group %d: %s", i+1, f)
		}
	}
	if len(c.faults) == 0 {
		return r
	}
	several := fmt.Sprintf("%d %s trailers where one may stand, and no squash made for landing either", len(r.Groups), KeyStep)
	return judged(r, append([]string{several}, c.faults...))
}

func firstRun(runs []string) []Trailer {
	if len(runs) == 0 {
		return nil
	}
	return []Trailer{{KeyRun, runs[0]}}
}

// splitGroups cuts a block before each Agent-Step. What stands before the
// first goes to the first group; run trailers are dropped.
func splitGroups(block []Trailer) [][]Trailer {
	var groups [][]Trailer
	var preamble []Trailer
	for _, t := range block {
		switch {
		case strings.EqualFold(t.Key, KeyRun):
		case strings.EqualFold(t.Key, KeyStep):
			groups = append(groups, append(preamble, t))
			preamble = nil
		case len(groups) == 0:
			preamble = append(preamble, t)
		default:
			groups[len(groups)-1] = append(groups[len(groups)-1], t)
		}
	}
	return groups
}
