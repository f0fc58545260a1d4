package record

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"ogdl/internal/disk"
	"ogdl/internal/test/must"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const testID = "0123456789abcdef"

func sampleRecord(id string) *Record {
	return &Record{
		ID: id, Status: OK, Reason: "r", Stack: "s",
		Method: "gdl", MethodVersion: 2, Dataset: "MUTAG",
		Params:   map[string]any{"lambda": 0.001, "atoms": 4.0, "representation": "adjacency", "list": []any{"x", true, nil}},
		BaseSeed: math.MaxInt64, Repetition: 3, Digest: "d1", LoaderVersion: 1,
		Scores:      map[string]float64{"ri": 0.7175, "ari": -0.01},
		Assignment:  Labels{0, 1, 1},
		Convergence: Convergence{Solves: 5, CapHits: 1, Iterations: 70, MaxGap: 1e-9},
		EpochLoss:   []float64{0.5, 0.25},
		Notes:       []string{"two atoms padded"},
		Provenance:  Provenance{Revision: "abc", GoVersion: "go1.26", GOARCH: "amd64"},
	}
}

func sampleTiming() *Timing {
	return &Timing{Seconds: 1.5, CPUSeconds: 1.25, PeakRSS: 1 << 30, Host: "here", Started: time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)}
}

// open returns a store that holds sampleRecord with an npz and a timing.
func open(t testing.TB) *Store {
	t.Helper()
	s := must.Get(Open(t.TempDir()))
	must.Do(t, s.Put(sampleRecord(testID), sampleTiming(), []byte("arrays")))
	return s
}

// TestResultsOutliveFailures: neither a later failure, nor a copy of a store with one, takes the place of a result.
func TestResultsOutliveFailures(t *testing.T) {
	s, failed := open(t), must.Get(Open(t.TempDir()))
	is := func(s *Store, status, reason, where string) {
		t.Helper()
		r := must.Get(s.Get(testID))
		if ids := must.Get(s.List()); r == nil || r.Status != status || r.Reason != reason || len(ids) != 1 {
			t.Errorf("%s: %+v, ids %q", where, r, ids)
		}
	}
	fail := func(s *Store, reason string) {
		t.Helper()
		r := sampleRecord(testID)
		r.Status, r.Reason = Failed, reason
		must.Do(t, s.Put(r, sampleTiming(), nil))
	}
	before := names(t, s)
	fail(s, "why")
	is(s, OK, "r", "after a failure")
	if len(names(t, s)) != len(before)+1 {
		t.Error("the failure is not stored")
	}
	must.Do(t, os.Remove(s.FailurePath(testID)))
	ended := sampleRecord(testID)
	ended.Status = Cancelled
	must.Do(t, s.Put(ended, nil, nil))
	must.Same(t, names(t, s), before, "files after an interruption")
	fail(failed, "why")
	is(failed, Failed, "why", "a failure alone")
	must.Do(t, os.Rename(failed.FailurePath(testID), failed.Path(testID))) // as earlier versions wrote it
	is(failed, Failed, "why", "an old failure")
	fail(failed, "later")
	is(failed, Failed, "later", "a later failure")
	must.Do(t, os.Link(failed.FailurePath(testID), s.FailurePath(testID)))
	is(s, OK, "r", "after a copy")
	must.Do(t, s.Put(sampleRecord(testID), sampleTiming(), []byte("arrays")))
	must.Same(t, names(t, s), before, "files after a result")

	// A failure takes the place of a result on other data, and of a damaged one.
	other := sampleRecord(testID)
	other.Status, other.Reason, other.Digest = Failed, "other data", "d2"
	must.Do(t, s.Put(other, nil, nil))
	is(s, Failed, "other data", "after a failure on other data")
	must.Do(t, s.Put(sampleRecord(testID), nil, nil))
	must.Do(t, os.WriteFile(s.Path(testID), []byte("damaged"), 0o644))
	if _, err := s.Get(testID); !errors.Is(err, ErrCorrupt) {
		t.Errorf("a damaged result: %v", err)
	}
	fail(s, "again")
	is(s, Failed, "again", "after a failure in place of a damaged result")
}

// names lists all files of the store.
func names(t testing.TB, s *Store) (names []string) {
	t.Helper()
	err := filepath.WalkDir(s.Dir(), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, d.Name())
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return names
}

func TestPutGet(t *testing.T) {
	s := open(t)
	want := sampleRecord(testID)
	want.NPZSize = 6
	got := must.Get(s.Get(testID))
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(Record{}, "NPZSum")); diff != "" {
		t.Error(diff)
	}
	if data, err := s.NPZ(testID); err != nil || string(data) != "arrays" {
		t.Errorf("NPZ = %q, %v", data, err)
	}
	timing := must.Get(s.Timing(testID))
	wantTiming := sampleTiming()
	wantTiming.ID = testID
	if diff := cmp.Diff(wantTiming, timing); diff != "" {
		t.Error(diff)
	}
	if got := names(t, s); len(got) != 3 {
		t.Errorf("files %q, want three", got)
	}
}

func TestMissing(t *testing.T) {
	s := open(t)
	if r, err := s.Get("00000000"); r != nil || err != nil {
		t.Errorf("Get = %v, %v", r, err)
	}
	if r, err := s.Timing("00000000"); r != nil || err != nil {
		t.Errorf("Timing = %v, %v", r, err)
	}
	if _, err := s.NPZ("00000000"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("NPZ: error %v", err)
	}
	for _, id := range []string{"", "../../../etc", "0123", "0123456789ABCDEF", "01234567/", strings.Repeat("0", 65)} {
		if r, err := s.Get(id); r != nil || err == nil {
			t.Errorf("Get(%q) = %v, %v", id, r, err)
		}
		if _, err := s.NPZ(id); err == nil {
			t.Errorf("NPZ(%q): no error", id)
		}
	}
}

func TestNothingIsCreatedByReading(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	s := must.Get(Open(dir))
	if r, err := s.Get(testID); r != nil || err != nil {
		t.Error(r, err)
	}
	if ids, err := s.List(); len(ids) != 0 || err != nil {
		t.Error(ids, err)
	}
	if n, err := s.Sweep(); n != 0 || err != nil {
		t.Error(n, err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the folder was created")
	}
	must.Do(t, errors.Join(s.MakeDir(), s.Writable()))
	if got := names(t, s); len(got) != 0 {
		t.Errorf("Prepare left %q", got)
	}
}

// TestSchemaIsPinned fails when the content of a record file changes. If it must, raise Schema.
func TestSchemaIsPinned(t *testing.T) {
	s := open(t)
	got := must.Get(os.ReadFile(s.Path(testID)))
	_, payload := must.Get2(unseal(got))
	const want = `{"assignment":[0,1,1],"base_seed":9223372036854775807,` +
		`"convergence":{"cap_hits":1,"iterations":70,"max_gap":1e-9,"solves":5},"dataset":"MUTAG","digest":"d1","epoch_loss":[0.5,0.25],` +
		`"id":"0123456789abcdef","loader_version":1,"method":"gdl","method_version":2,"notes":["two atoms padded"],` +
		`"npz_size":6,"npz_sum":"381d5d94e168a810f723a90993e1a424589391db725bf0a4d9b91579f757ddc6",` +
		`"params":{"atoms":4,"lambda":0.001,"list":["x",true,null],"representation":"adjacency"},` +
		`"provenance":{"go_version":"go1.26","goarch":"amd64","revision":"abc"},"reason":"r","repetition":3,` +
		`"scores":{"ari":-0.01,"ri":0.7175},"stack":"s","status":"ok"}`
	if diff := cmp.Diff(want, string(payload)); diff != "" || Schema != 1 {
		t.Errorf("schema %d: %s", Schema, diff)
	}
}

func TestAllStatusesAreKept(t *testing.T) {
	s := open(t)
	for k, status := range Statuses() {
		id := fmt.Sprintf("%08x", k)
		must.Do(t, s.Put(&Record{ID: id, Status: status, Reason: "why"}, nil, nil))
		r, err := s.Get(id)
		if r == nil || r.Status != status || r.Reason != "why" {
			t.Errorf("%s: %+v, %v", status, r, err)
		}
		if data, err := s.NPZ(id); data != nil || err != nil {
			t.Errorf("NPZ of a record without: %q, %v", data, err)
		}
	}
}

func TestPutRefuses(t *testing.T) {
	nan := math.NaN()
	for name, tt := range map[string]struct {
		spoil func(*Record)
		want  string
	}{
		"id":             {func(r *Record) { r.ID = "../x" }, `"../x"`},
		"status":         {func(r *Record) { r.Status = "done" }, `"done"`},
		"failed, why":    {func(r *Record) { r.Status, r.Reason = Failed, "" }, "reason"},
		"skipped, why":   {func(r *Record) { r.Status, r.Reason = Skipped, "" }, "reason"},
		"NaN score":      {func(r *Record) { r.Scores["ri"] = nan }, "finite number: ri is NaN"},
		"infinite score": {func(r *Record) { r.Scores["ri"] = math.Inf(1) }, "finite number: ri is +Inf"},
		"NaN loss": {
			func(r *Record) { r.EpochLoss[1] = nan },
			"training diverged: the mean loss of epoch 2 is no finite number (NaN)",
		},
		"NaN gap":       {func(r *Record) { r.Convergence.MaxGap = nan }, "the largest gap of a solve is NaN"},
		"infinite gap":  {func(r *Record) { r.Convergence.MaxGap = math.Inf(1) }, "the largest gap of a solve is +Inf"},
		"NaN parameter": {func(r *Record) { r.Params["lambda"] = nan }, `"lambda"`},
	} {
		s := must.Get(Open(t.TempDir()))
		r := sampleRecord(testID)
		tt.spoil(r)
		must.Fail(t, s.Put(r, nil, []byte("x")), tt.want, name)
		if got := names(t, s); len(got) != 0 {
			t.Errorf("%s: left %q", name, got)
		}
	}
	s := open(t)
	if err := s.Put(sampleRecord("00000000"), &Timing{Seconds: nan}, []byte("x")); err == nil {
		t.Error("NaN seconds: no error")
	}
	if got := names(t, s); len(got) != 3 {
		t.Errorf("NaN seconds: %q", got)
	}
}

// TestFileSystemErrors puts obstacles in the way, which stop root too.
func TestFileSystemErrors(t *testing.T) {
	dir := t.TempDir()
	blocked := filepath.Join(dir, "store")
	must.Do(t, os.WriteFile(blocked, nil, 0o666))
	must.Fail(t, must.Err(Open(dir)), blocked)

	s, err := Open(filepath.Join(dir, "store", "below"))
	if err == nil { // the stat of a path below a file fails as absent on some systems
		err = errors.Join(s.MakeDir(), s.Writable())
	}
	must.Fail(t, err, blocked)

	s = open(t)
	shard := filepath.Join(s.Dir(), "ff")
	must.Do(t, os.WriteFile(shard, nil, 0o666))
	must.Fail(t, s.Put(sampleRecord("ffffffff"), nil, nil), shard)

	// The record's own place is taken by a folder: everything else has been renamed by then.
	must.Do(t, os.MkdirAll(filepath.Join(s.Path("01ffffff"), "x"), 0o777))
	must.Fail(t, s.Put(sampleRecord("01ffffff"), sampleTiming(), []byte("x")), s.Path("01ffffff"))
	if _, err := s.Get("01ffffff"); err == nil || errors.Is(err, ErrCorrupt) {
		t.Errorf("record is a folder: %v", err)
	}
	for _, name := range names(t, s) {
		if strings.HasPrefix(name, disk.TempPrefix) {
			t.Errorf("%s was left", name)
		}
	}
}

func TestAll(t *testing.T) {
	s := open(t)
	ids := []string{"00000001", testID, "ab000000", "ab000001"}
	for _, id := range ids {
		must.Do(t, s.Put(sampleRecord(id), sampleTiming(), nil))
	}
	must.Do(t, os.WriteFile(s.Path("ab000000"), []byte("junk"), 0o666))
	copied := filepath.Join(s.root, "20251128") // somebody's copy, under a name that could be an id
	must.Do(t, os.Mkdir(copied, 0o777))
	must.Do(t, os.WriteFile(filepath.Join(copied, "00000001.json"), must.Get(os.ReadFile(s.Path("00000001"))), 0o666))
	var got []string
	for r, err := range s.All() {
		if err == nil {
			got = append(got, r.ID)
		} else if got = append(got, "corrupt"); r != nil || !errors.Is(err, ErrCorrupt) {
			t.Errorf("%+v, %v", r, err)
		}
	}
	want := []string{"00000001", testID, "corrupt", "ab000001"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	list, err := s.List()
	if diff := cmp.Diff(ids, list); diff != "" || err != nil {
		t.Error(diff, err)
	}
	for range s.All() {
		break // must stop without complaint
	}
}

// TestManyWriters puts the same cells from many goroutines with different results: whichever
// wins, each record is whole and has its own npz.
func TestManyWriters(t *testing.T) {
	s := open(t)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for k := range 12 {
				r := sampleRecord(fmt.Sprintf("%08x", k%3))
				r.Notes = []string{fmt.Sprint(w)}
				must.Do(t, s.Put(r, sampleTiming(), []byte(r.Notes[0])))
				if got, err := s.Get(r.ID); got == nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	for k := range 3 {
		id := fmt.Sprintf("%08x", k)
		r := must.Get(s.Get(id))
		if data, err := s.NPZ(id); err != nil || string(data) != r.Notes[0] {
			t.Errorf("record of writer %s with npz %q, %v", r.Notes[0], data, err)
		}
	}
}

func TestNumber(t *testing.T) {
	fresh := &Record{ID: testID, Status: OK, Params: map[string]any{"a": 4, "b": 0.5, "c": "x", "d": int64(7), "e": []int{1, 2}, "f": 1e6, "g": true}}
	s := open(t)
	must.Do(t, s.Put(fresh, nil, nil))
	stored := must.Get(s.Get(testID))
	number := map[string]float64{"a": 4, "b": 0.5, "d": 7, "f": 1e6}
	for _, r := range []*Record{fresh, stored} {
		for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "none"} {
			x, ok := r.Number(name)
			if v, is := number[name]; ok != is || x != v {
				t.Errorf("Number(%q) = %v, %v", name, x, ok)
			}
		}
	}
}

func BenchmarkHead(b *testing.B) {
	s := open(b)
	for b.Loop() {
		if r, err := s.Head(testID); r == nil {
			b.Fatal(err)
		}
	}
}
