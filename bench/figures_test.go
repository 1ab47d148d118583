package bench

import (
	"fmt"
	"testing"
)

// figure is one line of the page.
type figure struct {
	what, floor string
	target      float64 // of the ratio; 0: none
	measure     func(t *testing.T) measured
}

type measured struct {
	floor, ours cost // the best of all turns
	note        string
}

func (m measured) ratio() float64 { return m.ours.wall.Seconds() / m.floor.wall.Seconds() }

func (m measured) cpu() float64 {
	return m.ours.cpu.Seconds() / max(m.floor.cpu.Seconds(), 0.0001)
}

// told is what was measured, with what it was measured on.
func (m measured) told(format string, args ...any) measured {
	m.note = fmt.Sprintf(format, args...)
	return m
}

const (
	theWalk    = "`git log --raw base..branch` and `git status`"
	byHand     = "`sh -c true`, `git add`, `git commit`, `git push`"
	theRecords = "`git log --format='%(trailers)'`"
	theTarget  = "`git for-each-ref` and `git log` of the target"
	toAFile    = "`cat` into a file, with as many syncs"
)

// figures stand in the order of the page. Whoever adds a command whose cost is
// promised adds a line; where it misses its target, a sentence in misses.
var figures = []figure{
	{what: "`git agent version`", floor: "a Go program that prints a line", target: 3, measure: startUp},
	{what: "`git agent status`, small", floor: "`git status`", measure: smallStatus},
	{what: "`resume`, everything certified", floor: theWalk, target: 1.5, measure: certified("resume {run}")},
	{what: "`status`", floor: theWalk, target: 1.5, measure: certified("status {run}")},
	{what: "`brief`", floor: theWalk, target: 1.5, measure: certified("brief {run}")},
	{what: "`step` without a job, over http", floor: byHand, target: 1.5, measure: step(few, overHTTP)},
	{what: "`step` without a job, into a folder", floor: byHand, target: 1.5, measure: step(few, intoFolder)},
	{what: "`step` without a job, many files, over http", floor: byHand, target: 1.5, measure: step(many, overHTTP)},
	{what: "`step` without a job, many files, into a folder", floor: byHand, target: 1.5, measure: step(many, intoFolder)},
	{what: "`log`", floor: theRecords, target: 1.5, measure: history("log {run}")},
	{what: "`log --json`", floor: theRecords, target: 1.5, measure: history("log {run} --json")},
	{what: "`verify`", floor: theRecords, target: 1.5, measure: history("verify agent-run/{run}")},
	{what: "the contents of many records", floor: theRecords, measure: contents},
	{what: "`status`, many records", floor: theRecords, measure: history("status {run}")},
	{what: "`brief`, many records", floor: theRecords, measure: history("brief {run}")},
	{what: "`preflight`, many records", floor: theRecords, measure: history("preflight {run}")},
	{what: "`preflight`", floor: theTarget, measure: preflight("r-7")},
	{what: "`preflight --item`", floor: theTarget, measure: preflight("--item ITEM-X")},
	{what: "`rollback`", floor: "`git checkout <boundary> -- .`", measure: rollback("git checkout HEAD -- .")},
	{what: "`rollback`, as one would keep the work too", floor: "`git stash push`", measure: rollback("git stash push -q")},
	{what: "draining a job's output, in memory", floor: toAFile, measure: drain("")},
	{what: "draining a job's output, on a disk", floor: toAFile, target: 2, measure: drain("/var/tmp")},
	{what: "`step` with a job that writes much", floor: "the job, into a file", measure: flood},
}

// fullOr is a size of the design, section 15, or a small one that only tries
// the bench.
func fullOr[T any](whole, little T) T {
	if full {
		return whole
	}
	return little
}

// turns are how often something is timed; 0 is once, without warming up.
func turns(n int) int { return fullOr(n, 0) }

func few() int  { return fullOr(1000, 200) }
func many() int { return fullOr(100_000, 300) }

func large() size {
	return fullOr(size{steps: 1000, rounds: 1, files: many()}, size{steps: 10, rounds: 1, files: many()})
}

// long is a run of many records, whose certificates change four files.
func long() size {
	return fullOr(size{steps: 1000, rounds: 10, files: 4000}, size{steps: 10, rounds: 3, files: few()})
}

func small() size { return size{steps: 10, rounds: 1, files: few()} }

func startUp(t *testing.T) measured {
	w := worldOf(t, small())
	return versus(t, turns(60), w.act("hello"), w.act("git-agent version"))
}

// smallStatus is what a person types all day: git finds the program first.
func smallStatus(t *testing.T) measured {
	w := worldOf(t, small())
	m := versus(t, turns(30), w.act("git status"), w.act("git agent status {run}"))
	return m.told("%d steps, %d files, %d processes of git and its own", w.size.steps, w.size.files, w.children("status {run}"))
}

// walk is what nobody who judges a run from its history can do without.
func (w *world) walk() act {
	return w.act("git log --raw -z --no-renames --first-parent "+w.base+".."+w.branch(), "git status --porcelain=v2 -z --untracked-files=all")
}

func certified(line string) func(t *testing.T) measured {
	return func(t *testing.T) measured {
		w := worldOf(t, large())
		m := versus(t, turns(11), w.walk(), w.act("git-agent "+line))
		return m.told("%d steps, %d files, %d processes of git", w.size.steps, w.size.files, w.children(line))
	}
}

func history(line string) func(t *testing.T) measured {
	return func(t *testing.T) measured {
		w := worldOf(t, long())
		m := versus(t, turns(7), w.records(), w.act("git-agent "+line))
		return m.told("%d certificates of %d steps, %d processes of git", w.size.steps*w.size.rounds, w.size.steps, w.children(line))
	}
}

func (w *world) records() act {
	return w.act("git log --format=%(trailers) " + w.base + ".." + w.branch())
}

// contents is what judging adds to reading the records: which contents the
// certificates have, by git's own means.
func contents(t *testing.T) measured {
	w := worldOf(t, long())
	return versus(t, turns(7), w.records(), w.walk()).told("no git agent: `git log --raw base..branch` and `git status`, which the next ones need")
}
