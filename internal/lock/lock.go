// Package lock lets one process at a time, or several that agree to share, work in a folder. The system drops a lock when its process
// ends, however it ends.
package lock

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Name is the name of the file in the folder on which the lock is taken. It is empty while nobody holds the lock, unless the holder was
// killed. It stays when the lock is released.
const Name = "lock"

// ErrNoSupport is the error of a file system that has no locks.
var ErrNoSupport = errors.New("the file system has no locks")

// errHeld is returned by take if another process has the lock.
var errHeld = errors.New("held")

// HeldError is the error about a lock that another process has.
type HeldError struct{ Path, Holder string }

// Error returns which process has the lock.
func (e *HeldError) Error() string {
	return fmt.Sprintf("%s: in use by %s", filepath.Dir(e.Path), e.Holder)
}

// Lock is a lock that this process has.
type Lock struct{ f *os.File }

const (
	sharing = ", with -shard" // ends what a holder that shares writes
	tries   = 20              // to read who has the lock
	pause   = 10 * time.Millisecond
)

// Take locks an existing folder. With share, other processes with share may hold the lock at the
// same time. Take calls alone if and while no other process holds the lock. Errors: *HeldError;
// ErrNoSupport, and then nothing is locked and alone is not called; errors of the file system,
// which name the path.
func Take(dir string, share bool, alone func()) (*Lock, error) {
	path := filepath.Join(dir, Name)
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() { // what a link points to is not ours
		return nil, fmt.Errorf("%s: expected a regular file, or none", path)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	l := &Lock{f}
	holder := ""
	for n := 0; n < tries; n++ {
		if err = take(f, true); err == nil {
			return l, l.hold(share, alone)
		}
		if !errors.Is(err, errHeld) {
			break
		}
		holder = l.holder()
		if share && strings.HasSuffix(holder, sharing) {
			if err = take(f, false); err == nil {
				return l, nil
			}
			n = 0 // the holder is sweeping and will share: keep waiting
		} else if holder != "" {
			break
		}
		time.Sleep(pause)
	}
	_ = f.Close() // nothing was written
	if errors.Is(err, errHeld) {
		err = &HeldError{path, cmp.Or(holder, "another process")}
	}
	return nil, err
}

// hold writes down who has the lock, and shares it if that is asked for.
func (l *Lock) hold(share bool, alone func()) error {
	host, _ := os.Hostname() // only informs
	text := fmt.Sprintf("process %d on %s", os.Getpid(), host)
	if share {
		text += sharing
	}
	err := l.f.Truncate(0)
	if err == nil {
		_, err = l.f.WriteAt([]byte(text), 0)
	}
	if err != nil {
		_ = l.f.Close() // drops the lock
		return err
	}
	alone()
	if share {
		return downgrade(l.f)
	}
	return nil
}

// holder returns who has the lock, as the holder wrote it down.
func (l *Lock) holder() string {
	text, _ := io.ReadAll(io.NewSectionReader(l.f, 0, 1000)) // only informs
	return string(text)
}

// Release gives the lock back; a nil lock is none. What was written down is erased when no other process has the lock.
func (l *Lock) Release() {
	if l == nil {
		return
	}
	if release(l.f) == nil && take(l.f, true) == nil {
		_ = l.f.Truncate(0) // only informs
		_ = release(l.f)    // a child that is being started has the file open until it runs
	}
	_ = l.f.Close()
}
