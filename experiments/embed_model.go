package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ogdl/datasets"
	"ogdl/gdl"
	"ogdl/internal/artifact"
	"ogdl/internal/npz"
)

// model is a fitted cell, read back from its npz.
type model struct {
	dictionary *gdl.Dictionary
	bare       bool // the file is no cell's; features are then nil until the data are there
	params     values
	features   *datasets.FeatureMap
	means      [][]float64 // of the weights of each cluster's graphs; nil: the cell was not clustered
}

// readModel reads the npz of a cell, or a dictionary alone, whose settings may be given.
func readModel(src []byte, given map[string]any) (*model, error) {
	r := bytes.NewReader(src)
	f, err := npz.Open(r, int64(len(src)), "not the file of a finished cell")
	if err != nil {
		return nil, err
	}
	if a := f.Get(arrayMethod, 0, true); a != nil && !strings.HasPrefix(strings.Join(a.Text, ""), "GDL") {
		return nil, fmt.Errorf("a cell of %s; expected one of GDL's methods, whose dictionaries graphs can be embedded in", strings.Join(a.Text, ""))
	}
	m := &model{features: &datasets.FeatureMap{}}
	if m.dictionary, _, err = gdl.ReadNPZ(r, int64(len(src))); err != nil {
		return nil, err
	}
	row := gdlMethod()
	if m.dictionary.H != nil {
		row = gdlhMethod()
	}
	if !f.Has(arrayMethod) && !f.Has(arrayParams) && !f.Has(arrayFeatures) {
		m.bare = true
		m.params, err = bareParams(&row.method, given)
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
	unpack(arrayParams, &params)
	unpack(arrayFeatures, m.features)
	if f.Err() != nil {
		return nil, f.Err()
	}
	if m.params, err = readParams(&row.method, params); err != nil {
		return nil, err
	}
	if m.features.Dim != m.dictionary.D {
		f.Fail(arrayFeatures, "%d features per node, the dictionary has %d", m.features.Dim, m.dictionary.D)
	}
	if err := m.features.Check(); err != nil {
		f.Fail(arrayFeatures, "%v", err)
	}
	if m.dictionary.H == nil {
		m.means = clusterMeans(f, m.dictionary.S)
	}
	return m, f.Err()
}

// clusterMeans are the mean weights, over s atoms, of the graphs of each cluster; nil where there are none. Centres follow
// from them in the coordinates of today's metric; those of the file are in the
// coordinates of the version that wrote it.
func clusterMeans(f *npz.Fields, s int) [][]float64 {
	centres := f.Floats(arrayCenters, 2, true)
	if centres == nil || f.Err() != nil {
		return nil
	}
	k := centres.Shape[0]
	if k < 1 || centres.Shape[1] != s {
		f.Fail(arrayCenters, "expected clusters x %d reals", s)
	}
	var weights []float64
	a := f.Get(arrayAssignment, 1, false)
	if f.Err() == nil {
		weights = f.FloatsOf(artifact.Weights, len(a.Int), s)
	}
	if f.Err() != nil {
		return nil
	}
	means, count := make([][]float64, k), make([]float64, k)
	for c := range means {
		means[c] = make([]float64, s)
	}
	for i, c := range a.Int {
		if c < 0 || c >= k {
			f.Fail(arrayAssignment, "graph %d is in cluster %d, expected 0..%d", i, c, k-1)
			return nil
		}
		count[c]++
		for j, x := range weights[i*s : (i+1)*s] {
			means[c][j] += x
		}
	}
	for c, mean := range means {
		if count[c] == 0 {
			f.Fail(arrayAssignment, "cluster %d has no graphs", c)
		}
		for j := range mean {
			mean[j] /= count[c]
		}
	}
	return means
}

// readParams checks stored parameters against the table of its method and gives the
// numbers their own types back, which JSON does not keep.
func readParams(row *method, raw map[string]any) (values, error) {
	v := values{}
	for _, q := range row.parameters() {
		x, ok := raw[q.name]
		if !ok {
			continue
		}
		parsed, ok := q.parse(q.restored(x))
		if !ok {
			return nil, fmt.Errorf("array %q: %s = %s: must be %s", arrayParams, q.name, show(x), q.allowed())
		}
		v[q.name] = parsed
	}
	for _, name := range []string{"representation", "node_weights", "features", "lambda", "unmix_rounds", "unmix_tol", "w_step"} {
		if !v.has(name) {
			return nil, fmt.Errorf("array %q: %s is missing", arrayParams, name)
		}
	}
	return v, nil
}

// embedKeys are the settings that embedding in a given dictionary uses.
func embedKeys() []string {
	return append(slices.Clone(dataKeys), "lambda", "mu", "unmix_rounds", "unmix_tol", "unmix_starts", "w_step", "w_steps", "gw_tol_rel", "gw_tol_abs", "gw_iterations")
}

// bareParams are the defaults of a method with what -set gives.
func bareParams(row *method, given map[string]any) (values, error) {
	v := values{}
	params := row.parameters()
	for _, key := range slices.Sorted(maps.Keys(given)) {
		i := slices.IndexFunc(params, func(q param) bool { return q.name == key })
		if i < 0 || !slices.Contains(embedKeys(), key) {
			var known []string
			for _, q := range params {
				if slices.Contains(embedKeys(), q.name) {
					known = append(known, q.name)
				}
			}
			return nil, fmt.Errorf("-set %s: unknown key; allowed: %s%s", key, strings.Join(known, ", "), didYouMean(key, known))
		}
		x, ok := params[i].parse(given[key])
		if !ok {
			return nil, fmt.Errorf("-set %s=%v: must be %s%s", key, given[key], params[i].allowed(), params[i].suggest(given[key]))
		}
		v[key] = x
	}
	v, unused := row.complete(v)
	for _, q := range unused {
		return nil, fmt.Errorf("-set %s: has a meaning only with %s", q.name, q.condition)
	}
	return v, nil
}

// settings names the settings that decide what graphs become.
func (m *model) settings() string {
	var out []string
	for _, key := range embedKeys() {
		if m.params.has(key) {
			out = append(out, fmt.Sprintf("%s=%v", key, m.params[key]))
		}
	}
	return strings.Join(out, " ")
}
