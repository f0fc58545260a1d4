package record

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ogdl/internal/disk"
	"ogdl/internal/disktest"
)

// counting is the system's file system with the bytes of npz files counted that are read.
type counting struct {
	disk.OS
	read *atomic.Int64
}

type countedFile struct {
	io.ReadCloser
	read *atomic.Int64
}

func (c counting) Open(path string) (io.ReadCloser, error) {
	f, err := c.OS.Open(path)
	if err == nil && strings.HasSuffix(path, ".npz") {
		f = countedFile{f, c.read}
	}
	return f, err
}

func (f countedFile) Read(p []byte) (int, error) {
	n, err := f.ReadCloser.Read(p)
	f.read.Add(int64(n))
	return n, err
}

// reopen opens the store of s as another program does, and returns how to learn what it reads.
func reopen(t *testing.T, s *Store) (again *Store, read func() int64) {
	t.Helper()
	var n atomic.Int64
	again, err := OpenOn(counting{read: &n}, strings.TrimSuffix(s.Dir(), "store"))
	if err != nil {
		t.Fatal(err)
	}
	return again, func() int64 { return n.Swap(0) }
}

// trust asks for a record and checks the state and the bytes of npz files that were read for it.
func trust(t *testing.T, s *Store, read func() int64, want State, bytes int64) {
	t.Helper()
	r, state, err := s.Trusted(testID)
	if state != want || (r != nil) != (want == Whole) || (err == nil) != (want == Whole) {
		t.Errorf("%v, %v, want %v", state, err, want)
	}
	if got := read(); got != bytes {
		t.Errorf("%d bytes of arrays read, want %d", got, bytes)
	}
}

const npzBytes = int64(len("arrays"))

// damage flips a bit of the npz and gives it back the time it had.
func damage(t *testing.T, s *Store) {
	t.Helper()
	r, _, err := s.Head(testID)
	if err != nil {
		t.Fatal(err)
	}
	path := s.NPZPath(r)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("arraxs"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, time.Time{}, info.ModTime()); err != nil {
		t.Fatal(err)
	}
}

// TestTrusted: an npz is read once, then when its size or time have changed, when somebody asks for what it
// holds, or when all are to be verified.
func TestTrusted(t *testing.T) {
	s := open(t)
	again, read := reopen(t, s)
	trust(t, again, read, Whole, npzBytes) // nobody has remembered
	trust(t, again, read, Whole, 0)
	if err := again.Remember(); err != nil {
		t.Fatal(err)
	}
	again, read = reopen(t, s)
	trust(t, again, read, Whole, 0)
	if _, state, err := again.Get(testID); state != Whole || read() != npzBytes {
		t.Errorf("Get does not read: %v, %v", state, err)
	}
	again.ForgetVerified()
	trust(t, again, read, Whole, npzBytes)

	r, _, _ := again.Head(testID)
	if err := os.Chtimes(again.NPZPath(r), time.Time{}, time.Now().Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	trust(t, again, read, Whole, npzBytes)
	trust(t, again, read, Whole, 0)

	// What this program has stored itself it knows, and so does the next.
	if err := s.Remember(); err != nil {
		t.Fatal(err)
	}
	if err := again.Put(sampleRecord(testID), sampleTiming(), []byte("other arrays")); err != nil {
		t.Fatal(err)
	}
	if err := again.Remember(); err != nil {
		t.Fatal(err)
	}
	again, read = reopen(t, s)
	trust(t, again, read, Whole, 0)
}

// TestDamageOfEqualSizeAndTime: it is found at the next reading, and from then on by all.
func TestDamageOfEqualSizeAndTime(t *testing.T) {
	for name, find := range map[string]func(s *Store) error{
		"NPZ":    func(s *Store) error { _, err := s.NPZ(testID); return err },
		"Get":    func(s *Store) error { _, _, err := s.Get(testID); return err },
		"verify": func(s *Store) error { s.ForgetVerified(); _, _, err := s.Trusted(testID); return err },
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			if err := s.Remember(); err != nil {
				t.Fatal(err)
			}
			damage(t, s)
			again, read := reopen(t, s)
			trust(t, again, read, Whole, 0)
			if err := find(again); !errors.Is(err, ErrCorrupt) {
				t.Errorf("%v", err)
			}
			read()
			trust(t, again, read, Corrupt, npzBytes)
			if err := again.Remember(); err != nil {
				t.Fatal(err)
			}
			again, read = reopen(t, s)
			trust(t, again, read, Corrupt, npzBytes)
		})
	}
}

// TestIndexCostsTimeOnly: whatever befalls the index, records stay what they are.
func TestIndexCostsTimeOnly(t *testing.T) {
	s := open(t)
	if err := s.Remember(); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(s.verifiedPath())
	if err != nil {
		t.Fatal(err)
	}
	spoilt := [][]byte{nil, []byte("x"), []byte(verifiedHead), append([]byte("x"), good...), good[:len(good)-1]}
	for i := range good {
		bad := append([]byte(nil), good...)
		bad[i] ^= 1
		spoilt = append(spoilt, bad)
	}
	for _, bad := range spoilt {
		if err := os.WriteFile(s.verifiedPath(), bad, 0o666); err != nil {
			t.Fatal(err)
		}
		again, read := reopen(t, s)
		trust(t, again, read, Whole, npzBytes)
		if err := again.Remember(); err != nil {
			t.Fatal(err)
		}
		if now, err := os.ReadFile(s.verifiedPath()); err != nil || string(now) != string(good) {
			t.Fatalf("not mended: %v\n%s", err, now)
		}
	}
	if err := os.Remove(s.verifiedPath()); err != nil {
		t.Fatal(err)
	}
	again, read := reopen(t, s)
	trust(t, again, read, Whole, npzBytes)
}

// TestIndexOfSeveralPrograms: what others have written in between stays; what is removed goes.
func TestIndexOfSeveralPrograms(t *testing.T) {
	s := open(t)
	var programs []*Store
	for i := range 4 {
		p, _ := reopen(t, s)
		r := sampleRecord(fmt.Sprintf("%02x23456789abcdef", i+2))
		if err := p.Put(r, nil, []byte("arrays")); err != nil {
			t.Fatal(err)
		}
		programs = append(programs, p)
	}
	for _, p := range append(programs, s) {
		if err := p.Remember(); err != nil {
			t.Fatal(err)
		}
	}
	last, read := reopen(t, s)
	ids, err := last.List()
	if err != nil || len(ids) != 5 {
		t.Fatal(ids, err)
	}
	for _, id := range ids {
		if _, state, err := last.Trusted(id); state != Whole || read() != 0 {
			t.Errorf("%s: %v, %v, or it was read", id, state, err)
		}
	}
	cells, _, err := last.Holdings()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := last.Remove(cells[0]); err != nil {
		t.Fatal(err)
	}
	if err := last.Remember(); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(s.verifiedPath()); err != nil || strings.Contains(string(text), cells[0].ID) || strings.Count(string(text), "\n") != 5 {
		t.Errorf("%v\n%s", err, text)
	}
}

// TestIndexAppearsWhole: an index is there that can be read, whatever step of writing it fails.
func TestIndexAppearsWhole(t *testing.T) {
	for k := 0; ; k++ {
		d := disktest.New()
		s, err := OpenOn(d, "/")
		if err != nil {
			t.Fatal(err)
		}
		put := func(id string) {
			if err := s.Put(sampleRecord(id), nil, []byte("arrays")); err != nil {
				t.Fatal(err)
			}
		}
		put(testID)
		if err := s.Remember(); err != nil {
			t.Fatal(err)
		}
		put("ff23456789abcdef")
		before := len(d.Steps())
		d.FailAt(k, errors.New("no"))
		failed := s.Remember() != nil
		steps := len(d.Steps()) - before
		d.FailAt(1<<20, nil)
		again, err := OpenOn(d, "/")
		if err != nil {
			t.Fatal(err)
		}
		if n := len(again.readVerified()); n < 1 || k >= steps && (failed || n != 2) {
			t.Errorf("step %d of %d: %d files remembered, failed %v", k, steps, n, failed)
		}
		if k >= steps {
			return
		}
	}
}
