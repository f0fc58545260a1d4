package record

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ogdl/internal/fuzztest"
	"ogdl/internal/npz"
	"ogdl/internal/test/must"

	"github.com/google/go-cmp/cmp"
)

func sampleProduct() *Product {
	return NewProduct("gw_distances", map[string]any{"dataset": "MUTAG", "alpha": 0.5, "version": 1}, 3)
}

func sampleArrays(seed float64) []npz.Array {
	return []npz.Array{{Name: "distances", Shape: []int{3}, Float: []float64{seed, 0.1, 1.0 / 3}}, {Name: "counts", Shape: []int{1}, Int: []int{7}}}
}

var sampleWhere = Provenance{Revision: "abc", GoVersion: "go1.26", GOARCH: "amd64"}

// openProduct returns a store with the sample product and its blocks 0 and 1.
func openProduct(t testing.TB) (*Store, *Product) {
	t.Helper()
	s := must.Get(Open(t.TempDir()))
	p := sampleProduct()
	must.Do(t, s.PutProduct(p))
	for b := range 2 {
		cost := &BlockTiming{Seconds: 2, CPUSeconds: 1.5, Host: "here", Started: time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)}
		must.Do(t, s.PutBlock(p.ID, b, sampleArrays(float64(b)), sampleWhere, cost))
	}
	return s, p
}

// blockPath returns the one file of a block.
func blockPath(t testing.TB, s *Store, id string, block int) string {
	t.Helper()
	paths, err := s.blockFiles(id, block)
	if err != nil || len(paths) != 1 {
		t.Fatalf("files of block %d: %q, %v", block, paths, err)
	}
	return paths[0]
}

func TestProductPutGet(t *testing.T) {
	s, p := openProduct(t)
	got, err := s.Product(p.ID)
	if err != nil || got.ID != p.ID || got.Blocks != 3 || got.Content["dataset"] != "MUTAG" {
		t.Fatalf("%+v, %v", got, err)
	}
	for b := range 2 {
		block := must.Get(s.Block(p.ID, b))
		if diff := cmp.Diff(sampleArrays(float64(b)), block); diff != "" {
			t.Error(diff)
		}
		timing, err := s.BlockTiming(p.ID, b)
		if err != nil || timing.Block != b || timing.ID != p.ID || timing.Host != "here" {
			t.Errorf("%+v, %v", timing, err)
		}
	}
	if block, err := s.Block(p.ID, 2); block != nil || err != nil {
		t.Errorf("%v, %v", block, err)
	}
	if seconds, cpu, timed := s.ProductCost(p); seconds != 4 || cpu != 3 || timed != 2 {
		t.Errorf("cost %v s, %v s of CPU, %d blocks", seconds, cpu, timed)
	}
	// Records do not see products, and the other way round.
	if ids, err := s.List(); len(ids) != 0 || err != nil {
		t.Errorf("records %q, %v", ids, err)
	}
	data := must.Get(os.ReadFile(blockPath(t, s, p.ID, 1)))
	arrays, err := npz.Read(bytes.NewReader(data), int64(len(data)))
	if err != nil || len(arrays) != 3 {
		t.Fatalf("%d arrays, %v", len(arrays), err)
	}
	must.Contain(t, arrays[0].Text[0], p.ID, `"revision":"abc"`)
}

func TestProductIdentity(t *testing.T) {
	p := sampleProduct()
	for name, q := range map[string]*Product{
		"kind":    NewProduct("other", p.Content, 3),
		"blocks":  NewProduct(p.Kind, p.Content, 4),
		"content": NewProduct(p.Kind, map[string]any{"dataset": "MUTAG", "alpha": 0.6, "version": 1}, 3),
	} {
		if q.ID == p.ID {
			t.Errorf("another %s, the same id", name)
		}
	}
	if q := NewProduct(p.Kind, map[string]any{"version": 1.0, "alpha": 0.5, "dataset": "MUTAG"}, 3); q.ID != p.ID {
		t.Error("the id depends on the form of the content")
	}
	s, _ := openProduct(t)
	p.Blocks = 9
	if err := s.PutProduct(p); err == nil {
		t.Error("a product was stored under the id of another")
	}
}

// TestBlocksOfOthers: whole files that are not the block asked for.
func TestBlocksOfOthers(t *testing.T) {
	for name, c := range map[string]struct {
		head, want string
		corrupt    bool
	}{
		"newer schema":    {`{"schema":2,"what":["ever"]}`, "newer schema", false},
		"older schema":    {`{"schema":0}`, "older schema", false},
		"another block":   {`{"schema":1,"product":"ID","block":1}`, "holds block 1", true},
		"another product": {`{"schema":1,"product":"0123456789abcdef","block":0}`, "of 0123456789abcdef", true},
		"no JSON":         {`{`, "JSON", true},
		"other types":     {`{"schema":1,"product":7}`, "product", true},
	} {
		t.Run(name, func(t *testing.T) {
			s, p := openProduct(t)
			old := blockPath(t, s, p.ID, 0)
			must.Do(t, os.Remove(old))
			var file bytes.Buffer
			arrays := append([]npz.Array{npz.Scalar(blockArray, strings.Replace(c.head, "ID", p.ID, 1))}, sampleArrays(0)...)
			err := npz.Write(&file, arrays)
			if err == nil {
				err = os.WriteFile(filepath.Join(filepath.Dir(old), "00000-"+sumOf(file.Bytes())[:blockDigits]+".npz"), file.Bytes(), 0o666)
			}
			must.Do(t, err)
			b, err := s.Block(p.ID, 0)
			var other *SchemaError
			if b != nil || err == nil || errors.Is(err, ErrCorrupt) != c.corrupt || errors.As(err, &other) == c.corrupt || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("%v, %v", b, err)
			}
			// Computed again it is there; what is corrupt goes, what another program wrote stays.
			must.Do(t, s.PutBlock(p.ID, 0, sampleArrays(0), sampleWhere, nil))
			if b, err := s.Block(p.ID, 0); b == nil {
				t.Error(err)
			}
			if paths, _ := s.blockFiles(p.ID, 0); (len(paths) == 1) != c.corrupt {
				t.Errorf("files %q are left", paths)
			}
		})
	}
}

// TestMergedFolders: two revisions wrote the same block; any whole file will do.
func TestMergedFolders(t *testing.T) {
	s, p := openProduct(t)
	first := blockPath(t, s, p.ID, 0)
	must.Do(t, s.PutBlock(p.ID, 0, sampleArrays(0), Provenance{Revision: "other"}, nil))
	paths, err := s.blockFiles(p.ID, 0)
	if err != nil || len(paths) != 2 {
		t.Fatalf("%q, %v", paths, err)
	}
	for range 2 {
		if b, err := s.Block(p.ID, 0); b == nil || err != nil {
			t.Error(err)
		}
		must.Do(t, os.WriteFile(first, []byte("spoilt"), 0o666))
	}
}

// TestBlockThatVanishes: a file that is gone by the time it is read (here a link to
// nowhere, first in the list) hides no other file of the block.
func TestBlockThatVanishes(t *testing.T) {
	s, p := openProduct(t)
	gone := filepath.Join(s.productDir(p.ID), fmt.Sprintf("%05d-%s.npz", 1, strings.Repeat("0", blockDigits)))
	if err := os.Symlink(filepath.Join(t.TempDir(), "nowhere"), gone); err != nil {
		t.Skip("no links here: ", err)
	}
	if b, err := s.Block(p.ID, 1); b == nil || err != nil {
		t.Errorf("%v, %v", b, err)
	}
	must.Do(t, os.Rename(gone, strings.Replace(gone, "00001-", "00002-", 1)))
	if b, err := s.Block(p.ID, 2); b != nil || err != nil {
		t.Errorf("nothing but a file that is gone: %v, %v", b, err)
	}
}

func TestBadBlocks(t *testing.T) {
	s, p := openProduct(t)
	before := names(t, s)
	for name, err := range map[string]error{
		"id":     s.PutBlock("../x", 0, sampleArrays(0), sampleWhere, nil),
		"number": s.PutBlock(p.ID, -1, sampleArrays(0), sampleWhere, nil),
		"large":  s.PutBlock(p.ID, 100000, sampleArrays(0), sampleWhere, nil),
		"arrays": s.PutBlock(p.ID, 0, []npz.Array{{Name: "x", Shape: []int{2}, Float: []float64{1}}}, sampleWhere, nil),
		"timing": s.PutBlock(p.ID, 0, sampleArrays(0), sampleWhere, &BlockTiming{Seconds: math.NaN()}),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if after := names(t, s); strings.Join(before, " ") != strings.Join(after, " ") {
		t.Errorf("files %q, before %q", after, before)
	}
	for _, block := range []int{-1, 100000} {
		if b, err := s.Block(p.ID, block); b != nil || err == nil {
			t.Errorf("block %d: %v, %v", block, b, err)
		}
	}
	if _, err := s.Product("../x"); err == nil {
		t.Error("no error about an id that leaves the folder")
	}
}

// parseRecipe reads a block of the archive that the recipe makes, named by its own sum, so
// that what is behind the sum is reached; see fuzztest.Archive.
func parseRecipe(recipe []byte) ([]npz.Array, error) {
	data := fuzztest.Archive(recipe)
	return parseBlock("00003-"+sumOf(data)[:blockDigits]+".npz", data, testID, 3)
}

// FuzzBlock: what is accepted is a whole block, and its arrays can be stored again.
func FuzzBlock(f *testing.F) {
	f.Fuzz(func(t *testing.T, recipe []byte) {
		b, err := parseRecipe(recipe)
		must.Equal(t, b != nil, err == nil, "%v, %v", b, err)
		if b == nil {
			return
		}
		head := must.Get(CanonicalJSON(blockHead{BlockSchema, testID, 3, sampleWhere}))
		var file bytes.Buffer
		must.Do(t, npz.Write(&file, append([]npz.Array{npz.Scalar(blockArray, string(head))}, b...)))
		again, err := parseBlock("00003-"+sumOf(file.Bytes())[:blockDigits]+".npz", file.Bytes(), testID, 3)
		if err != nil || len(again) != len(b) {
			t.Fatalf("%v: %+v written reads back as %+v", err, b, again)
		}
	})
}

func TestBlockSeeds(t *testing.T) {
	fuzztest.Seeds(t, "FuzzBlock", func(args []string) error {
		_, err := parseRecipe([]byte(args[0]))
		return err
	})
}
