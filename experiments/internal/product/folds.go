package product

import (
	"context"
	"fmt"

	"ogdl/internal/npz"
	"ogdl/internal/record"
)

const (
	kindFolds = "network_folds"
	// FoldsOf is how many splits have their networks in one product: repetitions 0 to 9, 10 to 19, and so on.
	FoldsOf = 10
)

// Names of the arrays of a fold in the store.
const (
	arrayLoss     = "loss"          // of each epoch
	arrayHeldOut  = "held_out"      // of each epoch, right predictions for the graphs held out
	arrayTestEach = "test_by_epoch" // epochs x test graphs: predictions
)

// Folds is the product of the networks of ten splits, of one setting: what each predicts after every epoch.
type Folds struct{ Dictionary } // Of: the cell of the first of the ten

// Fold is what the network of a split predicts for graphs that it does not learn from.
type Fold struct {
	Loss []float64 // of each epoch
	Held []int     // of each epoch, right predictions for the graphs of the training part that are held out
	Test []int     // epochs x test graphs: predictions
}

// Networks are the ten folds.
type Networks struct {
	Used  record.Used
	Folds []*Fold
}

func (n *Networks) used() *record.Used { return &n.Used }

// Kind implements spec.Product.
func (p Folds) Kind() string { return kindFolds }

// Key implements spec.Product.
func (p Folds) Key() string { return kindFolds + " " + p.Dictionary.Key() }

// Label implements spec.Product.
func (p Folds) Label() string { return fmt.Sprintf("networks of %d splits: %s", FoldsOf, p.Of) }

// Networks trains the network of each split, whose test parts have so many graphs, with all cells that wait for them.
func (k *Cache) Networks(ctx context.Context, p Folds, digest string, tests []int, train func(ctx context.Context, fold int) (*Fold, error),
) (*Networks, error) {
	return fetch(ctx, k, p, func() (*recipe[*Fold, *Networks], error) {
		epochs := p.Of.Params.Integer("epochs")
		return &recipe[*Fold, *Networks]{
			head:   record.NewProduct(kindFolds, withDigest(p.Content(), p.Of, digest), FoldsOf),
			worker: func() func(context.Context, int) (*Fold, error) { return train },
			pack: func(f *Fold) []npz.Array {
				return []npz.Array{
					{Name: arrayLoss, Shape: []int{epochs}, Float: f.Loss},
					{Name: arrayHeldOut, Shape: []int{epochs}, Int: f.Held},
					{Name: arrayTestEach, Shape: []int{epochs, len(f.Test) / epochs}, Int: f.Test},
				}
			},
			unpack: func(b int, arrays []npz.Array) (*Fold, error) {
				f := npz.Among(arrays, "a fold")
				out := &Fold{Loss: f.FloatsOf(arrayLoss, epochs), Held: f.IntsOf(arrayHeldOut, epochs),
					Test: f.IntsOf(arrayTestEach, epochs, tests[b])}
				return out, f.Err()
			},
			finish: func(folds []*Fold) (*Networks, error) { return &Networks{Folds: folds}, nil },
		}, nil
	})
}
