package demo

import (
	"fmt"
	"regexp"
	"strings"
)

// step is how the agent does a step: the brief that git agent prints for the
// next one goes to a file.
const step = "git agent step -- sh ../agent >../brief"

// begin makes the project, its remote and the run.
func (s *stage) begin() error {
	s.tell("A small project with a bare remote. Machine one has a home of its own.")
	s.enter("one")
	if err := s.all(
		"git init -q -b main . && cp -R ../project/. .",
		"git add . && git commit -q -m 'tests, no program yet'",
		"git clone -q --bare . ../origin.git",
		"git remote add origin ../origin.git",
	); err != nil {
		return err
	}
	s.tell("The plan: five steps, each with the command that decides if it worked.")
	if err := s.all("head -n 12 ../plan.yaml"); err != nil {
		return err
	}
	out, err := s.run("git agent start ../plan.yaml --run demo")
	if err != nil {
		return err
	}
	return out.has("`git agent start` to begin with s01", "next: git agent step s01")
}

// certify does three steps.
func (s *stage) certify() error {
	s.tell("An agent (here a script that copies files) does three steps. git agent",
		"runs the check, commits what it saw pass, and pushes, each time.")
	for i := 1; i <= 3; i++ {
		out, err := s.run(step)
		if err != nil {
			return err
		}
		id := fmt.Sprintf("s%02d", i)
		found := regexp.MustCompile(id + `: certified as ([0-9a-f]+)`).FindStringSubmatch(out.text)
		if found == nil {
			return out.surprise(id + " to be certified")
		}
		s.certified = append(s.certified, found[1])
	}
	return nil
}

// kill ends machine one in the middle of step four: git agent, and the job that
// would go on without it.
func (s *stage) kill() error {
	s.tell("Step four writes two files, a minute apart. Between them everything is killed.")
	job, err := s.start("PAUSE=60 " + step + " &")
	if err != nil {
		return err
	}
	pid, err := s.halfDone(job)
	if err != nil {
		return err
	}
	alive, err := s.jobOf("s04")
	if err != nil {
		return err
	}
	if err := s.all(fmt.Sprintf("kill -9 %d %s", pid, alive)); err != nil {
		return err
	}
	if err := job.killed(); err != nil {
		return err
	}
	out, err := s.run("ls render")
	if err != nil {
		return err
	}
	if !out.lists(s.firstHalf()) || out.lists(s.secondHalf()) {
		return out.surprise("one of two files of s04")
	}
	return nil
}

// elsewhere resumes in a fresh clone: nothing certified is checked again.
func (s *stage) elsewhere() error {
	s.tell("Machine two: another home, a fresh clone, and nothing else. The plan comes",
		"from a remote, so its commands run only after --trust.")
	s.enter("two")
	if err := s.all("git clone -q ../origin.git ."); err != nil {
		return err
	}
	out, err := s.run("git agent resume demo --trust")
	if err != nil {
		return err
	}
	if err := out.has("s04 to be next", "next: git agent step s04"); err != nil {
		return err
	}
	for i, commit := range s.certified {
		id := fmt.Sprintf("s%02d", i+1)
		proven := regexp.MustCompile(id + ` .* certified, (tree identical|its paths unchanged) +` + commit)
		if !proven.MatchString(out.text) {
			return out.surprise(id + " to be proven by " + commit + " alone, without running its check")
		}
	}
	s.tell("Three steps are proven by their commits alone: no check ran again.")
	return nil
}

// preserved goes back to the old clone: its half step is kept, out of the way.
func (s *stage) preserved() error {
	s.tell("Machine one comes back. Half a step does not pass: it is set aside.")
	s.enter("one")
	out, err := s.run("git agent resume")
	if err != nil {
		return err
	}
	if err := out.has("s04 to be kept and rolled back", "partial work kept"); err != nil {
		return err
	}
	list, err := s.run("git agent stash list")
	if err != nil {
		return err
	}
	if err := list.has("one stash of s04", "refs/agent-stash/demo/s04/1"); err != nil {
		return err
	}
	show, err := s.run("git agent stash show demo/s04/1")
	if err != nil {
		return err
	}
	return show.has("the half that was written", s.firstHalf())
}

// finish does the last two steps on machine two.
func (s *stage) finish() error {
	s.tell("Machine two does what is left.")
	s.enter("two")
	for _, id := range []string{"s04", "s05"} {
		out, err := s.run(step)
		if err != nil {
			return err
		}
		if err := out.has(id+" to be certified", id+": certified as "); err != nil {
			return err
		}
	}
	s.tell("The certified history, which is ordinary commits on a branch:")
	out, err := s.run("git agent log")
	if err != nil {
		return err
	}
	for i := 1; i <= 5; i++ {
		if id := fmt.Sprintf(" s%02d ", i); strings.Count(out.text, id) != 1 {
			return out.surprise("one certificate of" + id)
		}
	}
	if out, err = s.run("git log -1 --format=%B"); err != nil {
		return err
	}
	if err := out.has("the evidence in the commit", "Agent-Step: s05", "exit=0"); err != nil {
		return err
	}
	s.tell("Five steps, each certified once. The killed one was done again, alone.")
	return nil
}
