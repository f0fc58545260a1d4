package disktest

import (
	"crypto/sha256"
	"fmt"
	"iter"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"ogdl/internal/disk"
)

// Settle makes everything durable and forgets the steps and faults.
func (d *Disk) Settle() {
	d.walk(func(_ string, n *node) {
		n.synced = true
		n.durable, n.pending = maps.Clone(n.entries), nil
	})
	d.steps, d.plan, d.dead = nil, nil, false
}

// Files returns what every file holds, by path.
func (d *Disk) Files() map[string]string {
	out := map[string]string{}
	d.walk(func(path string, n *node) {
		if !n.isDir {
			out[path] = string(n.data)
		}
	})
	return out
}

// SetFile changes what a file holds, without a step, as a failing medium does.
func (d *Disk) SetFile(path string, data []byte) {
	n, err := d.find("set", path)
	if err != nil {
		panic("disktest: " + err.Error())
	}
	n.data = data
}

// walk visits all that can be reached now.
func (d *Disk) walk(visit func(path string, n *node)) {
	var down func(path string, n *node)
	down = func(path string, n *node) {
		visit(path, n)
		for name, below := range n.entries {
			down(filepath.Join(path, name), below)
		}
	}
	down("/", d.root)
}

// fingerprint is equal for disks that hold the same, whatever their temporary files are called.
func (d *Disk) fingerprint() string {
	var lines []string
	d.walk(func(path string, n *node) {
		if temporary(path) {
			path = filepath.Join(filepath.Dir(path), disk.TempPrefix)
		}
		lines = append(lines, fmt.Sprintf("%q %v %x", path, n.isDir, sha256.Sum256(n.data)))
	})
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// Clone returns a copy that shares nothing, without steps and faults.
func (d *Disk) Clone() *Disk { return &Disk{root: cloned(d.root, map[*node]*node{})} }

func cloned(n *node, seen map[*node]*node) *node {
	if n == nil {
		return nil
	}
	if c := seen[n]; c != nil {
		return c
	}
	c := &node{isDir: n.isDir, modified: n.modified, data: n.data[:len(n.data):len(n.data)], synced: n.synced}
	seen[n] = c
	entries := func(of map[string]*node) map[string]*node {
		if of == nil {
			return nil
		}
		out := make(map[string]*node, len(of))
		for name, below := range of {
			out[name] = cloned(below, seen)
		}
		return out
	}
	c.entries, c.durable = entries(n.entries), entries(n.durable)
	for _, p := range n.pending {
		c.pending = append(c.pending, change{p.gone, p.name, cloned(p.node, seen)})
	}
	return c
}

// Lost says what a power cut makes of the bytes of a file that was not synced.
type Lost int

// Nothing is lost, all is, the second half is, or zeros replace it.
const (
	Nothing Lost = iota
	All
	Half
	Zeroed
	losses
)

// allSubsets is up to how many changes every subset of them is tried.
const allSubsets = 8

// PowerCuts yields what the disk may hold after a power cut at this instant: of the changes to
// folders that were not synced a subset has happened, in their order, and of the bytes that
// were not synced some are lost. Up to 8 changes every subset comes up; of more, those
// that keep or lose a beginning, and those that keep or lose a single one. Each is a disk of
// its own, settled.
func (d *Disk) PowerCuts() iter.Seq[*Disk] {
	changes, variants := 0, Nothing+1
	d.walk(func(_ string, n *node) {
		changes += len(n.pending)
		if !n.isDir && !n.synced {
			variants = losses
		}
	})
	if changes > 63 {
		panic("disktest: more than 63 changes that were not synced")
	}
	return func(yield func(*Disk) bool) {
		for _, kept := range subsets(changes) {
			for lost := range variants {
				c := d.Clone()
				c.cut(kept, lost)
				if !yield(c) {
					return
				}
			}
		}
	}
}

// subsets returns subsets of n changes, as bits.
func subsets(n int) []uint64 {
	var out []uint64
	if n <= allSubsets {
		for kept := range uint64(1) << n {
			out = append(out, kept)
		}
		return out
	}
	all := uint64(1)<<n - 1
	for k := range n {
		beginning, one := uint64(1)<<k-1, uint64(1)<<k
		out = append(out, beginning, all&^beginning, one, all&^one)
	}
	return out
}

// cut keeps the changes whose bit is set, counted in the order in which their folders are found
// (a folder that is lost takes no bits: every subset comes up all the same).
func (d *Disk) cut(kept uint64, lost Lost) {
	files := map[*node]bool{}
	var down func(n *node)
	down = func(n *node) {
		if !n.isDir {
			files[n] = true
			return
		}
		entries := maps.Clone(n.durable)
		for _, c := range n.pending {
			if kept&1 != 0 {
				apply(entries, c)
			}
			kept >>= 1
		}
		n.entries = entries
		for _, name := range slices.Sorted(maps.Keys(entries)) {
			down(entries[name])
		}
	}
	down(d.root)
	for n := range files {
		if n.synced {
			continue
		}
		switch half := len(n.data) / 2; lost {
		case All:
			n.data = nil
		case Half:
			n.data = n.data[:half]
		case Zeroed:
			n.data = append(append([]byte(nil), n.data[:half]...), make([]byte, len(n.data)-half)...)
		}
	}
	d.Settle()
}
