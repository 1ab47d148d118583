package trace

import (
	"bufio"
	"fmt"
	"io"
	"path"
	"strings"
)

// maxLine bounds a line of a recording: argument lists are recorded too.
const maxLine = 64 << 20

// Read reads a recording of [Argv]. dir is the folder that the command began
// in, as the kernel names it.
func Read(recording io.Reader, dir string) (*Facts, error) {
	r := &reader{dir: dir, lines: lines{unfinished: map[string]string{}}, cwd: map[string]string{}, parent: map[string]string{},
		reads: set{}, lists: set{}, programs: set{}, peers: set{}, made: set{}}
	scanner := bufio.NewScanner(recording)
	scanner.Buffer(make([]byte, 64<<10), maxLine)
	for scanner.Scan() {
		if c, done := r.lines.next(scanner.Text()); done {
			r.take(c)
		}
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("read the recording: %w", err)
	}
	return &Facts{Reads: r.reads.sorted(), Lists: r.lists.sorted(), Programs: r.programs.sorted(), Peers: r.peers.sorted(), Began: r.began}, nil
}

// reader is what is known while a recording is read.
type reader struct {
	lines
	dir    string
	began  bool
	last   string            // the process that spoke last: a new one is most often its child
	cwd    map[string]string // by process
	parent map[string]string
	made   set // by the command itself: no input

	reads, lists, programs, peers set
}

// askers answer questions about a name.
var askers = map[string]bool{
	"stat": true, "lstat": true, "stat64": true, "lstat64": true, "access": true, "readlink": true, "newfstatat": true, "fstatat64": true,
	"statx": true, "faccessat": true, "faccessat2": true, "readlinkat": true,
}

// take learns from one call.
func (r *reader) take(c call) {
	r.meet(c.pid)
	switch c.name {
	case "execve", "execveat":
		r.execute(c)
	case "open", "openat", "openat2", "creat":
		r.open(c)
	case "getdents64", "getdents":
		r.list(c)
	case "chdir", "fchdir":
		r.changeDir(c)
	case "connect", "sendto":
		r.connect(c)
	case "fork", "vfork", "clone", "clone3":
		r.born(c)
	default:
		if askers[c.name] {
			r.ask(c)
		} else {
			r.make(c)
		}
	}
}

// meet gives a process that was not seen before its parent's folder. Its first
// words may come before its parent's call returns.
func (r *reader) meet(pid string) {
	if _, known := r.cwd[pid]; !known {
		from, told := r.parent[pid]
		if !told {
			from = r.last
		}
		r.cwd[pid] = r.dir
		if dir, known := r.cwd[from]; known {
			r.cwd[pid] = dir
		}
	}
	r.last = pid
}

func (r *reader) born(c call) {
	if !c.ok() {
		return
	}
	child := strings.Fields(c.result)[0]
	r.parent[child] = c.pid
	if _, spoke := r.cwd[child]; !spoke {
		r.cwd[child] = r.cwd[c.pid]
	}
}

// path is what a call names. With a descriptor in front it is relative to that.
func (r *reader) path(c call) (string, bool) { return r.pathAt(c, 0, relative[c.name]) }

// relative are the calls that have a folder's descriptor in front of a path: by
// name, since stat, lstat and creat end like them and have none.
var relative = map[string]bool{
	"openat": true, "openat2": true, "execveat": true, "newfstatat": true, "fstatat64": true, "statx": true, "faccessat": true, "faccessat2": true,
	"readlinkat": true, "mkdirat": true, "mknodat": true, "symlinkat": true, "linkat": true, "renameat": true, "renameat2": true,
}

func (r *reader) pathAt(c call, i int, at bool) (string, bool) {
	base := r.cwd[c.pid]
	if at {
		if dir := behind(c.arg(i)); dir != "" {
			base = dir
			if strings.HasPrefix(c.arg(i), "AT_FDCWD") {
				r.cwd[c.pid] = dir
			}
		}
		i++
	}
	name, ok := quoted(c.arg(i))
	if !ok || name == "" {
		return "", false
	}
	if !path.IsAbs(name) {
		name = base + "/" + name
	}
	return path.Clean(name), true
}

func (r *reader) execute(c call) {
	name, ok := r.path(c)
	if !ok || !c.ok() {
		return
	}
	r.began = true
	r.programs[name] = true
	r.read(name)
}

// read notes an input; what the command made itself is none.
func (r *reader) read(name string) {
	for at := name; at != "/" && at != "."; at = path.Dir(at) {
		if r.made[at] {
			return
		}
	}
	r.reads[name] = true
}

func (r *reader) open(c call) {
	name, ok := r.path(c)
	if !ok || !c.ok() {
		return
	}
	how := strings.Join(c.args, " ")
	switch {
	case c.name == "creat", strings.Contains(how, "O_CREAT"), strings.Contains(how, "O_TRUNC"):
		if !r.reads[name] {
			r.made[name] = true
		}
	case strings.Contains(how, "O_WRONLY"), strings.Contains(how, "O_DIRECTORY"), strings.Contains(how, "O_PATH"):
	default:
		r.read(name)
		if real := behind(c.result); real != "" { // through a symbolic link
			r.read(real)
		}
	}
}

// ask is a question whether a name is there. A folder that is there says
// nothing yet.
func (r *reader) ask(c call) {
	if name, ok := r.path(c); ok && c.ok() && !strings.Contains(strings.Join(c.args, " "), "S_IFDIR") {
		r.read(name)
	}
}

func (r *reader) list(c call) {
	if dir := behind(c.arg(0)); dir != "" && c.ok() && !r.made[dir] {
		r.lists[dir] = true
	}
}

func (r *reader) changeDir(c call) {
	if !c.ok() {
		return
	}
	if c.name == "fchdir" {
		if dir := behind(c.arg(0)); dir != "" {
			r.cwd[c.pid] = dir
		}
		return
	}
	if dir, ok := r.path(c); ok {
		r.cwd[c.pid] = dir
	}
}

// make notes what comes into being: folders, links, the new name of a rename.
func (r *reader) make(c call) {
	target := -1
	switch c.name {
	case "mkdir", "mkdirat", "mknod", "mknodat":
		target = 0
	case "rename", "link", "symlink":
		target = 1
	case "symlinkat":
		target = 1
	case "renameat", "renameat2", "linkat":
		target = 2
	}
	if target < 0 || !c.ok() {
		return
	}
	if name, ok := r.pathAt(c, target, relative[c.name]); ok && !r.reads[name] {
		r.made[name] = true
	}
}
