package record

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ogdl/internal/disk"
	"ogdl/internal/test/must"
)

func TestReplaceAndSweepNPZ(t *testing.T) {
	s := open(t)
	old, _ := s.Get(testID)
	must.Do(t, s.Put(sampleRecord(testID), nil, []byte("other arrays")))
	now := must.Get(s.Get(testID))
	if data, err := s.NPZ(testID); err != nil || string(data) != "other arrays" {
		t.Errorf("NPZ = %q, %v", data, err)
	}
	if n, err := s.Sweep(); n != 1 || err != nil {
		t.Errorf("Sweep removed %d, %v; want the old npz alone", n, err)
	}
	if _, err := os.Stat(s.NPZPath(old)); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the old npz is still there")
	}
	if r, err := s.Get(now.ID); r == nil {
		t.Error(err)
	}
	// Beside a record that cannot be read, no npz is swept.
	must.Do(t, os.WriteFile(s.Path(testID), seal(Schema+1, []byte("{}")), 0o666))
	if n, err := s.Sweep(); n != 0 || err != nil {
		t.Errorf("Sweep removed %d beside a newer record, %v", n, err)
	}
}

func TestSweepTemporaryFiles(t *testing.T) {
	s := open(t)
	dir := filepath.Dir(s.Path(testID))
	const gone = 1 << 30 // above any pid
	mine := disk.TempNameOf(os.Getpid())
	dead := disk.TempNameOf(gone)
	elsewhere := fmt.Sprintf("%sfar-away.%d.A", disk.TempPrefix, gone)
	others := []string{disk.TempPrefix + "x", "notes.txt", strings.Replace(dead, fmt.Sprint(gone), "pid", 1)}
	for _, name := range append([]string{mine, dead, elsewhere}, others...) {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o666))
	}
	has := func(name string) bool {
		_, err := os.Stat(filepath.Join(dir, name))
		return err == nil
	}
	if n, err := s.Sweep(); n != 3 || err != nil || has(dead) || has(mine) || has(elsewhere) {
		t.Errorf("Sweep removed %d, %v; left: dead %v, mine %v, elsewhere %v", n, err, has(dead), has(mine), has(elsewhere))
	}
	for _, name := range others {
		if !has(name) {
			t.Errorf("%s, which is not ours, was removed", name)
		}
	}
	if r, err := s.Get(testID); r == nil {
		t.Error(err)
	}
}
