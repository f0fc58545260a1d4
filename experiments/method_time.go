package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"ogdl/baselines/gwf"
	"ogdl/gdl"
	"ogdl/internal/record"
	"ogdl/ot/gw"
	"ogdl/reports/summary"
)

// gdlTimeMethod learns a dictionary as GDL does and measures how long one graph
// takes to be embedded in it.
func gdlTimeMethod() row {
	return row{fit: fitGDLTime, method: method{
		name:    "GDL-time",
		version: 3,
		doc:     "time to embed one graph in a dictionary learned by GDL",
		tables:  []string{summary.TableRuntimes},
		alone:   true,
		params:  append(gdlParams(), timeParams()...),
		check:   checkGDL,
		resolve: resolveGDL,
		counts:  checkStarts,
		cost:    costGDLTime,
		disk:    diskAtoms,
	}}
}

// gwfTimeMethod does the same with Gromov-Wasserstein factorization.
func gwfTimeMethod() row {
	m := gwfMethod("GWF-time", gwf.RandomOrder)
	m.doc = "time to embed one graph in atoms learned by GWF"
	m.tables = []string{summary.TableRuntimes}
	m.alone = true
	m.protocol = protocol{}
	m.cost = costGWFTime
	// What is timed is the embedding afresh, and nothing is clustered.
	m.params = slices.DeleteFunc(m.params, func(q param) bool { return q.name == "weights" || q.name == "embedding" })
	m.params = append(m.params,
		choice("init", "atoms of the graphs' own orders (GWF-r) or of one order (GWF-f)", gwf.RandomOrder, gwf.FixedOrder),
		only(param{name: "order", kind: integer, def: wordMedian, min: 1, max: 10000, words: []string{wordMedian}, doc: "number of nodes of an atom"}, "init", string(gwf.FixedOrder)))
	m.params = append(m.params, timeParams()...)
	m.fit = fitGWFTime
	return m
}

func timeParams() []param {
	return []param{
		{name: "time_graphs", kind: integer, def: int64(0), min: 0, max: 1e6, doc: "graphs to time, drawn from the data set; 0 = all"},
		{name: "time_precision", kind: number, def: gwf.DefaultPrecision, min: 0, max: 1, open: true, doc: "relative precision of the timed embeddings"},
	}
}

func fitGDLTime(ctx context.Context, t *task) (*fitted, error) {
	training, notes, err := trainGDL(ctx, t)
	if err != nil {
		return nil, err
	}
	out := &fitted{scores: map[string]float64{}, notes: notes}
	stats := training.Stats
	u, err := gdl.NewUnmixer(training.Dictionary)
	if err != nil {
		return nil, err
	}
	timed := unmixSettings(t.params)
	timed.Tol = t.params.number("time_precision")
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
	out.arrays, err = dictionaryArrays(training.Dictionary.WriteNPZ)
	return out, err
}

func fitGWFTime(ctx context.Context, t *task) (*fitted, error) {
	training, notes, err := trainGWF(ctx, t)
	if err != nil {
		return nil, err
	}
	out := &fitted{scores: map[string]float64{}, notes: notes, epochLoss: training.EpochLoss}
	stats := training.Stats
	e, err := gwf.NewEmbedder(training.Model)
	if err != nil {
		return nil, err
	}
	set := &gwf.EmbedSettings{Transport: transport(t.params), Precision: t.params.number("time_precision")}
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
	out.convergence = record.Convergence{Solves: stats.Couplings, CapHits: stats.CapHits, Iterations: stats.Steps}
	out.scores["max_marginal_error"] = stats.MaxMarginalError
	out.arrays = training.Model.Arrays()
	return out, nil
}

// time embeds the graphs to be timed, one after the other, on this thread, and
// keeps how long each took by the wall clock. All are embedded once before, so that
// workspaces have their size and the processor its clock.
func (out *fitted) time(ctx context.Context, t *task, embed func(g *gw.Space, count bool) (objective float64, err error)) error {
	graphs := sample(len(t.spaces), t.params.integer("time_graphs"), t.rng("time"))
	for _, i := range graphs {
		if _, err := embed(t.spaces[i], false); err != nil {
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
		objective, err := embed(t.spaces[i], true)
		ms[k] = float64(time.Since(began)) / float64(time.Millisecond)
		if err != nil {
			return fmt.Errorf("graph %d: %w", i, err)
		}
		sum += objective
	}
	out.scores["objective"] = sum / float64(len(graphs))
	out.scores["graphs_timed"] = float64(len(graphs))
	out.times = timesOf(ms)
	return nil
}

// sample draws k of n without replacement, in rising order; all of them if k is 0
// or not below n.
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
	n, sum := len(ms), 0.0
	for _, x := range ms {
		sum += x
	}
	return &record.EmbedTimes{Graphs: n, MeanMS: sum / float64(n), MedianMS: (ms[(n-1)/2] + ms[n/2]) / 2, P90MS: ms[(9*n+9)/10-1]}
}
