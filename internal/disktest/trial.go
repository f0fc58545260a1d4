package disktest

import (
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"ogdl/internal/disk"
)

// Trial is an operation on a disk. Whatever goes wrong may not leave half of it.
type Trial struct {
	Before func(fsys disk.FS) error // makes the files of the start; nil: none
	Do     func(fsys disk.FS) error
	// Check reports what must hold at any instant: each thing is as before or as after.
	Check func(fsys disk.FS) error
	// After reports what must hold when Do has succeeded.
	After func(fsys disk.FS) error
	// Tidy removes leftovers, which are two hours old; nil for nothing to remove.
	Tidy func(fsys disk.FS) error
}

// Run runs a trial in every way it can go wrong.
//
//   - The power is cut when Do has returned: After must hold all the same.
//   - The machine stops before each step that changes something, and in the middle of each write:
//     what a kill leaves must pass Check, and so must all that a power cut can make of it. Done
//     again, it must come out as if nothing had happened, the same bytes in the same files.
//   - Each step fails with ENOSPC and with EIO: Do must return that error with the path of the
//     step (a step that only reads may also be done without), leave no temporary file, and
//     otherwise the same holds.
//
// It logs how often.
func (tr Trial) Run(t testing.TB) {
	t.Helper()
	base := New()
	if tr.Before != nil {
		if err := tr.Before(base); err != nil {
			t.Fatal("before: ", err)
		}
	}
	base.Settle()
	before := base.Files()
	whole := base.Clone()
	if err := tr.Do(whole); err != nil {
		t.Fatal("undisturbed: ", err)
	}
	steps, done := whole.Steps(), whole.Clone()
	want := tr.finish(t, "undisturbed", whole)
	if want == nil {
		t.FailNow()
	}
	stops, cuts, failures := map[string]int{}, 0, 0 // stops by the operation that did not happen

	// survived checks a disk on which something went wrong, and all that a power cut can leave
	// of it.
	tried := map[string]bool{}
	try := func(when string, d *Disk) {
		if f := d.fingerprint(); !tried[f] {
			tried[f] = true
			tr.again(t, when, d, want)
		}
	}
	survived := func(when string, d *Disk) {
		try(when+", killed", d.Clone())
		for cut := range d.PowerCuts() {
			cuts++
			try(when+", power cut", cut)
		}
	}
	// What Do has done when it returns stays done.
	for cut := range done.PowerCuts() {
		cuts++
		if err := tr.After(cut.Clone()); err != nil {
			t.Errorf("power cut when all was done: %v", err)
		}
		try("power cut when all was done", cut)
	}
	for k, s := range steps {
		for _, torn := range []bool{false, true} {
			if !s.Changes() || torn && s.Op != "write" {
				continue
			}
			d, op := base.Clone(), s.Op
			if torn {
				op = "torn write"
			}
			d.StopAt(k, torn)
			when := op + " " + filepath.Base(s.Path)
			if err := tr.Do(d); !errors.Is(err, ErrStopped) && !optional(s) {
				t.Errorf("%s: the machine stopped and the error is %v", when, err)
			}
			stops[op]++
			survived(when, d)
		}
	}
	for k, s := range steps {
		for _, errno := range []syscall.Errno{syscall.ENOSPC, syscall.EIO} {
			d := base.Clone()
			d.FailAt(k, errno)
			err := tr.Do(d)
			failed := d.Steps()[k] // temporary names differ from run to run
			when := failed.Op + " " + filepath.Base(failed.Path) + ": " + errno.Error()
			switch {
			case err == nil && (!s.Changes() || optional(s)):
				if err := tr.After(d.Clone()); err != nil {
					t.Errorf("%s: no error, and %v", when, err)
				}
			case !errors.Is(err, errno) || !strings.Contains(err.Error(), failed.Path):
				t.Errorf("%s: the error is %v", when, err)
			}
			failures++
			for path := range d.Files() {
				if _, there := before[path]; temporary(path) && !there && s.Op != "remove" {
					t.Errorf("%s: %s is left", when, path)
				}
			}
			survived(when, d)
		}
	}
	t.Logf("crash points: stopped at instants %v, %d power cuts, %d errors, %d different states of the disk", stops, cuts, failures, len(tried))
}

func temporary(path string) bool { return strings.HasPrefix(filepath.Base(path), disk.TempPrefix) }

// optional reports whether a step may fail without a word: leftovers that cannot be removed are
// in nobody's way.
func optional(s Step) bool { return s.Op == "remove" && temporary(s.Path) }

// again checks the remaining files, repeats all writes and compares.
func (tr Trial) again(t testing.TB, when string, d *Disk, want map[string]string) {
	t.Helper()
	d.plan, d.dead = nil, false
	if err := tr.Check(d); err != nil {
		t.Errorf("%s: %v", when, err)
		return
	}
	if err := tr.Do(d); err != nil {
		t.Errorf("%s, done again: %v", when, err)
		return
	}
	got := tr.finish(t, when, d)
	if got != nil && !maps.Equal(got, want) {
		t.Errorf("%s, done again: files %q, want %q", when, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
}

// finish checks and tidies a disk on which all has been done, and returns its files.
func (tr Trial) finish(t testing.TB, when string, d *Disk) map[string]string {
	t.Helper()
	for _, check := range []func(disk.FS) error{tr.Check, tr.After} {
		if err := check(d); err != nil {
			t.Errorf("%s, done: %v", when, err)
			return nil
		}
	}
	if tr.Tidy != nil {
		if err := tr.Tidy(d); err != nil {
			t.Errorf("%s, tidied: %v", when, err)
			return nil
		}
	}
	return d.Files()
}
