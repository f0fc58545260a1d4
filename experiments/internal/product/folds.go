package product

import (
	"context"
	"fmt"

	"ogdl/experiments/internal/spec"
	"ogdl/internal/npz"
	"ogdl/internal/record"
)

const (
	kindFolds = "network_folds"
	// FoldsOf is how many splits have their networks in one product: repetitions 0 to 9, 10 to 19, and so on.
	FoldsOf = 10
)

// Folds is the product of the networks of ten splits: the predictions of each after every epoch.
type Folds struct{ Dictionary } // Of: the cell of the first of the ten

// Fold holds the predictions of a split's network for graphs that it does not learn from.
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

// slots are the arrays of the fold in the store.
func (f *Fold) slots(epochs, tests int) []npz.Slot {
	return []npz.Slot{npz.SlotOf("loss", &f.Loss, epochs), npz.SlotOf("held_out", &f.Held, epochs), npz.SlotOf("test_by_epoch", &f.Test, epochs, tests)}
}

// Product describes the networks.
func (p Folds) Product() spec.Product {
	out := p.Dictionary.Product()
	out.Kind, out.Label = kindFolds, fmt.Sprintf("networks of %d splits: %s", FoldsOf, p.Of)
	return out
}

// Networks trains the network of each split, whose test parts have so many graphs, with all cells that wait for them.
func (k *Cache) Networks(ctx context.Context, p Folds, digest string, tests []int, train func(ctx context.Context, fold int) (*Fold, error),
) (*Networks, error) {
	return fetch(ctx, k, p.Product(), digest, func() (*recipe[*Fold, *Networks], error) {
		epochs := p.Of.Params.Integer("epochs")
		return &recipe[*Fold, *Networks]{
			blocks:  FoldsOf,
			compute: train,
			pack:    func(f *Fold) []npz.Array { return npz.Arrays(f.slots(epochs, len(f.Test)/epochs)...) },
			unpack: func(b int, arrays []npz.Array) (*Fold, error) {
				in, out := npz.Among(arrays, "a fold"), &Fold{}
				in.Fill(out.slots(epochs, tests[b])...)
				return out, in.Err()
			},
			finish: func(folds []*Fold) (*Networks, error) { return &Networks{Folds: folds}, nil },
		}, nil
	})
}
