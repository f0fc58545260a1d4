// Package disktest is a file system in memory on which anything can go wrong at any step: the
// process is killed, the power is cut, a write is torn, an operation fails. It is for tests.
package disktest

import (
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"ogdl/internal/disk"
)

// Disk is a disk.FS in memory with one folder, "/". It knows what has been synced: a file's
// bytes are durable after its Sync, a folder's entries after its SyncDir, and not before. It is
// for one goroutine, and paths are absolute.
type Disk struct {
	root  *node
	steps []Step
	plan  map[int]fault
	dead  bool // the machine has stopped
}

// Step is one operation on a disk.
type Step struct {
	Op   string // open, read, stat, readdir; create, write, sync, close, rename, remove, mkdir, syncdir
	Path string // of a rename, the new one
}

// Changes reports whether the step changes the stored data or makes them durable.
func (s Step) Changes() bool {
	switch s.Op {
	case "open", "read", "stat", "readdir":
		return false
	}
	return true
}

// ErrStopped is the error of every operation once the machine has stopped.
var ErrStopped = errors.New("the machine has stopped")

type fault struct {
	err  error // nil: the machine stops before the step
	torn bool  // half of a write happens
}

// node is a file or folder.
type node struct {
	isDir    bool
	modified time.Time

	data   []byte
	synced bool // data are durable

	entries map[string]*node
	durable map[string]*node // entries as of the last SyncDir
	pending []change         // what happened to entries since
}

// change is what an operation did to a folder's entries: a name is gone, or names a node,
// or both at once, as a rename does.
type change struct {
	gone string
	name string
	node *node
}

// New returns an empty disk.
func New() *Disk { return &Disk{root: newFolder()} }

func newFolder() *node {
	return &node{isDir: true, modified: time.Now(), entries: map[string]*node{}, durable: map[string]*node{}}
}

// Steps returns what was done so far.
func (d *Disk) Steps() []Step { return d.steps }

// StopAt makes the machine stop just before its step k (0 is the next one): that and everything
// after it does not happen. If torn is true and step k writes, half of the bytes are written.
func (d *Disk) StopAt(k int, torn bool) { d.plan = map[int]fault{len(d.steps) + k: {torn: torn}} }

// FailAt makes step k (0 is the next one) fail with err. It has no effect then, but a write
// writes half, and a sync leaves the data as they are, not durable.
func (d *Disk) FailAt(k int, err error) { d.plan = map[int]fault{len(d.steps) + k: {err: err}} }

// step counts an operation and says whether it must not happen.
func (d *Disk) step(op, path string) error {
	if d.dead {
		return &fs.PathError{Op: op, Path: path, Err: ErrStopped}
	}
	f, planned := d.plan[len(d.steps)]
	d.steps = append(d.steps, Step{op, path})
	switch {
	case !planned:
		return nil
	case f.err == nil:
		d.dead = true
		return &fs.PathError{Op: op, Path: path, Err: ErrStopped}
	}
	return &fs.PathError{Op: op, Path: path, Err: f.err}
}

func (d *Disk) find(op, path string) (*node, error) {
	n := d.root
	for _, name := range strings.Split(filepath.ToSlash(filepath.Clean(path)), "/") {
		if name == "" {
			continue
		}
		if !n.isDir {
			return nil, &fs.PathError{Op: op, Path: path, Err: syscall.ENOTDIR}
		}
		if n = n.entries[name]; n == nil {
			return nil, &fs.PathError{Op: op, Path: path, Err: syscall.ENOENT}
		}
	}
	return n, nil
}

func (d *Disk) folder(op, path string) (*node, error) {
	n, err := d.find(op, path)
	if err == nil && !n.isDir {
		err = &fs.PathError{Op: op, Path: path, Err: syscall.ENOTDIR}
	}
	return n, err
}

// look makes a step that finds the node at a path.
func (d *Disk) look(op, path string) (*node, error) {
	if err := d.step(op, path); err != nil {
		return nil, err
	}
	return d.find(op, path)
}

// add is a step that puts a node at a path where nothing is.
func (d *Disk) add(op, path string, n *node) error {
	if err := d.step(op, path); err != nil {
		return err
	}
	dir, err := d.folder(op, filepath.Dir(path))
	if err != nil {
		return err
	}
	if dir.entries[filepath.Base(path)] != nil {
		return &fs.PathError{Op: op, Path: path, Err: syscall.EEXIST}
	}
	dir.change(change{name: filepath.Base(path), node: n})
	return nil
}

func (n *node) change(c change) {
	n.pending = append(n.pending, c)
	apply(n.entries, c)
}

func apply(entries map[string]*node, c change) {
	if c.gone != "" {
		delete(entries, c.gone)
	}
	if c.name != "" {
		entries[c.name] = c.node
	}
}

// Open implements disk.FS.
func (d *Disk) Open(path string) (io.ReadCloser, error) {
	n, err := d.look("open", path)
	return &reader{disk: d, path: path, node: n}, err
}

type reader struct {
	disk *Disk
	path string
	node *node
	at   int
}

func (r *reader) Read(p []byte) (int, error) {
	if err := r.disk.step("read", r.path); err != nil {
		return 0, err
	}
	if r.node.isDir {
		return 0, &fs.PathError{Op: "read", Path: r.path, Err: syscall.EISDIR}
	}
	if r.at == len(r.node.data) {
		return 0, io.EOF
	}
	n := copy(p, r.node.data[r.at:])
	r.at += n
	return n, nil
}

func (r *reader) Close() error { return nil }

// Stat implements disk.FS.
func (d *Disk) Stat(path string) (fs.FileInfo, error) {
	n, err := d.look("stat", path)
	if err != nil {
		return nil, err
	}
	return info{filepath.Base(path), n}, nil
}

// Lstat implements disk.FS; there are no links.
func (d *Disk) Lstat(path string) (fs.FileInfo, error) { return d.Stat(path) }

// ReadDir implements disk.FS.
func (d *Disk) ReadDir(path string) ([]fs.DirEntry, error) {
	if err := d.step("readdir", path); err != nil {
		return nil, err
	}
	n, err := d.folder("readdir", path)
	if err != nil {
		return nil, err
	}
	var out []fs.DirEntry
	for _, name := range slices.Sorted(maps.Keys(n.entries)) {
		out = append(out, fs.FileInfoToDirEntry(info{name, n.entries[name]}))
	}
	return out, nil
}

// Create implements disk.FS.
func (d *Disk) Create(path string) (disk.File, error) {
	n := &node{modified: time.Now()}
	if err := d.add("create", path, n); err != nil {
		return nil, err
	}
	return &writer{disk: d, path: path, node: n}, nil
}

type writer struct {
	disk *Disk
	path string
	node *node
}

func (w *writer) Write(p []byte) (int, error) {
	f := w.disk.plan[len(w.disk.steps)]
	err := w.disk.step("write", w.path)
	n := len(p)
	switch {
	case err != nil && (f.torn || f.err != nil):
		n /= 2
	case err != nil:
		n = 0
	}
	w.node.data, w.node.synced = append(w.node.data, p[:n]...), w.node.synced && n == 0
	return n, err
}

func (w *writer) Sync() error {
	if err := w.disk.step("sync", w.path); err != nil {
		return err
	}
	w.node.synced = true
	return nil
}

func (w *writer) Close() error { return w.disk.step("close", w.path) }

// Rename implements disk.FS, within one folder.
func (d *Disk) Rename(from, to string) error {
	failed := func(err error) error { return &os.LinkError{Op: "rename", Old: from, New: to, Err: err} }
	if err := d.step("rename", to); err != nil {
		return failed(errors.Unwrap(err))
	}
	if filepath.Dir(from) != filepath.Dir(to) {
		return failed(syscall.EXDEV)
	}
	dir, err := d.folder("rename", filepath.Dir(from))
	if err != nil {
		return err
	}
	n := dir.entries[filepath.Base(from)]
	if n == nil {
		return failed(syscall.ENOENT)
	}
	if old := dir.entries[filepath.Base(to)]; old != nil && (old.isDir || n.isDir) {
		return failed(syscall.EISDIR)
	}
	dir.change(change{gone: filepath.Base(from), name: filepath.Base(to), node: n})
	return nil
}

// Remove implements disk.FS.
func (d *Disk) Remove(path string) error {
	n, err := d.look("remove", path)
	if err != nil {
		return err
	}
	if len(n.entries) > 0 {
		return &fs.PathError{Op: "remove", Path: path, Err: syscall.ENOTEMPTY}
	}
	dir, err := d.folder("remove", filepath.Dir(path))
	if err != nil {
		return err
	}
	dir.change(change{gone: filepath.Base(path)})
	return nil
}

// Mkdir implements disk.FS.
func (d *Disk) Mkdir(path string) error { return d.add("mkdir", path, newFolder()) }

// SyncDir implements disk.FS.
func (d *Disk) SyncDir(path string) error {
	if err := d.step("syncdir", path); err != nil {
		return err
	}
	n, err := d.folder("syncdir", path)
	if err != nil {
		return err
	}
	n.durable, n.pending = maps.Clone(n.entries), nil
	return nil
}

// info describes a node.
type info struct {
	name string
	node *node
}

func (i info) Name() string { return i.name }
func (i info) Size() int64  { return int64(len(i.node.data)) }
func (i info) Mode() fs.FileMode {
	if i.node.isDir {
		return fs.ModeDir | 0o755
	}
	return 0o644
}
func (i info) ModTime() time.Time { return i.node.modified }
func (i info) IsDir() bool        { return i.node.isDir }
func (i info) Sys() any           { return nil }
