package summary

import (
	"math"
	"slices"

	"ogdl/internal/artifact"
	"ogdl/reports/table"
)

// fullest returns the settings with all their repetitions or, if there are none, those with the
// most. A mean over fewer repetitions scatters more, and the best of many would often be one.
func fullest(configs []*Config) []*Config {
	whole := Pick(configs, func(c *Config) bool { return c.Complete() && c.Done > 0 })
	if len(whole) > 0 {
		return whole
	}
	most := 1
	for _, c := range configs {
		most = max(most, c.Done)
	}
	return Pick(configs, func(c *Config) bool { return c.Done == most })
}

// Pick returns the elements that are to be kept.
func Pick[T any](list []T, keep func(T) bool) []T {
	var out []T
	for _, x := range list {
		if keep(x) {
			out = append(out, x)
		}
	}
	return out
}

// Groups returns the elements of a list in groups of one key, in the order in which the keys first come.
func Groups[T any, K comparable](list []T, key func(T) K) (groups [][]T) {
	at := map[K]int{}
	for _, x := range list {
		k := key(x)
		i, seen := at[k]
		if !seen {
			i = len(groups)
			at[k], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], x)
	}
	return groups
}

// same reports whether two values differ by rounding at most: sums of equal numbers in another order, such as sums
// over one clustering whose clusters are numbered otherwise.
func same(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-12*max(math.Abs(a), math.Abs(b)) }

// Best returns the configuration with the largest value of of, the first of those on a tie. NaN takes no part; nil if all are.
func Best(configs []*Config, of func(*Config) float64) *Config {
	top := math.NaN()
	for _, c := range configs {
		if v := of(c); !(v <= top) && !math.IsNaN(v) {
			top = v
		}
	}
	if i := slices.IndexFunc(configs, func(c *Config) bool { return same(of(c), top) }); i >= 0 {
		return configs[i]
	}
	return nil
}

// choose makes the choices of a row.
func (l *Row) choose() {
	if l.Metric.Nested {
		l.Oracle, l.Nested = withLabels(l.Configs, l.Metric), nestedOf(l.Configs)
		return
	}
	kept := byObjective(l.Configs)
	l.Oracle, l.Free = withLabels(kept, l.Metric), labelFree(kept)
	l.Unpaired = len(Pick(kept, func(c *Config) bool { return c.Unknown > 0 }))
}

// Judged returns the choice to compare with the paper's number: the nested choice, or else the one with labels.
func (l *Row) Judged() *Config {
	if l.Metric.Nested {
		return l.Nested.Config
	}
	return l.Oracle
}

// withLabels is the configuration with the highest mean score, chosen with the labels: of clusterings the paper's choice, among those
// that byObjective keeps.
func withLabels(configs []*Config, by *Metric) *Config { return Best(fullest(configs), by.Mean) }

// Mean is the mean of a score over repetitions, NaN where there is none.
func (c *Config) Mean(name string) float64 { return StatOver(c.Runs, name, 1).OrNaN().Mean }

// DegenerateShare is the share of the graphs in one cluster, mean over repetitions, from
// which a configuration has found nothing: it agrees with itself from one repetition to
// the next because there is nothing to disagree about. The classes of the paper's data
// sets are far from it (the largest, of BZR, holds 79 %).
const DegenerateShare = 0.95

// Degenerate reports whether the clusterings put (nearly) all graphs into one cluster.
func (c *Config) Degenerate() bool { return c.Largest >= DegenerateShare }

const (
	// AsStable is how far below the highest a stability may be for a configuration with more clusters to count as equally stable.
	AsStable = 0.03
	// Unstable is the stability below which repetitions find different clusters.
	Unstable = 0.5
)

// Settings returns the configurations of all rows among which a choice without labels is fair: those with all their repetitions, and of
// those that differ in alpha alone the one with the lowest mean objective.
func (f *Frame) Settings() []*Config {
	return fullest(byObjective(slices.Concat(table.Map(f.Rows, func(l *Row) []*Config { return l.Configs })...)))
}

// lacks reports whether a run has a clustering of fewer clusters than was asked for.
func (c *Config) lacks(r Run) bool {
	asked := c.Params.At(ParamClusters)
	return r.folded != nil && asked.IsNum && float64(len(r.folded.Sizes)) < asked.Number
}

// LeftOut counts the clusterings with (nearly) all graphs in one cluster, or with fewer clusters than was asked for.
func (c *Config) LeftOut() int {
	return len(Pick(Clustered(c.Runs), func(r Run) bool { return c.lacks(r) || LargestShare([]Run{r}) >= DegenerateShare }))
}

// mostClusters keeps the settings with the largest number of clusters whose stability is within
// AsStable of the best. Unions of stable clusters are stable too, so stability alone would favour
// few clusters.
func mostClusters(configs []*Config) []*Config {
	best, most := math.NaN(), math.Inf(-1)
	for _, c := range configs {
		if !(c.Stability <= best) && !math.IsNaN(c.Stability) {
			best = c.Stability
		}
	}
	stable := func(c *Config) bool { return best >= Unstable && c.Stability >= best-AsStable }
	for _, c := range configs {
		if x := c.Params.At(ParamClusters); stable(c) && x.IsNum {
			most = max(most, x.Number)
		}
	}
	if math.IsInf(most, 0) {
		return configs
	}
	return Pick(configs, func(c *Config) bool { return c.Params.At(ParamClusters).Number == most })
}

// labelFree selects a setting without labels, among those that byObjective keeps, in these steps; nil: several settings and no stability.
//
//  1. Settings that find fewer clusters than asked for are omitted, unless all do (see Config).
//  2. Degenerate settings (see DegenerateShare) are omitted, unless all are: one cluster of all
//     graphs is the same in every repetition, and would win the last step.
//  3. Among several numbers of clusters, the largest that is nearly as stable as the best is taken.
//  4. The most stable setting is taken: the highest mean adjusted Rand Index between the clusterings
//     of its repetitions.
//
// Spectral clustering draws at random only the starts of its k-means, and is often equally stable
// everywhere. Such ties go to the largest mean score "eigengap": the gap of the normalised Laplacian
// behind its k-th eigenvalue, which by its theory must be large (von Luxburg 2007, section 8.3).
// Equal eigengaps (one affinity, labelled in different ways) go to the lowest mean score "ncut", the
// normalised cut that both ways approximate. Remaining ties go to the first in the order of the
// parameters.
func labelFree(kept []*Config) *Config {
	kept = fullest(kept)
	for _, keep := range []func(*Config) bool{
		func(c *Config) bool { return 2*len(Pick(c.Runs, c.lacks)) <= len(Clustered(c.Runs)) },
		func(c *Config) bool { return !c.Degenerate() },
	} {
		if some := Pick(kept, keep); len(some) > 0 {
			kept = some
		}
	}
	if kept = mostClusters(kept); len(kept) == 1 {
		return kept[0]
	}
	var chosen *Config
	for _, value := range []func(*Config) float64{
		func(c *Config) float64 { return c.Stability },
		func(c *Config) float64 { return c.Mean(artifact.Eigengap) },
		func(c *Config) float64 { return -c.Mean(artifact.NCut) },
	} {
		best := Best(kept, value)
		if best == nil {
			break
		}
		chosen = best
		kept = Pick(kept, func(c *Config) bool { return same(value(c), value(best)) })
	}
	return chosen
}

// byObjective keeps of configurations that differ in alpha alone the one with the lowest mean objective: the paper's rule. The objective says nothing
// between different numbers of atoms, lambdas or other coefficients. A method that records none (spectral clustering minimises none over alpha: the
// distances of different alphas are on different scales) keeps all of its configurations, so that its alpha is chosen as all the rest.
func byObjective(configs []*Config) (kept []*Config) {
	if !slices.ContainsFunc(configs, func(c *Config) bool { return c.Has(artifact.Objective) }) {
		return configs
	}
	for _, g := range byAlpha(configs) {
		fair := fullest(g)
		if len(g) > 1 {
			fair = []*Config{Best(fair, func(c *Config) float64 { return -c.Mean(artifact.Objective) })}
		}
		kept = append(kept, Pick(fair, func(c *Config) bool { return c != nil })...)
	}
	return kept
}

// byAlpha groups the configurations that differ in alpha alone.
func byAlpha(configs []*Config) [][]*Config {
	return Groups(configs, func(c *Config) string {
		if c.rest == "" {
			c.rest = c.Key(ParamAlpha)
		}
		return c.rest
	})
}

// Chosen returns the id of a cell of each setting that the tables select, its first, from the cells
// of the grid alone: of a row the setting selected with the labels, then the one selected without
// where that is another. The same records give the same ids.
func (f *Frame) Chosen() (ids []string) {
	for _, l := range f.Rows {
		for _, c := range slices.Compact([]*Config{l.Oracle, l.Free}) {
			if c != nil {
				ids = append(ids, c.Runs[0].ID)
			}
		}
	}
	return ids
}
