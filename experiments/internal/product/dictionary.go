package product

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"ogdl/experiments/internal/spec"
	"ogdl/internal/npz"
	"ogdl/internal/record"
	"ogdl/ot/gw"
)

// Kinds of products that come from dictionaries.
const (
	KindDictionary     = "dictionary"
	kindModelDistances = "model_distances"
	// modelDistancesVersion is the version of distances of models; see distancesVersion.
	modelDistancesVersion = 1
)

// Dictionary is the product of a dictionary and all embeddings: the arrays of a clustering cell.
type Dictionary struct {
	Of *spec.Cell // that learns it: the method, the parameters that decide the fit, the repetition
	// On names the graphs that are learned from, "" for all; the others are only embedded.
	On string
}

// Learned is the finished product of a [Dictionary].
type Learned struct {
	Used      record.Used
	Arrays    []npz.Array // as the cell has them in its npz; read-only
	Objective float64     // mean of the graphs that it is learned on
	Notes     []string    // for the records of all that use it
}

func (l *Learned) used() *record.Used { return &l.Used }

// Names of the arrays of a dictionary's block that are not arrays of the cell.
const (
	arrayObjective = "product_objective"
	arrayNotes     = "product_notes"
	arraySolves    = "product_counts"
	arrayGap       = "product_max_gap"
)

// Product describes the dictionary.
func (d Dictionary) Product() spec.Product {
	content := contentOf(d.Of)
	content["method"], content["version"] = d.Of.Method.Name, d.Of.Method.Version
	content["seed"], content["repetition"] = d.Of.Seed, d.Of.Repetition
	label := d.Of.Dataset + " dictionary " + d.Of.Method.Name
	for name, v := range d.Of.Differing() {
		content[name] = v
		label += fmt.Sprintf(" %s=%v", name, v)
	}
	label += fmt.Sprintf(" seed=%d repetition=%d", d.Of.Seed, d.Of.Repetition)
	if d.On != "" {
		content["on"] = d.On
		label += " on " + d.On
	}
	return spec.Product{Kind: KindDictionary, Label: label, Of: d.Of, Content: content}
}

// Dictionary returns the dictionary that learn learns, together with all cells that wait for it.
func (k *Cache) Dictionary(ctx context.Context, d Dictionary, digest string, learn func(context.Context) (*Learned, error)) (*Learned, error) {
	return fetch(ctx, k, d.Product(), digest, func() (*recipe[*Learned, *Learned], error) {
		return &recipe[*Learned, *Learned]{
			blocks:  1,
			compute: func(ctx context.Context, _ int) (*Learned, error) { return learn(ctx) },
			pack:    packLearned,
			unpack:  func(_ int, arrays []npz.Array) (*Learned, error) { return unpackLearned(arrays) },
			finish:  func(blocks []*Learned) (*Learned, error) { return blocks[0], nil },
		}, nil
	})
}

func packLearned(l *Learned) []npz.Array {
	s := l.Used.Convergence
	return append(slices.Clone(l.Arrays),
		npz.Array{Name: arrayObjective, Float: []float64{l.Objective}},
		npz.Array{Name: arrayNotes, Shape: []int{len(l.Notes)}, Text: append([]string{}, l.Notes...)},
		npz.Array{Name: arraySolves, Shape: []int{3}, Int: []int{int(s.Solves), int(s.CapHits), int(s.Iterations)}},
		npz.Array{Name: arrayGap, Float: []float64{s.MaxGap}})
}

func unpackLearned(arrays []npz.Array) (*Learned, error) {
	f := npz.Among(arrays, "a dictionary")
	objective, gap := f.Floats(arrayObjective, 0, false), f.Floats(arrayGap, 0, false)
	notes, counts := f.Get(arrayNotes, 1, false), f.IntsOf(arraySolves, 3)
	if f.Err() != nil {
		return nil, f.Err()
	}
	if x := objective.Float[0]; math.IsNaN(x) || math.IsInf(x, 0) {
		f.Fail(arrayObjective, "is %v, expected a finite number", x)
	}
	own := func(a npz.Array) bool { return strings.HasPrefix(a.Name, "product_") }
	ended := record.Convergence{Solves: int64(counts[0]), CapHits: int64(counts[1]), Iterations: int64(counts[2]), MaxGap: gap.Float[0]}
	return &Learned{Arrays: slices.DeleteFunc(slices.Clone(arrays), own), Objective: objective.Float[0], Notes: notes.Text,
		Used: record.Used{Convergence: ended}}, f.Err()
}

// ModelDistances is the product of the (F)GW distances between the graphs' models. The dictionary
// with the lowest objective among Of makes the models.
type ModelDistances struct {
	Of []Dictionary // alike but for alpha
	GW gw.Settings  // without starts
}

// Product describes the distances.
func (m ModelDistances) Product() spec.Product {
	p := m.Of[0].Product()
	_, of, _ := strings.Cut(p.Label, " dictionary ")
	if len(m.Of) > 1 {
		of += fmt.Sprintf(" or another alpha of %d", len(m.Of))
	}
	p.Kind, p.Label = kindModelDistances, p.Of.Dataset+" distances of models "+of
	var alphas []float64
	for _, d := range m.Of {
		alphas = append(alphas, d.Of.Params.Number("alpha"))
	}
	p.Content["alphas"], p.Content["pair_version"] = spec.NumbersText(alphas), modelDistancesVersion
	p.Content["pair_tol_rel"], p.Content["pair_tol_abs"], p.Content["pair_iterations"] = m.GW.TolRel, m.GW.TolAbs, m.GW.MaxIter
	return p
}

// ModelDistances computes the distances of the models that make gives, at its alpha, with all cells that wait for them.
func (k *Cache) ModelDistances(ctx context.Context, m ModelDistances, digest string, make func() ([]*gw.Space, float64, error)) (*Matrix, error) {
	return fetch(ctx, k, m.Product(), digest, func() (*recipe[*gw.PairBlock, *Matrix], error) {
		models, alpha, err := make()
		if err != nil {
			return nil, err
		}
		return matrixRecipe(models, alpha, &gw.PairSettings{GW: m.GW})
	})
}
