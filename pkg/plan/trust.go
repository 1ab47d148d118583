package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"maps"
	"slices"
	"strconv"
	"time"
)

// Command is one command of a plan with all that decides what it does when it
// runs: what a person looks at before trusting the plan, and what the digest
// covers (the design, section 12).
type Command struct {
	Where   string // "setup 1", "fingerprint 1", "step s05 do", "step s05 check 1"
	Step    string // the step's id, "" for the plan's own
	Run     string // run by sh -c
	Timeout time.Duration
	Dir     string
	Env     map[string]string
}

// String is the command on one line, as [Check.String].
func (c Command) String() string {
	return c.Where + ": " + Check{c.Run, c.Timeout, c.Dir, c.Env}.String()
}

// Commands lists every command of a plan in the order of its text.
func Commands(p *Plan) []Command {
	var out []Command
	for i, run := range p.Setup {
		out = append(out, Command{Where: "setup " + strconv.Itoa(i+1), Run: run})
	}
	for i, run := range p.Fingerprint {
		out = append(out, Command{Where: "fingerprint " + strconv.Itoa(i+1), Run: run})
	}
	for _, s := range p.Steps {
		if s.Do != "" {
			out = append(out, Command{Where: "step " + s.ID + " do", Step: s.ID, Run: s.Do})
		}
		for i, c := range s.Check {
			where := fmt.Sprintf("step %s check %d", s.ID, i+1)
			out = append(out, Command{where, s.ID, c.Run, c.Timeout, c.Dir, c.Env})
		}
	}
	return out
}

// Digest is what trust is remembered for, "sha256:<hex>": the run, the plan
// version, the base commit, the variables that a strict environment lets
// through, and every command with its directory, environment and timeout. It
// covers exactly what [Commands] shows, and two plans that differ in any of it
// never have the same encoding. Titles, briefs and paths are not covered.
func (p *Plan) Digest(run string, version int, base string) string {
	h := digest{sha256.New()}
	h.add("git-agent plan trust 1", run, strconv.Itoa(version), base)
	h.list(p.PassEnv)
	commands := Commands(p)
	h.add(strconv.Itoa(len(commands)))
	for _, c := range commands {
		h.add(c.Where, c.Run, c.Dir, strconv.FormatInt(int64(c.Timeout), 10))
		h.add(strconv.Itoa(len(c.Env)))
		for _, name := range slices.Sorted(maps.Keys(c.Env)) {
			h.add(name, c.Env[name])
		}
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// digest hashes texts, each behind its length, so that no two sequences of
// texts run together into the same bytes.
type digest struct{ hash.Hash }

func (d digest) add(texts ...string) {
	for _, s := range texts {
		_, _ = fmt.Fprintf(d, "%d:%s,", len(s), s) // a hash never fails to take bytes
	}
}

func (d digest) list(texts []string) {
	d.add(strconv.Itoa(len(texts)))
	d.add(texts...)
}
