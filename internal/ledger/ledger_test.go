package ledger

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ogdl/internal/disk"
	"ogdl/internal/disktest"
	"ogdl/internal/fuzztest"
	"ogdl/internal/record"
	"ogdl/internal/test/must"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// cell is what one cell leaves, as a run has it.
type cell struct {
	record *record.Record
	kept   *record.Kept
	timing *record.Timing
}

// cells are those of n configurations with five repetitions each, whose numbers say as much as real ones.
func cells(method string, n int) (out []cell) {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	hex := func(digits int) string {
		b := make([]byte, digits)
		for i := range b {
			b[i] = "0123456789abcdef"[r.IntN(16)]
		}
		return string(b)
	}
	for c := range n {
		var before []string
		for rep := range 5 {
			id := hex(16)
			large := 94 + r.IntN(94)
			kept := &record.Kept{Sizes: []int{large, 188 - large}}
			for _, b := range before {
				kept.Agree = append(kept.Agree, record.Agreement{ID: b, Index: r.Float64()})
			}
			before = append(before, id)
			out = append(out, cell{&record.Record{ID: id, Status: record.OK, Method: method, MethodVersion: 4, Dataset: "MUTAG",
				Params: map[string]any{"lambda": 0.01, "alpha": float64(c / 16), "atoms": float64(c % 16), "features": "labels",
					"order": 17.0, "epochs": 40.0},
				BaseSeed: 1, Repetition: rep, Digest: "ccaec442335d87911b76d8c61339379b841d3dc5aa170ce0eb76cd74a436c079", LoaderVersion: 1,
				Scores: map[string]float64{"ri": float64(r.IntN(17578)) / 17578, "ari": r.Float64(), "objective": r.Float64(),
					"trivial_one": 0.55, "trivial_independent": 0.5, "inertia": r.Float64(), "loss_first": r.Float64()},
				Convergence: record.Convergence{Solves: 100000 + r.Int64N(20000), CapHits: r.Int64N(20), Iterations: 1e6 + r.Int64N(1e6), MaxGap: r.Float64()},
				Products:    []record.Used{{ID: fmt.Sprintf("%016x", c/10), Kind: "gw_distances", Convergence: record.Convergence{Solves: 7}}},
				EpochLoss:   []float64{1, 2}, Assignment: record.Labels{0, 1}, NPZSum: hex(64), NPZSize: 5,
				Provenance: record.Provenance{Sources: "166dc475c3b4d1df", GoVersion: "go1.26.8", GOARCH: "amd64"},
			}, kept, &record.Timing{ID: id, Seconds: r.Float64() * 60, CPUSeconds: r.Float64() * 60, Host: "here"}})
		}
	}
	return out
}

// add adds cells, in the order given.
func add(t testing.TB, path string, cells []cell) *Ledger {
	t.Helper()
	l := must.Get(Open(path))
	for _, c := range cells {
		must.Do(t, must.Err(l.Add(c.record, c.kept, c.timing, func(string) float64 { return 12.345 })))
	}
	must.Do(t, l.Save())
	return l
}

// among is what cells say of each other.
func among(cells []cell) (out []cell) {
	there := map[string]bool{}
	for _, c := range cells {
		there[c.record.ID] = true
	}
	for _, c := range cells {
		kept := clone(c.kept)
		kept.Agree = slices.DeleteFunc(slices.Clone(kept.Agree), func(a record.Agreement) bool { return !there[a.ID] })
		out = append(out, cell{c.record, kept, c.timing})
	}
	return out
}

// TestLedger: what is added is found, without what is not kept, and again when the ledger is opened anew, be it a folder or a file.
func TestLedger(t *testing.T) {
	all := append(cells("GDL", 3), cells("SC", 2)...)
	all[4].timing.Embed = &record.EmbedTimes{Graphs: 3, MeanMS: 1.2345}
	for _, path := range []string{filepath.Join(t.TempDir(), "ledger"), filepath.Join(t.TempDir(), "all"+Ending)} {
		l := add(t, path, all)
		again := must.Get(Open(path))
		if again.Len() != 25 || !slices.Equal(again.IDs(), l.IDs()) {
			t.Fatalf("%d cells", again.Len())
		}
		for i, c := range all {
			r, tm := again.Find(c.record.ID)
			was, wasTm := l.Find(c.record.ID)
			// A pair may stand at either of the two, and products hold what a reader of JSON makes of them.
			d := cmp.Diff(was, r, cmpopts.IgnoreFields(record.Record{}, "Kept"))
			if d != "" || r.Kept.NPZ != c.record.NPZSum[:12] || !slices.Equal(r.Kept.Sizes, c.kept.Sizes) {
				t.Errorf("%s", d)
			}
			for _, a := range c.kept.Agree {
				b, _ := again.Find(a.ID)
				x, known := r.Kept.With(a.ID)
				y, also := b.Kept.With(r.ID)
				if known == also || max(x, y)-a.Index > 6e-6 || max(x, y)-a.Index < -6e-6 {
					t.Errorf("agreement of %s with %s: %v, %v, want about %v", r.ID, a.ID, x, y, a.Index)
				}
			}
			if r.Scores["ri"] != c.record.Scores["ri"] || r.Scores["inertia"] != 0 || r.EpochLoss != nil || r.Assignment != nil || r.NPZSum != "" {
				t.Errorf("cell %d: %+v", i, r)
			}
			if !cmp.Equal(tm, wasTm) || (tm.Embed != nil) != (i == 4) || i != 4 && tm.Host != "" ||
				i == 4 && (tm.Embed.MeanMS != 1.2345 || tm.Host != "here") {
				t.Errorf("cell %d: timing %+v", i, tm)
			}
		}
		must.Check(t, again.ProductSeconds("0000000000000000"), 12.3, "seconds of products")
		if r, _ := again.Find("0123456789abcdef"); r != nil {
			t.Error("a cell that is not there")
		}
	}
}

// TestAnyOrder: the same cells give the same files in whatever order and in however many parts they come, and adding them once more writes nothing.
func TestAnyOrder(t *testing.T) {
	all := append(cells("GDL", 8), cells("GWF-r", 4)...)
	one := t.TempDir()
	add(t, one, all)
	want := disktest.Folder(t, one)
	if len(want) != 2 || want["MUTAG_GDL"+Ending] == "" || want["MUTAG_GWF-r"+Ending] == "" {
		t.Fatalf("%d files", len(want))
	}
	for seed := range uint64(4) {
		shuffled := slices.Clone(all)
		rand.New(rand.NewPCG(seed, 2)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		// A store that grows: of its cells all that can be told is added each time.
		dir := t.TempDir()
		for n := 7; n < len(shuffled); n += 11 {
			add(t, dir, among(shuffled[:n]))
		}
		add(t, dir, shuffled)
		if d := cmp.Diff(want, disktest.Folder(t, dir)); d != "" {
			t.Fatalf("another order, other bytes")
		}
		file := filepath.Join(dir, "MUTAG_GDL"+Ending)
		before := must.Get(os.Stat(file))
		add(t, dir, all[:5])
		if after, err := os.Stat(file); err != nil || !os.SameFile(before, after) {
			t.Error("a file was written though nothing is new")
		}
	}
}

// TestLongLine: a line of any length that Save writes is read again.
func TestLongLine(t *testing.T) {
	all := cells("GDL", 1)
	all[0].record.Notes = []string{strings.Repeat("x", 17<<20)}
	dir := t.TempDir()
	add(t, dir, all)
	r, _ := must.Get(Open(dir)).Find(all[0].record.ID)
	must.Check(t, len(r.Notes[0]), 17<<20, "bytes of the note")
}

// TestConflict: one id with other numbers is an error that names cell and number, and nothing is lost; what is no number may differ.
func TestConflict(t *testing.T) {
	all := cells("GDL", 1)
	dir := t.TempDir()
	add(t, dir, all)
	want := disktest.Folder(t, dir)
	for what, change := range map[string]func(r *record.Record, k *record.Kept){
		"ri is":                 func(r *record.Record, _ *record.Kept) { r.Scores["ri"] = 0.5 },
		"new is null there":     func(r *record.Record, _ *record.Kept) { r.Scores["new"] = 0.5 },
		"ari is":                func(r *record.Record, _ *record.Kept) { delete(r.Scores, "ari") },
		"digest of the data is": func(r *record.Record, _ *record.Kept) { r.Digest = "other" },
		"sizes of clusters is":  func(_ *record.Record, k *record.Kept) { k.Sizes = []int{187, 1} },
		"products is":           func(r *record.Record, _ *record.Kept) { r.Products[0].ID = "fedcba98" },
		"objective is":          func(r *record.Record, _ *record.Kept) { r.Scores["objective"] *= 1 + 1e-8 },
		"method is":             func(r *record.Record, _ *record.Kept) { r.MethodVersion++ },
		"agreement with cell " + all[0].record.ID: func(_ *record.Record, k *record.Kept) { k.Agree[0].Index = -0.5 },
	} {
		l := must.Get(Open(dir))
		other := cells("GDL", 1)[1]
		change(other.record, other.kept)
		_, err := l.Add(other.record, other.kept, other.timing, nil)
		if err == nil || !strings.Contains(err.Error(), other.record.ID) || !strings.Contains(err.Error(), what) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: %v", what, err)
		}
		if err := l.Save(); err != nil || !cmp.Equal(want, disktest.Folder(t, dir)) {
			t.Errorf("%s: the ledger has changed, %v", what, err)
		}
	}
	// Another processor: the ledger's stay.
	for what, change := range map[string]func(r *record.Record){
		"objective": func(r *record.Record) { r.Scores["objective"] *= 1 + 1e-12 },
		"solves":    func(r *record.Record) { r.Convergence.Solves++ },
		"arrays":    func(r *record.Record) { r.NPZSum = strings.Repeat("0", 64) },
	} {
		l := must.Get(Open(dir))
		other := cells("GDL", 1)[1]
		change(other.record)
		if near, err := l.Add(other.record, other.kept, other.timing, nil); !near || err != nil || l.Unsaved() > 0 {
			t.Errorf("%s: near %v, %v, %d files to be written", what, near, err, l.Unsaved())
		}
	}
	// A later program knows one parameter more, says so in the arrays' file, and was faster.
	l := must.Get(Open(dir))
	other := cells("GDL", 1)[1]
	other.record.Params["new"], other.record.NPZSum = 1.0, strings.Repeat("0", 64)
	other.record.Provenance.Sources, other.timing.CPUSeconds = "0", 0.5
	if _, err := l.Add(other.record, other.kept, other.timing, nil); err != nil || l.Unsaved() != 1 {
		t.Errorf("%v, %d files to be written", err, l.Unsaved())
	}
	if _, tm := l.Find(other.record.ID); tm.Seconds != 0.5 {
		t.Errorf("%v s", tm.Seconds)
	}
	if err := l.Save(); err != nil || l.Unsaved() != 0 {
		t.Errorf("%v, %d files to be written", err, l.Unsaved())
	}
	bad := all[0].record
	bad.Status = record.Failed
	if _, err := l.Add(bad, nil, nil, nil); err == nil {
		t.Error("a failure was kept")
	}
}

// TestSize: a cell of a grid of a thousand configurations takes at most 64 bytes, though no number of it says anything of another:
// 75,000 of these take less than 5 MB. (Those of SC, which share more, take 36.)
func TestSize(t *testing.T) {
	dir := t.TempDir()
	add(t, dir, cells("GDL", 1000))
	n := len(disktest.Folder(t, dir)["MUTAG_GDL"+Ending])
	t.Logf("%.1f bytes for a cell", float64(n)/5000)
	if n > 64*5000 {
		t.Errorf("%d bytes for 5,000 cells", n)
	}
}

// TestDamage: a file that is cut, altered or no ledger is an error with its name, and nothing is guessed.
func TestDamage(t *testing.T) {
	dir := t.TempDir()
	add(t, dir, cells("GDL", 3))
	file := filepath.Join(dir, "MUTAG_GDL"+Ending)
	whole := must.Get(os.ReadFile(file))
	for cut := 0; cut < len(whole); cut += 5 {
		must.Do(t, os.WriteFile(file, whole[:cut], 0o666))
		must.Fail(t, must.Err(Open(dir)), file, cut, len(whole))
		altered := slices.Clone(whole)
		altered[cut] ^= 0x10
		must.Do(t, os.WriteFile(file, altered, 0o666))
		if l, err := Open(dir); err == nil && l.Len() != 15 { // a byte of gzip's head may say nothing
			t.Fatalf("byte %d altered: %d cells", cut, l.Len())
		}
	}
	_, _, err := readText(head + "\n" + `{"scores":{"ari":[0.5,["` + strings.Repeat("x", 1000) + `"]]}}`)
	must.Fail(t, err, "line.scores of type float64")
	if len(err.Error()) > 200 {
		t.Errorf("an error of %d bytes", len(err.Error()))
	}
	other := filepath.Join(dir, "README")
	must.Do(t, os.WriteFile(other, nil, 0o666))
	if _, err := Open(other); err == nil {
		t.Error("a file of another kind was taken for a ledger")
	}
	if l, err := Open(filepath.Join(dir, "none")); err != nil || l.Len() != 0 {
		t.Error("a ledger that is not there is an empty one:", err)
	}
}

// pack is the file of a text.
func pack(text string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(text))
	_ = z.Close()
	return b.Bytes()
}

// readText reads lines as they stand in a file, and gives what they are when they are written.
func readText(text string) (*Ledger, []byte, error) {
	return readFile(pack(text))
}

// readFile is readText of the file.
func readFile(file []byte) (l *Ledger, again []byte, err error) {
	l = empty(disk.OS{}, "x"+Ending)
	if err := l.read(bytes.NewReader(file), "x"); err != nil {
		return nil, nil, err
	}
	var all []*record.Record
	for _, id := range l.IDs() {
		r, _ := l.Find(id)
		all = append(all, r)
	}
	again, err = l.encode(all)
	return l, again, err
}

// FuzzLedger: no text makes the reader panic, and what it takes is written as something that it takes for the same.
func FuzzLedger(f *testing.F) {
	f.Fuzz(func(t *testing.T, text string) {
		l, file, err := readText(text)
		if err != nil {
			return
		}
		again, second, err := readFile(file)
		switch {
		case err != nil:
			t.Fatalf("what was written is rejected: %v", err)
		case !slices.Equal(l.IDs(), again.IDs()):
			t.Fatalf("%d cells, then %d", l.Len(), again.Len())
		case !bytes.Equal(file, second):
			t.Fatal("written twice, the bytes differ")
		}
	})
}

func TestSeeds(t *testing.T) {
	fuzztest.Seeds(t, "FuzzLedger", func(args []string) error {
		_, _, err := readText(args[0])
		return err
	})
}
