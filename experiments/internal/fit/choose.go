package fit

import (
	"math"
	"slices"
	"sync"

	"ogdl/eval"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/vec"
	"ogdl/reports/summary"
)

// Candidate is a number of atoms and of clusters that was tried.
type Candidate struct {
	Atoms, Clusters int
	// Stability is the mean adjusted Rand Index between the clusterings of two seeds, over all pairs; NaN where too few
	// clusterings take part.
	Stability float64
	// LeftOut counts the clusterings that take no part: more than 95 % of the graphs are in one cluster, or a cluster has none.
	LeftOut int
	// Objective is the mean over the seeds.
	Objective float64
}

const (
	// AsStable is how far below the best a stability may be for its number of clusters to count as equally stable.
	AsStable = 0.03
	// rounding is the difference of sums of equal numbers in another order.
	rounding = 1e-12
	// Unstable is the stability below which different seeds find different clusters.
	Unstable = 0.5
)

// Stable says whether different seeds find nearly the same clusters.
func (c *Candidate) Stable() bool { return c.Stability >= Unstable }

// candidate judges the clusterings of one number of atoms into so many clusters.
func candidate(v spec.Values, trials []*trial, clusters int) Candidate {
	c := Candidate{Atoms: v.Integer("atoms"), Clusters: clusters, Stability: math.NaN()}
	var taken [][]int
	for _, x := range trials {
		c.Objective += x.objective() / float64(len(trials))
		labels := x.clusterings[clusters].Labels
		sizes := sizesOf(labels, clusters)
		if float64(slices.Max(sizes)) > summary.DegenerateShare*float64(len(labels)) || slices.Min(sizes) == 0 {
			c.LeftOut++
			continue
		}
		taken = append(taken, labels)
	}
	if 2*c.LeftOut > len(trials) || len(taken) < 2 {
		return c
	}
	sum, pairs := 0.0, 0
	for i := range taken {
		for j := range i {
			sum += eval.AdjustedRandIndex(taken[i], taken[j])
			pairs++
		}
	}
	c.Stability = sum / float64(pairs)
	return c
}

// choose takes the most clusters that are as stable as any: where many groups are found again by every seed, so are most ways to join
// them. Of the numbers of atoms that of the highest stability is taken, the first of equals. Where nothing is stable it is the most stable of
// all, and where nothing takes part the first whose kept clustering has no empty cluster; without such, the first.
func (f *Fit) choose(values []spec.Values, trials []*trial, clusters []int) {
	full := -1
	for i, v := range values {
		five := trials[i*Repetitions : (i+1)*Repetitions]
		for _, k := range clusters {
			c := candidate(v, five, k)
			f.Tried = append(f.Tried, c)
			if labels := five[lowest(five)].clusterings[k].Labels; full < 0 && slices.Min(sizesOf(labels, k)) > 0 {
				full = len(f.Tried) - 1
			}
		}
	}
	at := f.mostStable(func(*Candidate) bool { return true })
	switch {
	case at < 0:
		at = max(full, 0)
	case f.Tried[at].Stable():
		best, most := f.Tried[at].Stability, 0
		for _, c := range f.Tried {
			if c.Stable() && c.Stability >= best-AsStable {
				most = max(most, c.Clusters)
			}
		}
		at = f.mostStable(func(c *Candidate) bool { return c.Clusters == most })
	}
	f.Chosen = f.Tried[at]
	i := at / len(clusters)
	f.Params, f.trials = values[i], trials[i*Repetitions:(i+1)*Repetitions]
	f.best = lowest(f.trials)
	for _, x := range f.trials {
		f.clusterings = append(f.clusterings, x.clusterings[f.Chosen.Clusters])
	}
}

// mostStable is the first of the most stable candidates of some, -1 where none of them takes part.
func (f *Fit) mostStable(of func(*Candidate) bool) int {
	at := -1
	for i := range f.Tried {
		c := &f.Tried[i]
		if of(c) && !math.IsNaN(c.Stability) && (at < 0 || c.Stability > f.Tried[at].Stability+rounding) {
			at = i
		}
	}
	return at
}

// lowest is the trial of the lowest objective, which is kept.
func lowest(trials []*trial) (best int) {
	for k, x := range trials {
		if x.objective() < trials[best].objective() {
			best = k
		}
	}
	return best
}

// sizesOf counts the graphs of each cluster.
func sizesOf(labels []int, clusters int) []int {
	sizes := make([]int, clusters)
	for _, k := range labels {
		sizes[k]++
	}
	return sizes
}

func distance(a, b []float64) float64 { return math.Sqrt(vec.SquaredDistance(a, b)) }

// work counts what is done of a fit, in epochs times what one costs.
type work struct {
	mu          sync.Mutex
	done, total float64
	told        func(share float64)
}

func newWork(values []spec.Values, told func(share float64)) *work {
	w := &work{told: told}
	for _, v := range values {
		w.total += Repetitions * cost(v) * float64(v.Integer("epochs")+otherStages)
	}
	return w
}

// cost is that of an epoch beside others of the same graphs.
func cost(v spec.Values) float64 { return math.Sqrt(float64(v.Integer("atoms"))) }

// add counts epochs of a trial.
func (w *work) add(v spec.Values, epochs float64) {
	if w.told == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done += epochs * cost(v)
	w.told(w.done / w.total)
}
