package nested_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ogdl/datasets/loader"
	"ogdl/eval/nested"
	"ogdl/internal/sharedtest"
	"ogdl/internal/test/must"

	"gonum.org/v1/gonum/mathext/prng"
	"pgregory.net/rapid"
)

// reference is testdata/nested.json.
type reference struct {
	Splits []struct {
		Labels            []int
		Seed              uint32
		Train, Test, Fold []int
	}
	Points   [][]int
	Labels   []int
	C        []float64
	Searches []struct {
		Seed        uint32
		C           float64
		Kernel      int
		Inner       string
		Table       []string
		Predictions []int
	}
}

func load(t *testing.T) (ref reference) {
	t.Helper()
	data := must.Get(os.ReadFile("testdata/nested.json"))
	must.Do(t, json.Unmarshal(data, &ref))
	return ref
}

// TestReleasedSmall compares with splits of scikit-learn: classes of drawn sizes, remainders that tie, large seeds.
func TestReleasedSmall(t *testing.T) {
	ref := load(t)
	if len(ref.Splits) < 20 {
		t.Fatalf("%d splits", len(ref.Splits))
	}
	for _, want := range ref.Splits {
		counts := map[int]int{}
		for _, l := range want.Labels {
			counts[l]++
		}
		got := must.Get(nested.Released(want.Labels, want.Seed, nested.Folds))
		if !slices.Equal(got.Train, want.Train) || !slices.Equal(got.Test, want.Test) || !slices.Equal(got.Fold, want.Fold) {
			t.Errorf("seed %d, classes %v: not scikit-learn's split", want.Seed, counts)
		}
	}
}

// TestReleased compares with the released code's splits of the published sets, by their digests and whole.
func TestReleased(t *testing.T) {
	type whole struct {
		Train, Test []int
		Fold        string
	}
	var ref struct {
		Sets map[string]struct {
			N      int
			SHA256 map[string]string
			Full   map[string]whole
		}
		Outer struct{ Fold string } `json:"outer10_seed0_MUTAG"`
	}
	sharedtest.JSON(t, "classification/folds.json", &ref)
	digests := 0
	for name, set := range ref.Sets {
		d := must.Get(loader.Load(sharedtest.Data(t, name), name))
		labels := make([]int, len(d.Classes))
		for i, c := range d.Classes {
			labels[i] = d.ClassValues[c]
		}
		for seed, want := range set.SHA256 {
			s := must.Get(nested.Released(labels, number(t, seed), nested.Folds))
			sum := sha256.Sum256([]byte(join(s.Train, ",") + "|" + join(s.Test, ",") + "|" + join(s.Fold, "")))
			must.Check(t, fmt.Sprintf("%x", sum[:16]), want, "%s, seed %s: digest", name, seed)
			digests++
		}
		for seed, want := range set.Full {
			s := must.Get(nested.Released(labels, number(t, seed), nested.Folds))
			if got := (whole{s.Train, s.Test, join(s.Fold, "")}); !slices.Equal(got.Train, want.Train) || !slices.Equal(got.Test, want.Test) || got.Fold != want.Fold {
				t.Errorf("%s, seed %s: not the released split", name, seed)
			}
		}
		if name == "MUTAG" {
			src := prng.NewMT19937()
			src.Seed(0)
			if fold, err := nested.Stratified(labels, 10, src); err != nil || join(fold, "") != ref.Outer.Fold {
				t.Errorf("MUTAG in 10 folds: %v, or not scikit-learn's", err)
			}
		}
	}
	if digests < 55 {
		t.Errorf("%d digests, expected 55", digests)
	}
}

func number(t *testing.T, s string) uint32 {
	t.Helper()
	n := must.Get(strconv.ParseUint(s, 10, 32))
	return uint32(n)
}

func join(x []int, sep string) string {
	var parts []string
	for _, v := range x {
		parts = append(parts, strconv.Itoa(v))
	}
	return strings.Join(parts, sep)
}

// TestDrawn: drawn splits are stratified partitions that depend on the source alone.
func TestDrawn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var labels []int
		for c := range rapid.IntRange(2, 5).Draw(t, "classes") {
			labels = append(labels, slices.Repeat([]int{10 - 3*c}, rapid.IntRange(13, 60).Draw(t, "size"))...)
		}
		n := len(labels)
		seed := rapid.Uint64().Draw(t, "seed")
		source := func() nested.Source { return rand.New(rand.NewPCG(seed, 1)) }
		s := must.Get(nested.Drawn(labels, nested.Folds, source()))
		if again, err := nested.Drawn(labels, nested.Folds, source()); err != nil || !slices.Equal(again.Train, s.Train) || !slices.Equal(again.Fold, s.Fold) {
			t.Fatal("another split from the same source")
		}
		all := slices.Sorted(slices.Values(slices.Concat(s.Train, s.Test)))
		for i, x := range all {
			must.Equal(t, x, i, "sorted parts are the numbers from 0")
		}
		if len(all) != n || len(s.Test) != (n+9)/10 {
			t.Fatalf("%d of %d to test", len(s.Test), n)
		}
		counts := map[int]float64{}
		for _, l := range labels {
			counts[l]++
		}
		inTest, inFold := map[int]float64{}, map[[2]int]float64{}
		for _, i := range s.Test {
			inTest[labels[i]]++
		}
		for k, i := range s.Train {
			inFold[[2]int{labels[i], s.Fold[k]}]++
		}
		for l, count := range counts {
			if share := count * float64(len(s.Test)) / float64(n); inTest[l] < share-2 || inTest[l] > share+2 {
				t.Errorf("class %d: %v of %v to test", l, inTest[l], count)
			}
			share := (count - inTest[l]) / nested.Folds
			for f := range nested.Folds {
				if got := inFold[[2]int{l, f}]; got <= share-1 || got >= share+1 {
					t.Errorf("class %d: %v in fold %d, its share is %v", l, got, f, share)
				}
			}
		}
	})
}

// TestLeastTraining: it is the least that draws give, class by class.
func TestLeastTraining(t *testing.T) {
	for _, counts := range [][]int{{12, 12}, {11, 11}, {11, 51}, {19, 11, 11}, {12, 11, 28, 11, 11}, {30, 30, 30}, {55, 45}, {125, 63}, {100, 50, 25}} {
		var labels []int
		for c, n := range counts {
			labels = append(labels, slices.Repeat([]int{c}, n)...)
		}
		want := slices.Clone(counts)
		for seed := range uint32(200) {
			got := make([]int, len(counts))
			s := must.Get(nested.Released(labels, seed, nested.Folds))
			for _, i := range s.Train {
				got[labels[i]]++
			}
			for c := range want {
				want[c] = min(want[c], got[c])
			}
		}
		got := nested.LeastTraining(counts)
		for c := range got {
			if got[c] > want[c] || slices.Min(got) >= nested.Folds && got[c] != want[c] || slices.Min(got) != slices.Min(want) {
				t.Errorf("classes of %v: at least %v in the training part, draws give %v", counts, got, want)
			}
		}
	}
}

// TestSmallClasses: as in scikit-learn, a class smaller than the folds is missing in some, and no fold is empty.
func TestSmallClasses(t *testing.T) {
	labels := append(slices.Repeat([]int{0}, 17), 7, 7, 7)
	for folds := 2; folds <= 15; folds++ {
		s := must.Get(nested.Released(labels, 3, folds))
		size, rare := make([]int, folds), make([]int, folds)
		for k, f := range s.Fold {
			size[f]++
			if labels[s.Train[k]] == 7 {
				rare[f]++
			}
		}
		if slices.Min(size) == 0 || slices.Max(rare) > max(1, 4-folds) {
			t.Errorf("%d folds: %v, of the rare class %v", folds, size, rare)
		}
	}
	points := []float64{0, 1, 2, 3, 4, 10, 11, 12, 13, 14, 5.5, 9}
	c, err := nested.Classify(t.Context(), points, 1, []int{0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2}, rand.New(rand.NewPCG(1, 1)), nil)
	if err != nil || !slices.Equal(c.Rare, []int{2}) || c.Folds != 5 || len(c.HeldOut) != 12 {
		t.Errorf("a rare class: %+v, %v", c, err)
	}
}

// TestSplitErrors: what is wrong is named.
func TestSplitErrors(t *testing.T) {
	of := func(counts ...int) (labels []int) {
		for c, n := range counts {
			labels = append(labels, slices.Repeat([]int{c + 5}, n)...)
		}
		return labels
	}
	for _, c := range []struct {
		labels []int
		want   string
	}{
		{nil, "no labels"},
		{of(40), "all examples (40) are of class 5"},
		{of(9, 10), "class 6 is the largest and has 9 examples, expected at least one for each of the 10 folds"},
		{of(40, 1), "class 6 has 1 example, expected 2 at least"},
		{of(3, 3, 3), "1 of 9 examples to test, expected one for each of the 3 classes"},
	} {
		_, err := nested.Released(c.labels, 0, nested.Folds)
		_, drawn := nested.Drawn(c.labels, nested.Folds, rand.New(rand.NewPCG(1, 1)))
		if err == nil || drawn == nil || !strings.HasPrefix(err.Error(), "nested: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("errors %v and %v, want one with %q", err, drawn, c.want)
		}
	}
	src := rand.New(rand.NewPCG(1, 1))
	for _, c := range []struct {
		labels []int
		folds  int
		want   string
	}{
		{of(9, 9), 10, "class 5 is the largest and has 9 examples, "},
		{of(9, 10), 1, "folds is 1"},
		{nil, 3, "no labels"},
	} {
		must.Fail(t, must.Err(nested.Stratified(c.labels, c.folds, src)), c.want)
	}
	must.Fail(t, must.Err(nested.Stratified(of(9, 9), 2, nil)), "src is nil", "Stratified")
	must.Fail(t, must.Err(nested.Drawn(of(40, 40), nested.Folds, nil)), "src is nil", "Drawn")
}
