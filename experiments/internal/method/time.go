package method

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"ogdl/baselines/gwf"
	"ogdl/experiments/internal/spec"
	"ogdl/gdl"
	"ogdl/internal/artifact"
	"ogdl/internal/record"
	"ogdl/ot/gw"
	"ogdl/reports/summary"
)

// gdlTimeMethod learns a dictionary as GDL does and measures how long embedding a graph takes.
func gdlTimeMethod() Row {
	return gdlRow(fitGDLTime, gdlParams(), spec.Method{
		Name:    "GDL-time",
		Version: 3,
		Doc:     "time to embed one graph in a dictionary learned by GDL",
		Tables:  []string{summary.TableRuntimes},
		Alone:   true,
		Params:  timeParams(),
		Work:    atomsAndEpochs,
	})
}

// gwfTimeMethod does the same with Gromov-Wasserstein factorization.
func gwfTimeMethod() Row {
	m := GWF("GWF-time", gwf.RandomOrder)
	m.Doc = "time to embed one graph in atoms learned by GWF"
	m.Tables = []string{summary.TableRuntimes}
	m.Alone = true
	m.Protocol = spec.Protocol{}
	// Only a fresh embedding is timed, and nothing is clustered.
	m.Params = slices.DeleteFunc(m.Params, func(q spec.Param) bool { return q.Name == "weights" || q.Name == "embedding" })
	m.Params = append(m.Params,
		spec.Choice("init", "atoms of the graphs' own orders (GWF-r) or of one order (GWF-f)", gwf.RandomOrder, gwf.FixedOrder),
		spec.Only(spec.Int("order", "number of nodes of an atom", wordMedian, 1, 10000, wordMedian), "init", string(gwf.FixedOrder)))
	m.Params = append(m.Params, timeParams()...)
	m.Fit = fitGWFTime
	return m
}

func timeParams() []spec.Param {
	return []spec.Param{
		spec.Int("time_graphs", "graphs to time, drawn from the data set; 0 = all", 0, 0, 1e6),
		spec.Above("time_precision", "relative precision of the timed embeddings", gwf.DefaultPrecision, 0, 1),
	}
}

func fitGDLTime(ctx context.Context, t *Task) (*Result, error) {
	training, notes, err := trainGDL(ctx, t)
	if err != nil {
		return nil, err
	}
	out := &Result{Scores: map[string]float64{}, Notes: notes}
	stats := training.Stats
	u, err := gdl.NewUnmixer(training.Dictionary)
	if err != nil {
		return nil, err
	}
	timed := UnmixSettings(t.Params)
	timed.Tol = t.Params.Number("time_precision")
	err = out.time(ctx, t, func(g *gw.Space, count bool) (float64, error) {
		e, err := u.Unmix(ctx, g, &timed)
		if count {
			stats.Add(&e)
		}
		return e.Objective, err
	})
	if err != nil {
		return nil, err
	}
	out.learned(t, training.EpochLoss, &stats)
	out.Arrays, err = training.Dictionary.Arrays()
	return out, err
}

func fitGWFTime(ctx context.Context, t *Task) (*Result, error) {
	training, notes, err := TrainGWF(ctx, t, nil)
	if err != nil {
		return nil, err
	}
	out := &Result{Scores: map[string]float64{}, Notes: notes, EpochLoss: training.EpochLoss}
	stats := training.Stats
	e, err := gwf.NewEmbedder(training.Model)
	if err != nil {
		return nil, err
	}
	set := &gwf.EmbedSettings{Transport: transport(t.Params), Precision: t.Params.Number("time_precision")}
	err = out.time(ctx, t, func(g *gw.Space, count bool) (float64, error) {
		got, err := e.Embed(ctx, g, set)
		if count {
			stats.Add(&got.Stats)
		}
		return got.Loss, err
	})
	if err != nil {
		return nil, err
	}
	out.Convergence = record.Convergence{Solves: stats.Couplings, CapHits: stats.CapHits, Iterations: stats.Steps}
	out.Scores[artifact.MaxMarginalError] = stats.MaxMarginalError
	out.Arrays = training.Model.Arrays()
	return out, nil
}

// time embeds the graphs to be timed, one after the other, on this thread, and
// keeps how long each took by the wall clock. All are embedded once before, so that
// workspaces have their size and the processor its clock.
func (out *Result) time(ctx context.Context, t *Task, embed func(g *gw.Space, count bool) (objective float64, err error)) error {
	graphs := sample(len(t.Spaces), t.Params.Integer("time_graphs"), t.Rand("time"))
	for _, i := range graphs {
		if _, err := embed(t.Spaces[i], false); err != nil {
			return fmt.Errorf("graph %d: %w", i, err)
		}
	}
	ms := make([]float64, len(graphs))
	sum := 0.0
	for k, i := range graphs {
		if err := ctx.Err(); err != nil {
			return err
		}
		began := time.Now()
		objective, err := embed(t.Spaces[i], true)
		ms[k] = float64(time.Since(began)) / float64(time.Millisecond)
		if err != nil {
			return fmt.Errorf("graph %d: %w", i, err)
		}
		sum += objective
	}
	out.Scores[artifact.Objective] = sum / float64(len(graphs))
	out.Scores["graphs_timed"] = float64(len(graphs))
	out.Times = timesOf(ms)
	return nil
}

// sample draws k of n without replacement, in rising order; all of them if k is 0 or not below n.
func sample(n, k int, r *rand.Rand) []int {
	at := r.Perm(n)
	if k > 0 && k < n {
		at = at[:k]
	}
	slices.Sort(at)
	return at
}

// timesOf sums up single times, which it sorts.
func timesOf(ms []float64) *record.EmbedTimes {
	slices.Sort(ms)
	n := len(ms)
	return &record.EmbedTimes{Graphs: n, MeanMS: meanOf(ms), MedianMS: (ms[(n-1)/2] + ms[n/2]) / 2, P90MS: ms[(9*n+9)/10-1]}
}
