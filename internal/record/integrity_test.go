package record

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"ogdl/internal/disktest"
	"ogdl/internal/fuzztest"
	"ogdl/internal/npz"
	"ogdl/internal/test/must"
)

// TestEveryByteIsGuarded flips every bit of every byte of each kind of file in a store, cuts
// the file at every byte and makes it longer: it is always found corrupt, by name.
func TestEveryByteIsGuarded(t *testing.T) {
	d := disktest.New()
	s := must.Get(OpenOn(d, crashDir))
	var arrays bytes.Buffer
	must.Do(t, npz.Write(&arrays, sampleArrays(2)))
	r, p := sampleRecord(testID), sampleProduct()
	must.Do(t, errors.Join(
		s.Put(r, sampleTiming(), arrays.Bytes()), s.PutCheckpoint(testID, arrays.Bytes()), s.PutProduct(p),
		s.PutBlock(p.ID, 0, sampleArrays(0), sampleWhere, &BlockTiming{Seconds: 2, Host: "here"}),
	))
	blocks, err := s.blockFiles(p.ID, 0)
	if err != nil || len(blocks) != 1 {
		t.Fatal(blocks, err)
	}
	get := func() (bool, error) { r, err := s.Get(testID); return r == nil, err }
	flips, cuts := 0, 0
	for _, file := range []struct {
		kind, path string
		corrupt    func() (bool, error)
	}{
		{"record", s.Path(testID), get},
		{"npz", s.NPZPath(r), get},
		{"npz, read", s.NPZPath(r), func() (bool, error) { data, err := s.NPZ(testID); return data == nil, err }},
		{"timing", s.timingPath(testID), func() (bool, error) { tm, err := s.Timing(testID); return tm == nil, err }},
		{"checkpoint", s.checkpointPath(testID), func() (bool, error) { data, err := s.Checkpoint(testID); return data == nil, err }},
		{"head of a product", s.ProductPath(p.ID), func() (bool, error) { h, err := s.Product(p.ID); return h == nil, err }},
		{"block", blocks[0], func() (bool, error) { b, err := s.Block(p.ID, 0); return b == nil, err }},
		{"timing of a block", s.blockTimingPath(p.ID, 0), func() (bool, error) { tm, err := s.BlockTiming(p.ID, 0); return tm == nil, err }},
	} {
		good := []byte(d.Files()[file.path])
		check := func(what string, data []byte) {
			t.Helper()
			d.SetFile(file.path, data)
			if corrupt, err := file.corrupt(); !corrupt || !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), file.path) {
				t.Errorf("%s, %s: %v", file.kind, what, err)
			}
		}
		for i := range good {
			bad := bytes.Clone(good)
			for bit := range 8 {
				bad[i] = good[i] ^ 1<<bit
				check(fmt.Sprintf("bit %d of byte %d (%q) flipped", bit, i, good[i]), bad)
				flips++
			}
			check(fmt.Sprintf("cut to %d bytes", i), good[:i])
			cuts++
		}
		check("a line feed more", append(bytes.Clone(good), '\n'))
		check("twice", append(bytes.Clone(good), good...))
		d.SetFile(file.path, good)
		if corrupt, err := file.corrupt(); corrupt || err != nil {
			t.Fatalf("%s as it was: %v", file.kind, err)
		}
		t.Logf("%s: %d bytes", file.kind, len(good))
	}
	t.Logf("%d bits flipped and %d cuts, all found", flips, cuts)
}

func TestCorruptOtherwise(t *testing.T) {
	write := func(s *Store, id string, data []byte) {
		t.Helper()
		must.Do(t, os.WriteFile(s.Path(id), data, 0o666))
	}
	for name, spoil := range map[string]func(s *Store, r *Record){
		"npz gone": func(s *Store, r *Record) {
			must.Do(t, os.Remove(s.NPZPath(r)))
		},
		"another record's file": func(s *Store, r *Record) {
			r.ID = "00112233"
			data := must.Get(encode(r))
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
			r := must.Get(s.Get(testID))
			spoil(s, r)
			for _, get := range []func(string) (*Record, error){s.Get, s.Head} {
				if r, err := get(testID); r != nil || !errors.Is(err, ErrCorrupt) {
					t.Errorf("%v, %v", r, err)
				}
			}
			if _, err := s.NPZ(testID); !errors.Is(err, ErrCorrupt) {
				t.Errorf("NPZ: error %v", err)
			}
			// Computed again, it is whole again.
			must.Do(t, s.Put(sampleRecord(testID), nil, []byte("arrays")))
			if r, err := s.Get(testID); r == nil || err != nil {
				t.Errorf("after Put: %v, %v", r, err)
			}
		})
	}
}

func TestOtherSchemasAreNamed(t *testing.T) {
	for schema, word := range map[int]string{0: "older", Schema + 1: "newer", 999999999: "newer"} {
		s := open(t)
		must.Do(t, os.WriteFile(s.Path(testID), seal(schema, []byte(`{"whatever":[1]}`)), 0o666))
		_, err := s.Get(testID)
		var se *SchemaError
		if !errors.As(err, &se) || se.Got != schema || !strings.Contains(err.Error(), word) || !strings.Contains(err.Error(), s.Path(testID)) {
			t.Errorf("schema %d: %v", schema, err)
		}
		for r, err := range s.All() {
			if r != nil || !errors.As(err, &se) {
				t.Errorf("schema %d: All gives %v, %v", schema, r, err)
			}
		}
	}
}

func FuzzRecord(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		// As a file: what is accepted has exactly one form.
		if schema, payload, err := unseal(data); err == nil && !bytes.Equal(seal(schema, payload), data) {
			t.Errorf("accepted, but not what would have been written: %q", data)
		}
		// As the content of a file with a good sum: no panic, and what is read can be written
		// and reads back the same.
		r, err := recordOf(data)
		if err != nil {
			return
		}
		again := must.Get(encode(r))
		back := new(Record)
		must.Do(t, decode("x", again, back))
		third, err := encode(back)
		if err != nil || !bytes.Equal(again, third) {
			t.Errorf("%v\n%s\n%s", err, again, third)
		}
	})
}

// recordOf reads the content of a record's file.
func recordOf(content []byte) (*Record, error) {
	r := new(Record)
	if err := decode("x", seal(Schema, content), r); err != nil {
		return nil, err
	}
	return r, r.check()
}

// FuzzProduct: a head with a good sum never panics, and its identity is that of what it reads
// back as.
func FuzzProduct(f *testing.F) {
	f.Fuzz(func(t *testing.T, content []byte) {
		p, err := productOf(content)
		if err != nil {
			return
		}
		file := must.Get(encode(p))
		again := new(Product)
		if err := decode("x", file, again); err != nil || again.identity() != p.identity() {
			t.Fatalf("%v: another identity after %s", err, file)
		}
	})
}

// productOf reads the content of a product's head.
func productOf(content []byte) (*Product, error) {
	p := new(Product)
	if err := decode("x", seal(Schema, content), p); err != nil {
		return nil, err
	}
	if p.identity() != p.ID {
		return p, errors.New("another id")
	}
	return p, nil
}

func TestSeeds(t *testing.T) {
	fuzztest.Seeds(t, "FuzzRecord", func(args []string) error {
		_, err := recordOf([]byte(args[0]))
		return err
	})
	fuzztest.Seeds(t, "FuzzProduct", func(args []string) error {
		_, err := productOf([]byte(args[0]))
		return err
	})
}
