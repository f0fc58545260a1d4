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
)

// TempPrefix begins the names of temporary files. They are .tmp.<place>.<pid>.<random>.
const TempPrefix = ".tmp."

// place identifies the set of processes with distinct pids: the host and, where the system reports
// it, the namespace of pids (containers may share the host's name).
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

// TempNameOf returns a new temporary name of a process of this host.
func TempNameOf(pid int) string {
	return TempPrefix + place + "." + strconv.Itoa(pid) + "." + rand.Text()
}

// Temporary reports whether a name is the name of a temporary file.
func Temporary(name string) bool {
	_, _, ok := owner(name)
	return ok
}

// Abandoned reports whether a name is the name of a temporary file whose process, of this host, has ended.
func Abandoned(name string) bool {
	where, pid, ok := owner(name)
	return ok && where == place && !alive(pid)
}

// owner returns the place and the process that a temporary name names.
func owner(name string) (where string, pid int, ok bool) {
	tail, ok := strings.CutPrefix(name, TempPrefix)
	part := strings.Split(tail, ".")
	if !ok || len(part) != 3 {
		return "", 0, false
	}
	pid, err := strconv.Atoi(part[1])
	return part[0], pid, err == nil && pid > 0
}

// alive reports whether a process of this host exists, also one of another user.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer p.Release()
	return !errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}

// Sweep removes the files of a folder, not of those below it, whose names are leftovers: [Abandoned], or [Temporary] where the caller
// knows that no other process writes there. A folder that is not there has none. It returns the number of files
// removed, and the joined errors of those that could not be.
func Sweep(fsys FS, dir string, leftover func(name string) bool) (removed int, err error) {
	entries, err := fsys.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	var errs []error
	for _, e := range entries {
		if e.IsDir() || !leftover(e.Name()) {
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
