package disk

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// TempPrefix begins the names of temporary files. They are .tmp.<place>.<pid>.<random>.
const TempPrefix = ".tmp."

// TempAge is when a temporary file counts as left behind whoever may own it.
const TempAge = time.Hour

// place stands for the set of processes among which a pid means something: the host and,
// where the system tells, the namespace of pids (containers may share the host's name).
var place = func() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	host = strings.Map(func(r rune) rune {
		if r < 0x80 && (r == '-' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z') {
			return r
		}
		return '_'
	}, host)
	ns, err := os.Readlink("/proc/self/ns/pid") // pid:[4026531836]
	if err != nil {
		return host
	}
	return host + "+" + strings.Trim(ns, "pid:[]")
}()

func tempName() string { return TempNameOf(os.Getpid()) }

// TempNameOf returns a new temporary name of a process of this host.
func TempNameOf(pid int) string {
	return TempPrefix + place + "." + strconv.Itoa(pid) + "." + rand.Text()
}

// Leftover reports whether the file of that name in dir is a temporary one that nobody will
// rename: its process, of this host, is gone, or it is older than [TempAge].
func Leftover(fsys FS, dir, name string) bool {
	tail, ok := strings.CutPrefix(name, TempPrefix)
	if !ok {
		return false
	}
	part := strings.Split(tail, ".")
	if len(part) != 3 {
		return false // not ours
	}
	pid, err := strconv.Atoi(part[1])
	if err != nil || pid <= 0 {
		return false
	}
	return part[0] == place && !alive(pid) || Older(fsys, filepath.Join(dir, name), TempAge)
}

// Older reports whether path is a regular file that was last changed longer than age ago.
func Older(fsys FS, path string, age time.Duration) bool {
	info, err := fsys.Lstat(path)
	return err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > age
}

// alive reports whether a process of this host is there. One that may not be signalled is.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer p.Release()
	return !errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}

// Sweep removes the leftovers (see [Leftover]) in a folder, not in those below it. Running
// processes that share it lose nothing, and a folder that is not there has none. It returns
// the number of files removed, and the joined errors of those that could not be.
func Sweep(fsys FS, dir string) (removed int, err error) {
	entries, err := fsys.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	var errs []error
	for _, e := range entries {
		if e.IsDir() || !Leftover(fsys, dir, e.Name()) {
			continue
		}
		switch err := fsys.Remove(filepath.Join(dir, e.Name())); {
		case errors.Is(err, fs.ErrNotExist): // another process was faster
		case err != nil:
			errs = append(errs, err)
		default:
			removed++
		}
	}
	return removed, errors.Join(errs...)
}
