package gdl_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"ogdl/gdl"
	"ogdl/internal/test/golden"
	"ogdl/internal/test/must"
	"ogdl/ot/gw"
)

// TestGolden holds every bit of learning, embedding, files and checkpoints, for dictionaries
// with shared node weights and with the atoms' own: a line per case, with a digest of all its numbers.
func TestGolden(t *testing.T) {
	var got strings.Builder
	for _, c := range goldenCases() {
		fmt.Fprintf(&got, "%s %x\n", c.name, c.digest(t))
	}
	golden.Check(t, "testdata/golden.txt", got.String())
}

type goldenCase struct {
	name   string
	dim    int
	alpha  float64
	own    bool // node weights of the atoms' own
	online bool
	mu     float64
	stepH  float64
	train  gdl.TrainSettings
}

func goldenCases() (cases []goldenCase) {
	for _, own := range []bool{false, true} {
		for name, c := range map[string]goldenCase{
			"gw":         {alpha: 1, train: gdl.TrainSettings{Epochs: 3, Batch: 4, NonNegative: true}},
			"fgw":        {dim: 2, alpha: 0.3, train: gdl.TrainSettings{Epochs: 2, Batch: 5, Unmix: gdl.UnmixSettings{Lambda: 0.01}}},
			"sgd":        {dim: 1, alpha: 0.7, train: gdl.TrainSettings{Epochs: 4, Batch: 6, Optimizer: gdl.SGD, StepC: 0.2, StepA: 0.1, Keep: gdl.KeepBest}},
			"starts":     {dim: 2, alpha: 0.5, train: gdl.TrainSettings{Epochs: 1, Batch: 7, Workers: 3, Unmix: gdl.UnmixSettings{Starts: gdl.Starts()}}},
			"frankwolfe": {dim: 3, alpha: 0.5, train: gdl.TrainSettings{Epochs: 1, Batch: 7, Unmix: gdl.UnmixSettings{WStep: gdl.ConditionalGradient}}},
		} {
			c.name, c.own = "shared_"+name, own
			if own {
				c.name, c.mu, c.stepH = "own_"+name, 1e-3, 0.004
			}
			cases = append(cases, c)
		}
	}
	for _, optimizer := range []gdl.Optimizer{gdl.SGD, gdl.Adam} {
		cases = append(cases, goldenCase{name: "online_" + string(optimizer), dim: 1, alpha: 0.5, online: true, train: gdl.TrainSettings{Optimizer: optimizer}})
	}
	slices.SortFunc(cases, func(a, b goldenCase) int { return strings.Compare(a.name, b.name) })
	return cases
}

// digest is that of all numbers of a case.
func (c *goldenCase) digest(t *testing.T) []byte {
	ctx := context.Background()
	sum := sha256.New()
	floats := func(xs ...float64) {
		for _, x := range xs {
			fmt.Fprintf(sum, "%x ", math.Float64bits(x))
		}
	}
	graphs := noisy(source(31), 14, 4, 9, c.dim)
	graphs = append(graphs, graphs[2]) // an equal one
	d := start(source(32), 3, 6, c.dim, c.alpha)
	files := func(write func(io.Writer, map[string]string) error) {
		must.Do(t, write(sum, map[string]string{"made by": "a test"}))
	}
	if c.own {
		d = must.Get(gdl.Extend(d, source(33)))
		c.train.StepH, c.train.Unmix.Mu = c.stepH, c.mu
	}
	if c.online {
		o := must.Get(gdl.NewOnline(d, &gdl.OnlineSettings{Optimizer: c.train.Optimizer, Batch: 2, StepC: 0.05,
			OnEvent: func(e gdl.Event) { floats(float64(e.Step), e.Loss, e.Mean) },
			HeldOut: []gdl.HeldOut{{Name: "last", Graphs: graphs[10:]}}, HeldOutEvery: 2}))
		k := 0
		must.Get(o.Run(ctx, gdl.SourceFunc(func(context.Context) (*gw.Space, error) {
			if k++; k > 9 {
				return nil, io.EOF
			}
			return graphs[k], nil
		}), 0))
		var b bytes.Buffer
		must.Do(t, o.WriteCheckpoint(&b))
		sum.Write(b.Bytes())
		files(o.Dictionary().WriteNPZ)
		return sum.Sum(nil)
	}
	r := must.Get(gdl.Train(ctx, graphs, d, &c.train, source(34)))
	floats(slices.Concat(r.BatchLoss, r.EpochLoss, []float64{r.Stats.MaxGap, float64(r.Stats.Iterations), float64(r.Stats.Solves)})...)
	files(r.Dictionary.WriteNPZ)
	for _, e := range must.Get(r.Dictionary.Embed(ctx, graphs, &c.train.Unmix, 2)) {
		floats(slices.Concat(e.W, e.T, e.Trace, []float64{e.Objective, e.Reconstruction, e.Gap,
			float64(e.Rounds), float64(e.Solves), float64(e.Iterations), float64(e.CapHits), float64(e.Status), float64(e.TStride)})...)
		floats(slices.Concat(e.V, e.H)...)
	}
	if !c.own {
		floats(must.Get(r.Dictionary.Mahalanobis())...)
	}
	return sum.Sum(nil)
}
