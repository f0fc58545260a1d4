package lock

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// far returns the place of a byte after the file's content, because Windows keeps others from
// reading locked bytes.
func far() *windows.Overlapped { return &windows.Overlapped{OffsetHigh: 1} }

func take(f *os.File, alone bool) error {
	how := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if alone {
		how |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	err := windows.LockFileEx(windows.Handle(f.Fd()), how, 0, 1, 0, far())
	switch {
	case errors.Is(err, windows.ERROR_LOCK_VIOLATION):
		return errHeld
	case errors.Is(err, errors.ErrUnsupported), errors.Is(err, windows.ERROR_INVALID_FUNCTION):
		return ErrNoSupport
	}
	return err
}

// downgrade takes the lock that is shared before it drops the other: of two locks of one handle the first unlock drops the exclusive one.
func downgrade(f *os.File) error {
	if err := take(f, false); err != nil {
		return err
	}
	return release(f)
}

func release(f *os.File) error {
	return windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, far())
}
