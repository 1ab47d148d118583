package bench

// page is docs/performance.md without what was measured.
const page = `# What it costs

Measured by ` + "`make bench`" + `, which writes this page and fails where a target (the design, section 15) is missed. A ratio
compares with the floor that was measured in the same run, turn by turn beside it, each the best of several turns: noise
only ever adds. Times are of one machine and worth little elsewhere; ratios are what is promised. *Processor time* is the ratio of
the time that all processes of both spent computing, children included: what a second core hides is in it. What has no target
is told, not promised.

{{figures}}
A rollback first preserves what it takes back, which ` + "`git checkout`" + ` does not. The output that is drained is that of a job that is
over, by ` + "`pkg/job`" + ` in a process of its own; memory does not keep what a sync is for, so the target is for the disk.

## What crosses the network

Over git's own http server, counted there. A conversation begins with an advertisement of refs; bytes are of both directions.

{{network}}
## A resume where everything is certified

*One ` + "`git diff`" + ` a step* is what the reconciliation loop does that asks ` + "`git diff --quiet <certificate> -- <touches>`" + ` for each step.
The ratio is promised for large runs: in small ones it is the start of a few more processes.

{{grid}}
## How it grows

An exponent of 1 is a cost (of processor time) that grows as the size does; less is better than that. More than linear is a miss, and
so is any growth with what lies below the base. The number of git's processes must be the same at both ends.

{{growth}}
## What misses, and what the rest is made of

{{misses}}
`
