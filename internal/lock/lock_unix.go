//go:build unix

package lock

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

func take(f *os.File, alone bool) error {
	how := unix.LOCK_SH
	if alone {
		how = unix.LOCK_EX
	}
	for {
		err := unix.Flock(int(f.Fd()), how|unix.LOCK_NB)
		switch {
		case errors.Is(err, unix.EINTR):
		case errors.Is(err, unix.EWOULDBLOCK):
			return errHeld
		case errors.Is(err, errors.ErrUnsupported), errors.Is(err, unix.ENOLCK), errors.Is(err, unix.EINVAL):
			return ErrNoSupport
		default:
			return err
		}
	}
}

func downgrade(f *os.File) error { return take(f, false) }

func release(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_UN) }
