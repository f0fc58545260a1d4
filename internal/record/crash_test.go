package record

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ogdl/internal/disk"
	"ogdl/internal/disktest"
	"ogdl/internal/npz"
)

const (
	crashDir = "/out"
	otherID  = "01ffffffffffffff" // in the folder of testID
)

// version is a record whose bytes, those of its npz and its timing say which one it is.
func version(v string) (*Record, *Timing, []byte) {
	r, t := sampleRecord(testID), sampleTiming()
	r.Notes, t.Host = []string{v}, v
	return r, t, []byte("arrays of " + v)
}

func putVersion(s *Store, v string) error { return s.Put(version(v)) }

// whole reports a record that is none of the versions, "" for no record; and a record of
// another cell that has been lost.
func whole(s *Store, versions ...string) error {
	r, err := s.Get(testID)
	found := ""
	if err != nil {
		return err
	}
	if r != nil {
		found = r.Notes[0]
		if data, err := s.NPZ(testID); err != nil || string(data) != "arrays of "+found {
			return fmt.Errorf("%s with npz %q, %w", found, data, err)
		}
	}
	if !slices.Contains(versions, found) {
		return fmt.Errorf("record %q, want one of %q", found, versions)
	}
	// Of the timing alone there is no promise but that it is whole.
	if _, err := s.Timing(testID); err != nil {
		return fmt.Errorf("timing: %w", err)
	}
	if other, err := s.Get(otherID); other == nil {
		return fmt.Errorf("the other record: %v", err)
	}
	ids, err := s.List()
	if want := 1 + min(1, len(found)); err != nil || len(ids) != want {
		return fmt.Errorf("%d records, want %d: %v", len(ids), want, err)
	}
	return nil
}

func putOther(s *Store) error { return s.Put(sampleRecord(otherID), sampleTiming(), []byte("other")) }

// remove removes all that the store holds under an id.
func remove(s *Store, id string) error {
	cells, err := s.Cells()
	products, errProducts := s.Products()
	err = errors.Join(err, errProducts)
	for _, h := range slices.Concat(cells, products) {
		if h.ID == id {
			_, removeErr := s.Remove(h)
			err = errors.Join(err, removeErr)
		}
	}
	return err
}

// wholeBlock reports a block that is none of the versions, -1 for no block.
func wholeBlock(s *Store, id string, versions ...float64) error {
	b, err := s.Block(id, 0)
	found := -1.0
	if err != nil {
		return err
	}
	if b != nil {
		found = b[0].Float[0]
	}
	if !slices.Contains(versions, found) {
		return fmt.Errorf("block %v, want one of %v", found, versions)
	}
	if _, err := s.BlockTiming(id, 0); err != nil {
		return fmt.Errorf("timing of the block: %w", err)
	}
	return nil
}

// TestCrashPoints: whatever goes wrong at whatever step, the store holds the old record or
// the new one, whole, and no error passes in silence.
func TestCrashPoints(t *testing.T) {
	p := sampleProduct()
	cost := func() *BlockTiming { return &BlockTiming{Seconds: 1, Started: time.Unix(0, 0).UTC()} }
	putBlock := func(s *Store, v float64, arrays ...npz.Array) error {
		return s.PutBlock(p.ID, 0, append(sampleArrays(v), arrays...), sampleWhere, cost())
	}
	head := func(s *Store) error {
		if h, err := s.Product(p.ID); h == nil {
			return fmt.Errorf("no head: %v", err)
		}
		return nil
	}
	// spoil changes a byte of the files of the store whose path contains part.
	spoil := func(fsys disk.FS, part string) error {
		d := fsys.(*disktest.Disk)
		for path, text := range d.Files() {
			if strings.Contains(path, part) {
				d.SetFile(path, []byte("x"+text[1:]))
				return nil
			}
		}
		return errors.New("nothing to spoil: " + part)
	}
	checkpoint := func(s *Store, texts ...string) error {
		data, err := s.Checkpoint(testID)
		if err == nil && !slices.Contains(texts, string(data)) {
			err = fmt.Errorf("checkpoint %q, want one of %q", data, texts)
		}
		return err
	}
	type step = func(s *Store, fsys disk.FS) error
	for _, c := range []struct {
		name                     string
		before, do, check, after step
	}{
		{
			"Put of a new record",
			func(s *Store, _ disk.FS) error { return putOther(s) },
			func(s *Store, _ disk.FS) error { return putVersion(s, "new") },
			func(s *Store, _ disk.FS) error { return whole(s, "", "new") },
			func(s *Store, _ disk.FS) error { return whole(s, "new") },
		}, {
			"Put over another result",
			func(s *Store, _ disk.FS) error { return errors.Join(putOther(s), putVersion(s, "old")) },
			func(s *Store, _ disk.FS) error { return putVersion(s, "new") },
			func(s *Store, _ disk.FS) error { return whole(s, "old", "new") },
			func(s *Store, _ disk.FS) error { return whole(s, "new") },
		}, {
			"Put of the same bytes again",
			func(s *Store, _ disk.FS) error { return errors.Join(putOther(s), putVersion(s, "same")) },
			func(s *Store, _ disk.FS) error { return putVersion(s, "same") },
			func(s *Store, _ disk.FS) error { return whole(s, "same") },
			func(s *Store, _ disk.FS) error { return whole(s, "same") },
		}, {
			"Put into an empty folder, npz alone", nil,
			func(s *Store, _ disk.FS) error {
				r, _, arrays := version("new")
				return s.Put(r, nil, arrays)
			},
			func(s *Store, _ disk.FS) error {
				if _, err := s.Get(testID); err != nil {
					return err
				}
				_, err := s.List()
				return err
			},
			func(s *Store, _ disk.FS) error {
				if r, err := s.Get(testID); r == nil {
					return fmt.Errorf("no record: %v", err)
				}
				return nil
			},
		}, {
			"PutProduct", nil,
			func(s *Store, _ disk.FS) error { return s.PutProduct(p) },
			func(s *Store, _ disk.FS) error { _, err := s.Product(p.ID); return err },
			func(s *Store, _ disk.FS) error { return head(s) },
		}, {
			"PutBlock of a new block",
			func(s *Store, _ disk.FS) error { return s.PutProduct(p) },
			func(s *Store, _ disk.FS) error { return putBlock(s, 1) },
			func(s *Store, _ disk.FS) error { return errors.Join(head(s), wholeBlock(s, p.ID, -1, 1)) },
			func(s *Store, _ disk.FS) error { return errors.Join(head(s), wholeBlock(s, p.ID, 1)) },
		}, {
			"PutBlock over a corrupt one",
			func(s *Store, fsys disk.FS) error {
				return errors.Join(s.PutProduct(p), putBlock(s, 0), spoil(fsys, "00000-"))
			},
			func(s *Store, _ disk.FS) error { return putBlock(s, 1) },
			func(s *Store, _ disk.FS) error {
				if _, err := s.Block(p.ID, 0); errors.Is(err, ErrCorrupt) {
					return head(s) // still the old one, and known for what it is
				}
				return errors.Join(head(s), wholeBlock(s, p.ID, 1))
			},
			func(s *Store, _ disk.FS) error { return errors.Join(head(s), wholeBlock(s, p.ID, 1)) },
		}, {
			"PutCheckpoint over another",
			func(s *Store, _ disk.FS) error { return s.PutCheckpoint(testID, []byte("old")) },
			func(s *Store, _ disk.FS) error { return s.PutCheckpoint(testID, []byte("new")) },
			func(s *Store, _ disk.FS) error { return checkpoint(s, "old", "new") },
			func(s *Store, _ disk.FS) error { return checkpoint(s, "new") },
		}, {
			"Put of a record with a checkpoint",
			func(s *Store, _ disk.FS) error {
				return errors.Join(putOther(s), s.PutCheckpoint(testID, []byte("half")))
			},
			func(s *Store, _ disk.FS) error { return putVersion(s, "new") },
			func(s *Store, _ disk.FS) error {
				if r, err := s.Get(testID); r == nil && err == nil {
					return checkpoint(s, "half") // it goes no sooner than the record is there
				}
				return errors.Join(whole(s, "new"), checkpoint(s, "", "half"))
			},
			// Cut off, the machine may have it again; the next sweep removes it.
			func(s *Store, _ disk.FS) error { return errors.Join(whole(s, "new"), checkpoint(s, "", "half")) },
		}, {
			"Prepare",
			func(s *Store, _ disk.FS) error { return errors.Join(putOther(s), putVersion(s, "old")) },
			func(s *Store, _ disk.FS) error { return errors.Join(s.MakeDir(), s.Writable()) },
			func(s *Store, _ disk.FS) error { return whole(s, "old") },
			func(s *Store, _ disk.FS) error { return whole(s, "old") },
		}, {
			"Remove of a cell",
			func(s *Store, _ disk.FS) error { return errors.Join(putOther(s), putVersion(s, "old")) },
			func(s *Store, _ disk.FS) error { return remove(s, testID) },
			func(s *Store, _ disk.FS) error { return whole(s, "old", "") },
			func(s *Store, _ disk.FS) error { return whole(s, "") },
		}, {
			"Remove of a product",
			func(s *Store, _ disk.FS) error { return errors.Join(s.PutProduct(p), putBlock(s, 1)) },
			func(s *Store, _ disk.FS) error { return remove(s, p.ID) },
			func(s *Store, _ disk.FS) error {
				_, err := s.Product(p.ID)
				return errors.Join(err, wholeBlock(s, p.ID, 1, -1))
			},
			func(s *Store, _ disk.FS) error {
				h, err := s.Product(p.ID)
				if h != nil {
					err = errors.New("it is still there")
				}
				return err
			},
		}, {
			// An npz that lost its record, one of a record that is there under another sum, and
			// temporary files at every level.
			"Sweep",
			func(s *Store, fsys disk.FS) error {
				err := errors.Join(putOther(s), putVersion(s, "older"), putVersion(s, "old"), s.PutProduct(p), putBlock(s, 1))
				for _, dir := range []string{s.root, s.shard(testID), s.productDir(p.ID)} {
					f, createErr := fsys.Create(filepath.Join(dir, disk.TempNameOf(1<<30)))
					err = errors.Join(err, createErr, f.Close())
				}
				err = errors.Join(err, disk.Put(fsys, disk.Data{Path: filepath.Join(s.shard("02"), npzName("02ffffffffffffff", strings.Repeat("0", 64)))}))
				return err
			},
			func(s *Store, _ disk.FS) error { _, err := s.Sweep(); return err },
			func(s *Store, _ disk.FS) error {
				return errors.Join(whole(s, "old"), head(s), wholeBlock(s, p.ID, 1))
			},
			func(s *Store, _ disk.FS) error {
				return errors.Join(whole(s, "old"), head(s), wholeBlock(s, p.ID, 1))
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			on := func(f step) func(disk.FS) error {
				return func(fsys disk.FS) error {
					s, err := OpenOn(fsys, crashDir)
					if err != nil {
						return err
					}
					return f(s, fsys)
				}
			}
			tr := disktest.Trial{Do: on(c.do), Check: on(c.check), After: on(c.after),
				Tidy: on(func(s *Store, _ disk.FS) error { _, err := s.Sweep(); return err })}
			if c.before != nil {
				tr.Before = on(c.before)
			}
			tr.Run(t)
		})
	}
}
