package product

import (
	"context"
	"fmt"

	"ogdl/experiments/internal/spec"
	"ogdl/internal/npz"
)

const (
	kindFolds = "network_folds"
	// FoldsOf is how many splits have their networks in one product: repetitions 0 to 9, 10 to 19, and so on.
	FoldsOf = 10
)

// Fold holds the predictions of a split's network for graphs that it does not learn from.
type Fold struct {
	Loss []float64 // of each epoch
	Held []int     // of each epoch, right predictions for the graphs of the training part that are held out
	Test []int     // epochs x test graphs: predictions
}

// slots are the arrays of the fold in the store.
func (f *Fold) slots(epochs, tests int) []npz.Slot {
	return []npz.Slot{npz.SlotOf("loss", &f.Loss, epochs), npz.SlotOf("held_out", &f.Held, epochs), npz.SlotOf("test_by_epoch", &f.Test, epochs, tests)}
}

// Folds is the product of the networks of ten splits, one of them the cell's: the predictions of each after every epoch.
// Its own cell is the cell of the first split.
func Folds(c *spec.Cell) spec.Product {
	first := *c
	first.Repetition -= c.Repetition % FoldsOf
	p := Dictionary(&first, "")
	p.Kind, p.Label = kindFolds, fmt.Sprintf("networks of %d splits: %s", FoldsOf, p.Of)
	return p
}

// Networks trains the network of each split, whose test parts have so many graphs, with all cells that wait for them.
func (k *Cache) Networks(ctx context.Context, p spec.Product, digest string, tests []int,
	train func(ctx context.Context, fold int) (*Fold, error),
) ([]*Fold, error) {
	return fetch(ctx, k, p, digest, func() (*recipe[*Fold, []*Fold], error) {
		epochs := p.Of.Params.Integer("epochs")
		return &recipe[*Fold, []*Fold]{
			blocks:  FoldsOf,
			compute: train,
			pack:    func(f *Fold) []npz.Array { return npz.Arrays(f.slots(epochs, len(f.Test)/epochs)...) },
			unpack: func(b int, arrays []npz.Array) (*Fold, error) {
				in, out := npz.Among(arrays, "a fold"), &Fold{}
				in.Fill(out.slots(epochs, tests[b])...)
				return out, in.Err()
			},
			finish: func(folds []*Fold) ([]*Fold, error) { return folds, nil },
		}, nil
	})
}
