package fit

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"ogdl/eval"
	"ogdl/experiments/internal/method"
	"ogdl/experiments/internal/source"
	"ogdl/gdl"
	"ogdl/internal/artifact"
	"ogdl/internal/npz"
	"ogdl/reports/own"
	"ogdl/reports/summary"
)

// choose selects a setting. Among settings that differ only in atoms and clusters, it takes the
// fewest atoms within one standard error of the lowest held-out error, and the number of separated
// clusters ([eval.SeparateRepeated]). Among the winners of several such groups it takes the most stable
// one.
func (f *Fit) choose(settings []*summary.Config) error {
	groups := summary.Groups(settings, func(c *summary.Config) string {
		return c.Params.Key(summary.ParamAlpha, summary.ParamAtoms, summary.ParamClusters)
	})
	before := *f
	for _, group := range groups {
		next := before
		if err := next.within(group); err != nil {
			return err
		}
		if f.Chosen == nil || cmp.Compare(next.Chosen.Stability, f.Chosen.Stability) > 0 { // NaN is below all numbers
			*f = next
		}
	}
	if f.Chosen == nil {
		return errors.New("no setting has a result")
	}
	return nil
}

// within chooses the atoms and the clusters.
func (f *Fit) within(settings []*summary.Config) error {
	slices.SortStableFunc(settings, own.ByAtoms)
	var errs [][]float64
	for i, c := range settings {
		if i > 0 && c.Atoms() == settings[i-1].Atoms() {
			continue
		}
		of, err := f.heldOutOf(c)
		if err != nil {
			return err
		}
		errs, f.HeldOut = append(errs, of), append(f.HeldOut, own.HeldOutOf(c.Atoms(), of))
	}
	taken := &f.HeldOut[max(eval.FewestWithinError(errs), 0)]
	taken.Taken = true
	left := summary.Pick(settings, func(c *summary.Config) bool { return c.Atoms() == taken.Atoms })
	if err := f.embed(left[0]); err != nil {
		return err
	}
	f.Chosen = left[0]
	for _, c := range left {
		if c.Clusters() <= f.Separate {
			f.Chosen = c
		}
	}
	return nil
}

// heldOutOf returns the held-out errors of all repetitions of a setting; nil if one has none.
func (f *Fit) heldOutOf(c *summary.Config) ([]float64, error) {
	if on, _ := c.Params[method.HeldOutKey].(bool); !on {
		return nil, nil
	}
	var out []float64
	for _, r := range c.Runs {
		a, err := f.Arrays(r.ID)
		if err != nil {
			return nil, err
		}
		among := npz.Among(a, "a run")
		errs := among.FloatsOf(artifact.HeldOutErrors, among.Length(artifact.HeldOutGraphs))
		if len(errs) == 0 {
			return nil, among.Err()
		}
		out = append(out, errs...)
	}
	return out, nil
}

// embed reads the embeddings of a setting's repetitions, and counts the separated clusters in them.
func (f *Fit) embed(c *summary.Config) (err error) {
	n := 0
	for _, r := range c.Runs {
		a, err := f.Arrays(r.ID)
		if err != nil {
			return err
		}
		p, s, err := points(a)
		if err != nil {
			return err
		}
		f.embeddings, n = append(f.embeddings, p), len(p)/s
	}
	rng := source.Rand(f.Seed, f.Data.Name, 0, fmt.Sprint("separate ", c.Atoms()))
	f.Separate, err = eval.SeparateRepeated(f.embeddings, n, rng)
	return err
}

// points returns the coordinates of a run's graphs in the Mahalanobis metric, or their weights for
// GDL_h, and the number of coordinates per graph.
func points(arrays []npz.Array) ([]float64, int, error) {
	d, errD := gdl.FromArrays(arrays)
	w, errW := npz.Find(arrays, artifact.Weights)
	if err := cmp.Or(errD, errW); err != nil {
		return nil, 0, err
	}
	if d.H != nil {
		return w.Float, d.S, nil
	}
	p, err := method.Coordinates(d, w.Float)
	return p, d.S, err
}
