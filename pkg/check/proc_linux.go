package check

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// stat is what we need of /proc/<pid>/stat, proc(5).
type stat struct {
	state byte
	ppid  int
	pgrp  int
	start uint64 // clock ticks since the boot
}

func readStat(pid int) (stat, error) {
	raw, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return stat{}, err
	}
	return parseStat(raw)
}

// parseStat reads behind the last parenthesis: the process name before it may
// hold anything, blanks and parentheses too.
func parseStat(raw []byte) (stat, error) {
	fields := bytes.Fields(raw[bytes.LastIndexByte(raw, ')')+1:])
	if len(fields) < 20 || len(fields[0]) != 1 {
		return stat{}, errors.New("unexpected form of the stat file")
	}
	ppid, err := strconv.Atoi(string(fields[1]))
	if err != nil {
		return stat{}, fmt.Errorf("parent of the process: %w", err)
	}
	pgrp, err := strconv.Atoi(string(fields[2]))
	if err != nil {
		return stat{}, fmt.Errorf("group of the process: %w", err)
	}
	start, err := strconv.ParseUint(string(fields[19]), 10, 64)
	if err != nil {
		return stat{}, fmt.Errorf("start time of the process: %w", err)
	}
	return stat{state: fields[0][0], ppid: ppid, pgrp: pgrp, start: start}, nil
}

// pids lists every process that /proc shows.
func pids() ([]int, error) {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil, err
	}
	defer func() { _ = dir.Close() }()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	var all []int
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			all = append(all, pid)
		}
	}
	return all, nil
}

// descendants lists the processes below root. It is one look: what forks
// meanwhile is found by the next. Zombies count: one whose first thread alone
// ended looks the same.
func descendants(root int) map[int]stat {
	all, err := pids()
	if err != nil {
		return nil // the caller still sees that children are left
	}
	seen := make(map[int]stat, len(all))
	children := make(map[int][]int, len(all))
	for _, pid := range all {
		if st, err := readStat(pid); err == nil {
			seen[pid] = st
			children[st.ppid] = append(children[st.ppid], pid)
		}
	}
	found := make(map[int]stat)
	for queue := []int{root}; len(queue) > 0; queue = queue[1:] {
		for _, pid := range children[queue[0]] {
			if _, again := found[pid]; !again { // a look is not a snapshot
				found[pid] = seen[pid]
				queue = append(queue, pid)
			}
		}
	}
	return found
}

// signalIf signals pid if still holds after the process was pinned: between a
// look at /proc and a kill the number may have passed to a stranger. Kernels
// without pidfd_open(2) get the plain kill.
func signalIf(pid int, sig unix.Signal, still func() bool) {
	fd, err := unix.PidfdOpen(pid, 0)
	pinned := err == nil
	if pinned {
		defer func() { _ = unix.Close(fd) }()
	}
	if errors.Is(err, unix.ESRCH) || !still() {
		return
	}
	if pinned && unix.PidfdSendSignal(fd, sig, nil, 0) == nil {
		return
	}
	if !pinned {
		_ = unix.Kill(pid, sig) // what refuses to go shows in the next look
	}
}
