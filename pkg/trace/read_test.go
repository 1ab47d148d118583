package trace

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const began = `7 execve("/bin/sh", ["/bin/sh", "-c", "x"], 0x7ffe /* 3 vars */) = 0` + "\n"

func read(t *testing.T, recording string) *Facts {
	t.Helper()
	f, err := Read(strings.NewReader(recording), "/r")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestRead_lines(t *testing.T) {
	for _, c := range []struct {
		name, recording string
		reads, lists    []string
	}{
		{"opened", `7 openat(AT_FDCWD</r>, "a", O_RDONLY|O_CLOEXEC) = 3</r/a>`, []string{"/r/a"}, nil},
		{"not there", `7 openat(AT_FDCWD</r>, "a", O_RDONLY) = -1 ENOENT (No such file or directory)`, nil, nil},
		{"absolute, to be cleaned", `7 open("/r/b/../a", O_RDONLY) = 3</r/a>`, []string{"/r/a"}, nil},
		{"through a link", `7 openat(AT_FDCWD</r>, "l", O_RDONLY) = 3</r/a>`, []string{"/r/a", "/r/l"}, nil},
		{"to write", `7 openat(AT_FDCWD</r>, "a", O_WRONLY) = 3</r/a>`, nil, nil},
		{"made, then read", `7 openat(AT_FDCWD</r>, "a", O_RDWR|O_CREAT|O_TRUNC, 0666) = 3</r/a>
7 openat(AT_FDCWD</r>, "a", O_RDONLY) = 3</r/a>`, nil, nil},
		{"read, then overwritten", `7 openat(AT_FDCWD</r>, "a", O_RDONLY) = 3</r/a>
7 openat(AT_FDCWD</r>, "a", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 3</r/a>`, []string{"/r/a"}, nil},
		{"in a folder it made", `7 mkdir("tmp", 0777) = 0
7 openat(AT_FDCWD</r>, "tmp/x", O_RDONLY) = 3</r/tmp/x>`, nil, nil},
		{"renamed to", `7 rename("x", "a") = 0
7 stat("a", {st_mode=S_IFREG|0644, st_size=1, ...}) = 0`, nil, nil},
		{"asked for", `7 newfstatat(AT_FDCWD</r>, "a", {st_mode=S_IFREG|0644, st_size=1, ...}, 0) = 0
7 access("b", R_OK) = 0`, []string{"/r/a", "/r/b"}, nil},
		{"asked for, as older libraries and musl do", `7 stat("a", {st_mode=S_IFREG|0644, st_size=1, ...}) = 0
7 lstat("b", {st_mode=S_IFREG|0644, st_size=1, ...}) = 0`, []string{"/r/a", "/r/b"}, nil},
		{"made by creat, then read", `7 creat("a", 0666) = 3</r/a>
7 openat(AT_FDCWD</r>, "a", O_RDONLY) = 4</r/a>`, nil, nil},
		{"a folder asked for", `7 newfstatat(AT_FDCWD</r>, "a", {st_mode=S_IFDIR|0755, st_size=1, ...}, 0) = 0`, nil, nil},
		{"a descriptor asked about", `7 newfstatat(3</r/a>, "", {st_mode=S_IFREG|0644, ...}, AT_EMPTY_PATH) = 0`, nil, nil},
		{"relative to a descriptor", `7 openat(5</r/d>, "x", O_RDONLY) = 6</r/d/x>`, []string{"/r/d/x"}, nil},
		{"listed", `7 getdents64(3</r/d>, 0x5591 /* 5 entries */, 32768) = 160`, nil, []string{"/r/d"}},
		{"folder changed", `7 chdir("d") = 0
7 access("x", F_OK) = 0`, []string{"/r/d/x"}, nil},
		{"by a descriptor", `7 fchdir(3</r/d>) = 0
7 access("x", F_OK) = 0`, []string{"/r/d/x"}, nil},
		{"a child inherits", `7 chdir("d") = 0
7 clone(child_stack=NULL, flags=CLONE_CHILD_SETTID|SIGCHLD, child_tidptr=0x7f) = 8
8 access("x", F_OK) = 0`, []string{"/r/d/x"}, nil},
		{"a child speaks first", `7 chdir("d") = 0
7 vfork( <unfinished ...>
8 access("x", F_OK) = 0
7 <... vfork resumed>) = 8`, []string{"/r/d/x"}, nil},
		{"cut in two", `7 openat(AT_FDCWD</r>, "a", O_RDONLY <unfinished ...>
8 access("/e", F_OK) = 0
7 <... openat resumed>) = 3</r/a>`, []string{"/e", "/r/a"}, nil},
		{"escapes", `7 openat(AT_FDCWD</r>, "\303\251\"\n>, x)", O_RDONLY) = 4</r/\303\251\"\n\76, x)>`, []string{"/r/é\"\n>, x)"}, nil},
		{"noise", "7 --- SIGCHLD {si_signo=SIGCHLD} ---\n7 +++ exited with 0 +++\nrubbish\n7 openat(AT_FDCWD</r>, \"cut", nil, nil},
	} {
		f := read(t, began+c.recording+"\n")
		reads := slices.DeleteFunc(f.Reads, func(p string) bool { return p == "/bin/sh" })
		if !slices.Equal(reads, c.reads) && len(reads)+len(c.reads) > 0 {
			t.Errorf("%s: read %q, want %q", c.name, reads, c.reads)
		}
		if !slices.Equal(f.Lists, c.lists) && len(f.Lists)+len(c.lists) > 0 {
			t.Errorf("%s: listed %q, want %q", c.name, f.Lists, c.lists)
		}
	}
}

func TestRead_peers(t *testing.T) {
	f := read(t, began+`7 connect(3<socket:[1]>, {sa_family=AF_INET, sin_port=htons(443), sin_addr=inet_addr("192.0.2.1")}, 16) = -1 EINPROGRESS (Operation now in progress)
7 connect(4<socket:[2]>, {sa_family=AF_INET6, sin6_port=htons(53), sin6_flowinfo=htonl(0), inet_pton(AF_INET6, "::1", &sin6_addr), sin6_scope_id=0}, 28) = 0
7 connect(4<socket:[2]>, {sa_family=AF_UNIX, sun_path="/run/x"}, 110) = 0
7 connect(4<socket:[2]>, {sa_family=AF_UNIX, sun_path="/run/nscd"}, 110) = -1 ENOENT (No such file or directory)
7 sendto(5<socket:[3]>, "q, \"", 3, 0, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("192.0.2.53")}, 16) = 3
`)
	want := []string{"192.0.2.1:443", "192.0.2.53:53", "[::1]:53", "unix:/run/x"}
	if !slices.Equal(f.Peers, want) {
		t.Errorf("peers %q, want %q", f.Peers, want)
	}
}

// A recording without the command is no recording of "nothing".
func TestRead_notBegun(t *testing.T) {
	if read(t, "").Began || !read(t, began).Began {
		t.Error("whether the command is in the recording is not told")
	}
}

// TestRead_real has the real strace record a real command.
func TestRead_real(t *testing.T) {
	if _, err := exec.LookPath(Program); err != nil {
		t.Skip("strace is not installed")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"a": "1\n", "d/b": "2\n", "d/c": "3\n", "unread": "4\n"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(t.TempDir(), "recording")
	argv := Argv(file, `cat a > made; cat made > /dev/null; (cd d && cat b > /dev/null & wait); ls d > /dev/null; test -e none; exit 3`)
	c := exec.Command(argv[0], argv[1:]...)
	c.Dir = dir
	if out, err := c.CombinedOutput(); c.ProcessState.ExitCode() != 3 {
		t.Skipf("strace cannot trace here: %v %s", err, out)
	}
	recording, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Read(bytes.NewReader(recording), dir)
	if err != nil || !f.Began {
		t.Fatalf("%v, began %v", err, f != nil && f.Began)
	}
	var here []string
	for _, p := range f.Reads {
		if rel, ok := strings.CutPrefix(p, dir+"/"); ok {
			here = append(here, rel)
		}
	}
	if want := []string{"a", "d/b"}; !slices.Equal(here, want) {
		t.Errorf("read %q, want %q", here, want)
	}
	if want := []string{filepath.Join(dir, "d")}; !slices.Equal(f.Lists, want) {
		t.Errorf("listed %q, want %q", f.Lists, want)
	}
	if !slices.ContainsFunc(f.Programs, func(p string) bool { return filepath.Base(p) == "cat" }) {
		t.Errorf("programs %q", f.Programs)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(began)
	f.Add(`7 openat(AT_FDCWD</r>, "\303\251\"\n>, x)", O_RDONLY) = 4</r/\303\251\"\n\76, x)>`)
	f.Add("7 vfork( <unfinished ...>\n7 <... vfork resumed>) = 8\n")
	f.Fuzz(func(t *testing.T, recording string) {
		facts, err := Read(strings.NewReader(recording), "/r")
		if err != nil {
			return
		}
		for _, p := range facts.Reads {
			if !strings.HasPrefix(p, "/") {
				t.Errorf("read %q, which is not absolute", p)
			}
		}
	})
}
