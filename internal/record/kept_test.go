package record

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"ogdl/internal/test/must"
)

// remembered is a ledger of some records.
type remembered map[string]*Record

func (l remembered) Find(id string) (*Record, *Timing) {
	r := l[id]
	if r == nil {
		return nil, nil
	}
	c := *r
	return &c, &Timing{ID: id, Seconds: 7}
}

func (l remembered) Timing(id string) *Timing {
	_, t := l.Find(id)
	return t
}

func (l remembered) IDs() (ids []string) {
	for id := range l {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

func (l remembered) ProductSeconds(string) float64 { return 3 }

// TestConsult: a ledger answers for what the store has no result of, and for nothing else; its cells have no arrays.
func TestConsult(t *testing.T) {
	const gone, failed, none = "1111111111111111", "2222222222222222", "3333333333333333"
	s := open(t)
	bad := sampleRecord(failed)
	bad.Status = Failed
	must.Do(t, s.Put(bad, nil, nil))
	kept := func(id string) *Record {
		r := sampleRecord(id)
		r.Assignment, r.Kept = nil, &Kept{NPZ: "0123456789ab", Sizes: []int{2, 1}, Agree: []Agreement{{ID: testID, Index: 0.5}}}
		return r
	}
	must.Check(t, s.KeptSeconds("p"), 0, "no ledger, and seconds")
	s.Consult(remembered{gone: kept(gone), failed: kept(failed), testID: kept(testID)})
	for what, look := range map[string]func(string) (*Record, error){"get": s.Get, "head": s.Head} {
		for _, id := range []string{gone, failed} {
			r, err := look(id)
			if err != nil || r.ID != id || r.Status != OK || r.Kept == nil {
				t.Errorf("%s %s: %v %v", what, id, r, err)
			}
		}
		if r, err := look(testID); err != nil || r.NPZSum == "" || len(r.Assignment) != 3 || r.Kept == nil {
			t.Errorf("%s: the store's own: %v %v", what, r, err)
		}
		if r, err := look(none); err != nil || r != nil {
			t.Errorf("%s: %v %v", what, r, err)
		}
	}
	if tm, err := s.Timing(gone); err != nil || tm.Seconds != 7 {
		t.Errorf("timing %v %v", tm, err)
	}
	if tm, _ := s.Timing(testID); tm.Seconds != 1.5 {
		t.Errorf("the store's timing: %v", tm)
	}
	if _, err := s.NPZ(gone); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "cell "+gone+" is in the ledger alone") {
		t.Errorf("arrays: %v", err)
	}
	if data, err := s.NPZ(testID); err != nil || string(data) != "arrays" {
		t.Errorf("arrays: %q %v", data, err)
	}
	must.Same(t, must.Get(s.Known()), []string{testID, gone, failed}, "known")
	if ids, err := s.List(); err != nil || len(ids) != 2 {
		t.Errorf("files: %v %v", ids, err)
	}
	must.Check(t, s.KeptSeconds("p"), 3, "seconds of products")
}
