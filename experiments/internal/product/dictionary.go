package product

import (
	"context"
	"fmt"
	"maps"
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

// Learned is the finished product of a [Dictionary].
type Learned struct {
	Arrays      []npz.Array // as the cell has them in its npz; read-only
	Objective   float64     // mean of the graphs that it is learned on
	Notes       []string    // for the records of all that use it
	Convergence record.Convergence
}

// Names of the arrays of a dictionary's block that are not arrays of the cell.
const (
	arrayObjective = "product_objective"
	arrayNotes     = "product_notes"
	arraySolves    = "product_counts"
	arrayGap       = "product_max_gap"
)

// Dictionary is the product of a dictionary and all embeddings: the arrays of a clustering cell. The argument of is the
// cell that learns it, with the method, the parameters that decide the fit, and the repetition. The argument on names the
// graphs that are learned from, "" for all; the others are only embedded.
func Dictionary(of *spec.Cell, on string) spec.Product {
	content := contentOf(of)
	content["method"], content["version"] = of.Method.Name, of.Method.Version
	content["seed"], content["repetition"] = of.Seed, of.Repetition
	label := of.Dataset + " dictionary " + of.Method.Name
	for name, v := range of.Differing() {
		content[name] = v
		label += fmt.Sprintf(" %s=%v", name, v)
	}
	label += fmt.Sprintf(" seed=%d repetition=%d", of.Seed, of.Repetition)
	if on != "" {
		content["on"] = on
		label += " on " + on
	}
	return spec.Product{Kind: KindDictionary, Label: label, Of: of, Content: content}
}

// Dictionary returns the dictionary that learn learns, together with all cells that wait for it.
func (k *Cache) Dictionary(ctx context.Context, p spec.Product, digest string, learn func(context.Context) (*Learned, error),
) (*Learned, error) {
	return fetch(ctx, k, p, digest, func() (*recipe[*Learned, *Learned], error) {
		return &recipe[*Learned, *Learned]{
			blocks:  1,
			compute: func(ctx context.Context, _ int) (*Learned, error) { return learn(ctx) },
			pack:    packLearned,
			unpack:  func(_ int, arrays []npz.Array) (*Learned, error) { return unpackLearned(arrays) },
			finish:  func(blocks []*Learned) (*Learned, error) { return blocks[0], nil },
			solves:  func(l *Learned) record.Convergence { return l.Convergence },
		}, nil
	})
}

func packLearned(l *Learned) []npz.Array {
	s := l.Convergence
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
		Convergence: ended}, f.Err()
}

// ModelDistances is the product of the (F)GW distances between the graphs' models, under these settings without starts. The
// models are made by the dictionary of the lowest objective among these, which are alike but for alpha.
func ModelDistances(of []spec.Product, set gw.Settings) spec.Product {
	p := of[0]
	_, name, _ := strings.Cut(p.Label, " dictionary ")
	if len(of) > 1 {
		name += fmt.Sprintf(" or another alpha of %d", len(of))
	}
	p.Kind, p.Label, p.Content = kindModelDistances, p.Of.Dataset+" distances of models "+name, maps.Clone(p.Content)
	var alphas []float64
	for _, d := range of {
		alphas = append(alphas, d.Of.Params.Number("alpha"))
	}
	p.Content["alphas"], p.Content["pair_version"] = spec.NumbersText(alphas), modelDistancesVersion
	p.Content["pair_tol_rel"], p.Content["pair_tol_abs"], p.Content["pair_iterations"] = set.TolRel, set.TolAbs, set.MaxIter
	return p
}
