package record

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEveryByteIsGuarded flips every byte of the three files, cuts them and appends to them;
// every bit and every cut of the framed ones.
func TestEveryByteIsGuarded(t *testing.T) {
	s := open(t)
	r, _, err := s.Get(testID)
	if err != nil {
		t.Fatal(err)
	}
	timing := func(id string) (State, error) { _, state, err := s.Timing(id); return state, err }
	get := func(id string) (State, error) { _, state, err := s.Get(id); return state, err }
	for _, file := range []struct {
		path  string
		state func(string) (State, error)
	}{{s.Path(testID), get}, {s.NPZPath(r), get}, {s.timingPath(testID), timing}} {
		good, err := os.ReadFile(file.path)
		if err != nil {
			t.Fatal(err)
		}
		check := func(what string, data []byte) {
			if err := os.WriteFile(file.path, data, 0o666); err != nil {
				t.Fatal(err)
			}
			state, err := file.state(testID)
			if state != Corrupt || !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), file.path) {
				t.Errorf("%s, %s: %v, %v", filepath.Base(file.path), what, state, err)
			}
		}
		for i := range good {
			bad := bytes.Clone(good)
			bad[i] ^= 1 << (i % 8)
			check(fmt.Sprintf("byte %d (%q) flipped", i, good[i]), bad)
			if strings.HasSuffix(file.path, ".npz") {
				continue
			}
			// The other bits and the cuts without the file system, for speed.
			for bit := range 8 {
				bad[i] = good[i] ^ 1<<bit
				if _, _, err := unseal(bad); !errors.Is(err, ErrCorrupt) {
					t.Errorf("%s, bit %d of byte %d (%q): %v", filepath.Base(file.path), bit, i, good[i], err)
				}
			}
			if _, _, err := unseal(good[:i]); !errors.Is(err, ErrCorrupt) {
				t.Errorf("%s, cut to %d bytes: %v", filepath.Base(file.path), i, err)
			}
		}
		check("empty", nil)
		check("cut in the middle", good[:len(good)/2])
		check("last byte cut", good[:len(good)-1])
		check("appended newline", append(bytes.Clone(good), '\n'))
		check("twice", append(bytes.Clone(good), good...))
		if err := os.WriteFile(file.path, good, 0o666); err != nil {
			t.Fatal(err)
		}
		if state, err := file.state(testID); state != Whole || err != nil {
			t.Fatal("restored file:", state, err)
		}
	}
}

func TestCorruptOtherwise(t *testing.T) {
	write := func(s *Store, id string, data []byte) {
		t.Helper()
		if err := os.WriteFile(s.Path(id), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, spoil := range map[string]func(s *Store, r *Record){
		"npz gone": func(s *Store, r *Record) {
			if err := os.Remove(s.NPZPath(r)); err != nil {
				t.Fatal(err)
			}
		},
		"another record's file": func(s *Store, r *Record) {
			r.ID = "00112233"
			data, err := encode(r)
			if err != nil {
				t.Fatal(err)
			}
			write(s, testID, data)
		},
		"no JSON":          func(s *Store, r *Record) { write(s, testID, seal(Schema, []byte("{"))) },
		"not a record":     func(s *Store, r *Record) { write(s, testID, seal(Schema, []byte(`{"id":7}`))) },
		"null":             func(s *Store, r *Record) { write(s, testID, seal(Schema, []byte(`null`))) },
		"unknown status":   func(s *Store, r *Record) { r.Status = "fine"; data, _ := encode(r); write(s, testID, data) },
		"sum leads astray": func(s *Store, r *Record) { r.NPZSum = "../../x"; data, _ := encode(r); write(s, testID, data) },
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			r, _, err := s.Get(testID)
			if err != nil {
				t.Fatal(err)
			}
			spoil(s, r)
			for _, get := range []func(string) (*Record, State, error){s.Get, s.Head} {
				if r, state, err := get(testID); r != nil || state != Corrupt || !errors.Is(err, ErrCorrupt) {
					t.Errorf("%v, %v, %v", r, state, err)
				}
			}
			if _, err := s.NPZ(testID); !errors.Is(err, ErrCorrupt) {
				t.Errorf("NPZ: error %v", err)
			}
			// Computed again, it is whole again.
			if err := s.Put(sampleRecord(testID), nil, []byte("arrays")); err != nil {
				t.Fatal(err)
			}
			if _, state, err := s.Get(testID); state != Whole || err != nil {
				t.Errorf("after Put: %v, %v", state, err)
			}
		})
	}
}

func TestOtherSchemasAreNamed(t *testing.T) {
	for schema, word := range map[int]string{0: "older", Schema + 1: "newer", 999999999: "newer"} {
		s := open(t)
		if err := os.WriteFile(s.Path(testID), seal(schema, []byte(`{"whatever":[1]}`)), 0o666); err != nil {
			t.Fatal(err)
		}
		_, state, err := s.Get(testID)
		var se *SchemaError
		if state != Foreign || !errors.As(err, &se) || se.Got != schema || !strings.Contains(err.Error(), word) || !strings.Contains(err.Error(), s.Path(testID)) {
			t.Errorf("schema %d: %v, %v", schema, state, err)
		}
		var found int
		for e := range s.All() {
			if e.ID == testID && e.State == Foreign && e.Err != nil {
				found++
			}
		}
		if found != 1 {
			t.Errorf("schema %d: All shows it %d times", schema, found)
		}
	}
}

func FuzzRecord(f *testing.F) {
	payload, err := CanonicalJSON(sampleRecord(testID))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(seal(Schema, payload))
	f.Add(payload)
	f.Add([]byte(`{"id":"00000000","status":"ok","npz_sum":"0"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		// As a file: what is accepted has exactly one form.
		if schema, payload, err := unseal(data); err == nil && !bytes.Equal(seal(schema, payload), data) {
			t.Errorf("accepted, but not what would have been written: %q", data)
		}
		// As the content of a file with a good sum: no panic, and what is read can be written
		// and reads back the same.
		r := new(Record)
		if decode("x", seal(Schema, data), r) != nil || r.check() != nil {
			return
		}
		again, err := encode(r)
		if err != nil {
			t.Fatal(err)
		}
		back := new(Record)
		if err := decode("x", again, back); err != nil {
			t.Fatal(err)
		}
		third, err := encode(back)
		if err != nil || !bytes.Equal(again, third) {
			t.Errorf("%v\n%s\n%s", err, again, third)
		}
	})
}
