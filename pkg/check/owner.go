package check

import "fmt"

// Owner identifies one process on one machine across reboots and containers.
// It is for diagnosis and for proof of death, never for mutual exclusion:
// that is a lock's business.
type Owner struct {
	// Machine tells machines apart as well as that can be done without
	// privileges; "" where it cannot.
	Machine string `json:"machine,omitempty"`
	// Boot is the kernel's id of this boot.
	Boot string `json:"boot"`
	// PIDNS is the pid namespace, "" where there are none.
	PIDNS string `json:"pidns,omitempty"`
	PID   int    `json:"pid"`
	// Start is when the process started, in the system's own unit: it is
	// compared, never computed with.
	Start uint64 `json:"start"`
}

// ownerOf identifies a child of ours that was not waited for: until then its
// number is nobody else's.
func ownerOf(pid int) (Owner, error) {
	o, err := Self()
	if err != nil {
		return Owner{}, err
	}
	start, state := lookAt(pid)
	if state != lifeRunning {
		return Owner{}, fmt.Errorf("process %d has ended already, or is not shown", pid)
	}
	o.PID, o.Start = pid, start
	return o, nil
}

// life is what can be seen of a pid in our own namespace.
type life int

const (
	lifeUnknown life = iota // not readable: proves nothing
	lifeGone                // no such process, or a dead one not waited for
	lifeRunning
)

// Dead reports whether the process is gone, and whether that answer is a
// proof. It is one inside the same boot and pid namespace, by pid and start
// time; after a reboot of the same machine everything of an earlier boot is
// gone. Another pid namespace, another or an unnamed machine prove nothing:
// (false, false), and whoever asked neither adopts nor closes.
func (o Owner) Dead() (dead, provable bool) {
	self, err := Self()
	if err != nil || o.PID <= 0 || o.Boot == "" {
		return false, false
	}
	if o.Boot != self.Boot {
		rebooted := o.Machine != "" && o.Machine == self.Machine
		return rebooted, rebooted
	}
	if o.PIDNS != self.PIDNS {
		return false, false
	}
	start, state := lookAt(o.PID)
	if state == lifeUnknown {
		return false, false
	}
	return state == lifeGone || start != o.Start, true
}

// Gone reports a proven death: what nobody can tell is no.
func (o Owner) Gone() bool {
	dead, provable := o.Dead()
	return dead && provable
}
