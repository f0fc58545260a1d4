package fit

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"ogdl/eval"
	"ogdl/experiments/internal/method"
	"ogdl/experiments/internal/source"
	"ogdl/internal/artifact"
	"ogdl/internal/npz"
	"ogdl/reports/figures"
	"ogdl/reports/own"
	"ogdl/reports/summary"
)

// chooser chooses among the settings of a fit, without labels.
type chooser struct {
	seed   int64
	data   string
	arrays figures.Arrays

	chosen  *summary.Config
	heldOut []own.HeldOut // of each number of atoms

	embeddings [][]float64 // of the chosen atoms' repetitions, in the order of their runs
	separate   int         // separated clusters in them
}

// choose selects a setting. Among settings that differ only in atoms and clusters, it takes the
// fewest atoms within one standard error of the lowest held-out error, and the number of separated
// clusters ([eval.SeparateRepeated]). Among the winners of several such groups it takes the most stable
// one.
func (ch *chooser) choose(settings []*summary.Config) error {
	var keys []string
	groups := map[string][]own.Candidate{}
	for _, c := range settings {
		key := c.Params.Key(summary.ParamAlpha, "atoms", summary.ParamClusters)
		if groups[key] == nil {
			keys = append(keys, key)
		}
		groups[key] = append(groups[key], own.CandidateOf(c))
	}
	for _, key := range keys {
		next := chooser{seed: ch.seed, data: ch.data, arrays: ch.arrays}
		if err := next.within(groups[key]); err != nil {
			return err
		}
		if ch.chosen == nil || cmp.Compare(next.chosen.Stability, ch.chosen.Stability) > 0 { // NaN is below all numbers
			*ch = next
		}
	}
	if ch.chosen == nil {
		return errors.New("no setting has a result")
	}
	return nil
}

// within chooses the atoms and the clusters.
func (ch *chooser) within(settings []own.Candidate) error {
	slices.SortStableFunc(settings, func(a, b own.Candidate) int {
		return cmp.Or(cmp.Compare(a.Atoms, b.Atoms), cmp.Compare(a.Clusters, b.Clusters))
	})
	var errs [][]float64
	for i, c := range settings {
		if i > 0 && c.Atoms == settings[i-1].Atoms {
			continue
		}
		of, err := ch.heldOutOf(c)
		if err != nil {
			return err
		}
		errs, ch.heldOut = append(errs, of), append(ch.heldOut, own.HeldOutOf(c.Atoms, of))
	}
	taken := &ch.heldOut[max(eval.FewestWithinError(errs), 0)]
	taken.Taken = true
	left := summary.Pick(settings, func(c own.Candidate) bool { return c.Atoms == taken.Atoms })
	if err := ch.embed(left[0]); err != nil {
		return err
	}
	ch.chosen = left[0].Config
	for _, c := range left {
		if c.Clusters <= ch.separate {
			ch.chosen = c.Config
		}
	}
	return nil
}

// heldOutOf returns the held-out errors of all repetitions of a setting; nil if one has none.
func (ch *chooser) heldOutOf(c own.Candidate) ([]float64, error) {
	if on, _ := c.Params[method.HeldOutKey].(bool); !on {
		return nil, nil
	}
	var out []float64
	for _, r := range c.Runs {
		a, err := ch.arrays(r.ID)
		if err != nil {
			return nil, err
		}
		f := npz.Among(a, "a run")
		errs := f.FloatsOf(artifact.HeldOutErrors, f.Length(artifact.HeldOutGraphs))
		if len(errs) == 0 {
			return nil, f.Err()
		}
		out = append(out, errs...)
	}
	return out, nil
}

// embed reads the embeddings of a setting's repetitions, and counts the separated clusters in them.
func (ch *chooser) embed(c own.Candidate) (err error) {
	n := 0
	for _, r := range c.Runs {
		a, err := ch.arrays(r.ID)
		if err != nil {
			return err
		}
		p, s, err := points(a)
		if err != nil {
			return err
		}
		ch.embeddings, n = append(ch.embeddings, p), len(p)/s
	}
	ch.separate, err = eval.SeparateRepeated(ch.embeddings, n, source.Rand(ch.seed, ch.data, 0, fmt.Sprint("separate ", c.Atoms)))
	return err
}

// points returns the coordinates of a run's graphs in the Mahalanobis metric, or their weights for
// GDL_h, and the number of coordinates per graph.
func points(arrays []npz.Array) ([]float64, int, error) {
	d, errD := method.DictionaryOf(arrays)
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
