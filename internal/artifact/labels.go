package artifact

import (
	"encoding/json"
	"slices"
	"strconv"

	"ogdl/internal/npz"
)

// Labels say which node label is the strongest in every node of a cell's atoms.
type Labels struct {
	Texts     []string // of the labels: their own, or their numbers
	Numbers   []int    // nil where labels are texts
	Strongest [][]int  // of every node of every atom, in Texts; -1 where no feature is above 0
	atoms     [][]float64
}

// ReadLabels finds the labels of n nodes in each of s atoms; nil where the features of nodes are no labels, or of several columns.
func ReadLabels(arrays []npz.Array, s, n int) (*Labels, error) {
	f := npz.Among(arrays, "reports: a cell's node labels")
	if !f.Has(AtomsFeatures) || !f.Has(Features) {
		return nil, nil
	}
	var m struct {
		Kind   string
		Values [][]int
		Texts  []string
	}
	a := f.Get(Features, 0, false)
	if a != nil && len(a.Text) == 1 {
		if err := json.Unmarshal([]byte(a.Text[0]), &m); err != nil {
			f.Fail(Features, "%v", err)
		}
	}
	if f.Err() != nil || m.Kind != "labels" || len(m.Values) != 1 {
		return nil, f.Err()
	}
	l := &Labels{Texts: m.Texts}
	if m.Texts == nil {
		l.Numbers = m.Values[0]
		for _, v := range l.Numbers {
			l.Texts = append(l.Texts, strconv.Itoa(v))
		}
	}
	if len(l.Texts) == 0 {
		f.Fail(Features, "has no labels")
		return nil, f.Err()
	}
	for atom := range slices.Chunk(f.FloatsOf(AtomsFeatures, s, n, len(l.Texts)), n*len(l.Texts)) {
		l.atoms = append(l.atoms, atom)
		l.Strongest = append(l.Strongest, l.StrongestOf(atom))
	}
	return l, f.Err()
}

// StrongestOf are the strongest labels of nodes with these features, node by node.
func (l *Labels) StrongestOf(features []float64) (of []int) {
	for node := range slices.Chunk(features, len(l.Texts)) {
		at := slices.Index(node, slices.Max(node))
		if at >= 0 && !(node[at] > 0) {
			at = -1
		}
		of = append(of, at)
	}
	return of
}

// StrongestIn returns the strongest labels of the model with these weights over the atoms.
func (l *Labels) StrongestIn(weights []float64) []int {
	mixed := make([]float64, len(l.atoms[0]))
	for k, w := range weights {
		for i, v := range l.atoms[k] {
			mixed[i] += float64(w * v)
		}
	}
	return l.StrongestOf(mixed)
}
