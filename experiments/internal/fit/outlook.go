package fit

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"time"

	"ogdl/datasets"
	"ogdl/experiments/internal/method"
	"ogdl/experiments/internal/source"
	"ogdl/experiments/internal/spec"
	"ogdl/gdl"
	"ogdl/internal/usage"
	"ogdl/internal/words"
	"ogdl/ot/gw"
	"ogdl/reports/own"
	"ogdl/reports/summary"
)

// Outlook returns a line on the size of a fit with these cells, and the processor time of its
// dictionaries. A second line warns of atoms larger than all graphs. To estimate the time it learns
// from few graphs for one epoch.
func Outlook(ctx context.Context, cells []*spec.Cell, d *datasets.Dataset) (string, error) {
	d = own.Place(d).Data
	graphs := slices.Clone(d.Graphs)
	slices.SortStableFunc(graphs, func(a, b datasets.Graph) int { return a.Order() - b.Order() })
	n := len(graphs)
	seen, unmixings := map[string]bool{}, 0
	var dictionaries []spec.Values
	size := func(v spec.Values) int { return v.Integer("order") * v.Integer("atoms") }
	bySize := func(a, b spec.Values) int { return size(a) - size(b) }
	for _, c := range cells {
		v := maps.Clone(c.Params)
		delete(v, summary.ParamClusters)
		if err := method.ResolveSizes(v, d); err != nil {
			return "", err
		}
		key := fmt.Sprint(c.Repetition, v)
		if seen[key] {
			continue
		}
		seen[key], dictionaries = true, append(dictionaries, v)
		each := n * (v.Integer("epochs") + 1)
		if unmixings += each; v.Flag(method.HeldOutKey) {
			unmixings += each
		}
	}
	smallest, largest := slices.MinFunc(dictionaries, bySize), slices.MaxFunc(dictionaries, bySize)
	took, err := timeOf(ctx, largest, d, graphs)
	if err == nil && bySize(smallest, largest) < 0 {
		least := time.Duration(0)
		least, err = timeOf(ctx, smallest, d, graphs)
		took = (took + least) / 2
	}
	if err != nil {
		return "", err
	}
	all := func(each time.Duration) time.Duration {
		return max(time.Duration(unmixings)*each, time.Second).Round(time.Second)
	}
	line := fmt.Sprintf("%s of %d to %d nodes, %s of at most %d atoms of %d nodes: %d unmixings. One takes %s, all about %s of processor time.",
		words.Plural(n, "graph", "graphs"), graphs[0].Order(), graphs[n-1].Order(), words.Plural(len(dictionaries), "dictionary", "dictionaries"),
		largest.Integer("atoms"), largest.Integer("order"), unmixings, took.Round(time.Microsecond), all(took))
	if most := graphs[n-1].Order(); largest.Integer("order") > most {
		largest["order"] = int64(most)
		if took, err = timeOf(ctx, largest, d, graphs); err != nil {
			return "", err
		}
		line += fmt.Sprintf("\nWarning: atoms have more nodes than every graph. With -order %d all take about %s.", most, all(took))
	}
	return line, nil
}

// Bounds of the graphs that a dictionary is learned from to time it: as many as take a third of a second, if that is more than one.
const (
	mostTimed = 24
	longTimed = time.Second / 3
)

// timeOf returns the processor time of an unmixing while a dictionary of these parameters is learned and graphs are embedded in it. graphs
// ascend in order. Where the system does not report processor time, it is the time that passes.
func timeOf(ctx context.Context, v spec.Values, d *datasets.Dataset, graphs []datasets.Graph) (time.Duration, error) {
	features, err := source.FeaturesOf(v).Fit(d)
	if err != nil {
		return 0, err
	}
	some := *d
	some.Graphs = spread(graphs, mostTimed)
	spaces, _, err := source.BuildSpaces(&some, v, features)
	if err != nil {
		return 0, err
	}
	atoms, rng := v.Integer("atoms"), source.Rand(0, d.Name, 0, "outlook")
	start, _, err := gdl.InitSample(slices.Repeat(spaces, 1+atoms/len(spaces)), atoms, v.Integer("order"), v.Number("alpha"), rng)
	if err == nil && v.Has("step_weights") {
		start, err = gdl.Extend(start, rng)
	}
	if err != nil {
		return 0, err
	}
	set := method.TrainSettings(v)
	set.Epochs = 1
	learn := func(from []*gw.Space) (time.Duration, error) {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		at, used := time.Now(), usage.ThreadCPU()
		training, err := gdl.Train(ctx, from, start, set, rng)
		if err == nil {
			_, err = training.Dictionary.Embed(ctx, from, &set.Unmix, 1)
		}
		took := time.Since(at)
		if cpu := usage.ThreadCPU() - used; cpu > 0 {
			took = time.Duration(cpu * float64(time.Second))
		}
		return took / time.Duration(2*len(from)), err
	}
	one, err := learn(spread(spaces, 1))
	if many := int(longTimed / max(2*one, 1)); err == nil && many > 1 {
		return learn(spread(spaces, many))
	}
	return one, err
}

// spread returns at most n of the values, evenly spread.
func spread[T any](all []T, n int) (out []T) {
	n = min(n, len(all))
	for i := range n {
		out = append(out, all[(2*i+1)*len(all)/(2*n)])
	}
	return out
}
