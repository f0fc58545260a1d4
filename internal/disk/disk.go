// Package disk writes files atomically: it writes and syncs a temporary file, renames it and syncs
// the folder. Whatever interrupts it, a process that is killed, a power cut, a full disk, leaves
// the file that was there before or the new one. What a killed process leaves behind is a temporary
// file that [Sweep] knows.
//
// All of it works on an [FS], so that tests can put faults in the way; [OS] is the real one.
package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// FS has the operations of a file system that this project uses. Errors name the path and, like the
// errors of package os, wrap fs.ErrNotExist for a missing file.
type FS interface {
	Open(path string) (io.ReadCloser, error)
	Stat(path string) (fs.FileInfo, error)
	Lstat(path string) (fs.FileInfo, error)
	ReadDir(path string) ([]fs.DirEntry, error) // sorted by name

	Create(path string) (File, error) // for writing; fails if it is there
	Rename(from, to string) error     // within one folder; replaces an existing file
	Remove(path string) error
	Mkdir(path string) error
	SyncDir(path string) error // makes the folder's entries durable
}

// File is a file that is being written.
type File interface {
	io.Writer
	Sync() error // makes what was written durable
	Close() error
}

// OS is the system's file system.
type OS struct{}

// Open is os.Open.
func (OS) Open(path string) (io.ReadCloser, error) { return os.Open(path) }

// Stat is os.Stat.
func (OS) Stat(path string) (fs.FileInfo, error) { return os.Stat(path) }

// Lstat is os.Lstat.
func (OS) Lstat(path string) (fs.FileInfo, error) { return os.Lstat(path) }

// ReadDir is os.ReadDir.
func (OS) ReadDir(path string) ([]fs.DirEntry, error) { return os.ReadDir(path) }

// Create makes a file with the permissions that the umask leaves of 0666.
func (OS) Create(path string) (File, error) {
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
}

// Rename is os.Rename.
func (OS) Rename(from, to string) error { return os.Rename(from, to) }

// Remove is os.Remove.
func (OS) Remove(path string) error { return os.Remove(path) }

// Mkdir makes a folder with the permissions that the umask leaves of 0777.
func (OS) Mkdir(path string) error { return os.Mkdir(path, 0o777) }

// SyncDir syncs a folder. File systems that cannot are taken at their word.
func (OS) SyncDir(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil
}
