package method

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"ogdl/internal/record"
)

func TestTimesOf(t *testing.T) {
	for _, c := range []struct {
		ms   []float64
		want record.EmbedTimes
	}{
		{[]float64{3}, record.EmbedTimes{Graphs: 1, MeanMS: 3, MedianMS: 3, P90MS: 3}},
		{[]float64{4, 1}, record.EmbedTimes{Graphs: 2, MeanMS: 2.5, MedianMS: 2.5, P90MS: 4}},
		{[]float64{9, 1, 2}, record.EmbedTimes{Graphs: 3, MeanMS: 4, MedianMS: 2, P90MS: 9}},
		{[]float64{10, 9, 8, 7, 6, 5, 4, 3, 2, 1}, record.EmbedTimes{Graphs: 10, MeanMS: 5.5, MedianMS: 5.5, P90MS: 9}},
		{[]float64{11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1}, record.EmbedTimes{Graphs: 11, MeanMS: 6, MedianMS: 6, P90MS: 10}},
	} {
		text := fmt.Sprint(c.ms)
		if got := timesOf(c.ms); *got != c.want {
			t.Errorf("%s: %+v, want %+v", text, *got, c.want)
		}
	}
}

func TestSampleOfGraphs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, c := range []struct{ n, k, want int }{{5, 0, 5}, {5, 5, 5}, {5, 9, 5}, {100, 7, 7}} {
		got := sample(c.n, c.k, r)
		if len(got) != c.want || !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != c.want || got[0] < 0 || got[c.want-1] >= c.n {
			t.Errorf("%d of %d: %v", c.k, c.n, got)
		}
	}
	if slices.Equal(sample(100, 7, r), sample(100, 7, r)) {
		t.Error("the same graphs from two draws")
	}
}
