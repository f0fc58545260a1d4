package embed

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"ogdl/datasets"
	"ogdl/experiments/internal/method"
	"ogdl/experiments/internal/spec"
	"ogdl/gdl"
	"ogdl/internal/artifact"
	"ogdl/internal/npz"
	"ogdl/internal/words"
)

// Model is a fitted cell, read back from its npz.
type Model struct {
	Dictionary *gdl.Dictionary
	bare       bool // the file is no cell's; features are then nil until the data are there
	Params     spec.Values
	Features   *datasets.FeatureMap
	means      []float64 // of the weights of each cluster's graphs; nil: the cell was not clustered
	// orders and errs are of the graphs that the dictionary was learned from; nil where the file does not have them.
	orders []int
	errs   []float64
}

// Rounding is the difference of reconstruction errors that says nothing: a small share of the atoms' mean square.
func (m *Model) Rounding() (rounding float64) {
	d := m.Dictionary
	add := func(entries []float64, weight float64) {
		for _, x := range entries {
			rounding += float64(float64(x*x) * weight)
		}
	}
	for s := range d.S {
		add(d.C[s], 1e-9*d.Alpha/float64(d.S*d.N*d.N))
		if d.A != nil {
			add(d.A[s], 1e-9*(1-d.Alpha)/float64(d.S*d.N))
		}
	}
	return rounding
}

// Read reads the npz of a cell, or a dictionary alone, whose settings may be given.
func Read(src []byte, given map[string]any) (*Model, error) {
	r := bytes.NewReader(src)
	f, err := npz.Open(r, int64(len(src)), "not the file of a finished cell")
	if err != nil {
		return nil, err
	}
	if a := f.Get(artifact.Method, 0, true); a != nil && !strings.HasPrefix(strings.Join(a.Text, ""), "GDL") {
		return nil, fmt.Errorf("a cell of %s; expected one of GDL's methods, whose dictionaries graphs can be embedded in", strings.Join(a.Text, ""))
	}
	m := &Model{Features: &datasets.FeatureMap{}}
	if m.Dictionary, _, err = gdl.ReadNPZ(r, int64(len(src))); err != nil {
		return nil, err
	}
	row := method.GDL()
	if m.Dictionary.H != nil {
		row = method.GDLH()
	}
	if !f.Has(artifact.Method) && !f.Has(artifact.Params) && !f.Has(artifact.Features) {
		m.bare = true
		m.Params, err = row.FromSet(embedKeys(), given)
		return m, err
	}
	if len(given) > 0 {
		return nil, errors.New("the file is of a cell, which has its settings: leave out -set")
	}
	unpack := func(name string, into any) {
		if a := f.Get(name, 0, false); a != nil {
			if err := json.Unmarshal([]byte(strings.Join(a.Text, "")), into); err != nil {
				f.Fail(name, "%v", err)
			}
		}
	}
	var params map[string]any
	unpack(artifact.Params, &params)
	unpack(artifact.Features, m.Features)
	if f.Err() != nil {
		return nil, f.Err()
	}
	if m.Params, err = readParams(&row.Method, params); err != nil {
		return nil, err
	}
	if m.Features.Dim != m.Dictionary.D {
		f.Fail(artifact.Features, "%s per node, the dictionary has %d", words.Plural(m.Features.Dim, "feature", "features"), m.Dictionary.D)
	}
	if err := m.Features.Check(); err != nil {
		f.Fail(artifact.Features, "%v", err)
	}
	if m.Dictionary.H == nil && !method.InOtherDistance(m.Params) {
		m.means = clusterMeans(f, m.Dictionary.S)
	}
	if all := f.Get(artifact.DataOrder, 1, true); all != nil && len(all.Int) > 0 {
		m.orders, m.errs = all.Int, f.FloatsOf(artifact.DataErrors, len(all.Int))
	}
	return m, f.Err()
}

// clusterMeans are the mean weights of the graphs of each cluster, s numbers a cluster; nil where there
// are none. Centres are computed from the means in the coordinates of the current metric, because
// the file's centres have the coordinates of the version that wrote them.
func clusterMeans(f *npz.Fields, s int) []float64 {
	centres := f.Floats(artifact.Centers, 2, true)
	if centres == nil || f.Err() != nil {
		return nil
	}
	k := centres.Shape[0]
	if k < 1 || centres.Shape[1] != s {
		f.Fail(artifact.Centers, "expected clusters x %d reals", s)
	}
	var weights []float64
	a := f.Get(artifact.Assignment, 1, false)
	if f.Err() == nil {
		weights = f.FloatsOf(artifact.Weights, len(a.Int), s)
	}
	if f.Err() != nil {
		return nil
	}
	means, sizes := make([]float64, k*s), make([]float64, k)
	for i, c := range a.Int {
		if c < 0 || c >= k {
			f.Fail(artifact.Assignment, "graph %d is in cluster %d, expected 0..%d", i, c, k-1)
			return nil
		}
		sizes[c]++
		sum := 0.0
		for j, x := range weights[i*s : (i+1)*s] {
			if !(x >= 0 && x <= 1) {
				f.Fail(artifact.Weights, "weight %d of graph %d is %v, expected a number from 0 to 1", j, i, x)
			}
			sum += x
			means[c*s+j] += x
		}
		if !(math.Abs(sum-1) <= 1e-6) {
			f.Fail(artifact.Weights, "those of graph %d sum to %v, expected 1", i, sum)
		}
	}
	if c := slices.Index(sizes, 0); c >= 0 {
		f.Fail(artifact.Assignment, "cluster %d has no graphs", c)
	}
	for i := range means {
		means[i] /= sizes[i/s]
	}
	return means
}

// readParams checks stored parameters against the table of its method and gives the
// numbers their own types back, which JSON does not keep.
func readParams(row *spec.Method, raw map[string]any) (spec.Values, error) {
	v := spec.Values{}
	for _, q := range row.Parameters() {
		x, ok := raw[q.Name]
		if !ok {
			continue
		}
		parsed, ok := q.Parse(q.Restored(x))
		if !ok {
			return nil, fmt.Errorf("array %q: %s = %s: must be %s", artifact.Params, q.Name, spec.Show(x), q.Allowed())
		}
		v[q.Name] = parsed
	}
	for _, name := range []string{"representation", "node_weights", "features", "lambda", "unmix_rounds", "unmix_tol", "w_step"} {
		if !v.Has(name) {
			return nil, fmt.Errorf("array %q: %s is missing", artifact.Params, name)
		}
	}
	return v, nil
}

// embedKeys are the settings that embedding in a given dictionary uses.
func embedKeys() []string {
	return append(slices.Clone(spec.DataKeys), "lambda", "mu", "unmix_rounds", "unmix_tol", "unmix_starts", "w_step", "w_steps",
		"gw_tol_rel", "gw_tol_abs", "gw_iterations")
}

// settings names the settings that decide how graphs become spaces.
func (m *Model) settings() string {
	var out []string
	for _, key := range embedKeys() {
		if m.Params.Has(key) {
			out = append(out, fmt.Sprintf("%s=%v", key, m.Params[key]))
		}
	}
	return strings.Join(out, " ")
}
