package product

import (
	"context"
	"maps"
	"sync"

	"ogdl/experiments/internal/spec"
	"ogdl/internal/memo"
	"ogdl/internal/record"
)

// Cache computes the products that cells of a run share, block by block, and holds those that cells still need.
// Safe for concurrent use; the zero value keeps nothing in a store.
type Cache struct {
	Store *record.Store // nil: nothing is kept
	Where record.Provenance
	// Blocks is the number of blocks of a matrix of distances; 0: as gw.Pairs cuts it.
	Blocks int
	// Show is called with progress, Logf with messages, by several goroutines. Both may be nil.
	Show func(label string, done, total int)
	Logf func(format string, args ...any)
	// Spent, if set, is called with the seconds of a computed block and the number of blocks.
	Spent func(label string, seconds float64, blocks int)
	// Rejected is called when the store did not take a block; nil where nobody listens.
	Rejected func(error)

	made           memo.Memo[string, any] // *shared[B, P], in the making or made
	mu             sync.Mutex
	Computed, Read int     // blocks
	CPUSeconds     float64 // of those computed
}

// Expect registers the users of products. A product is freed after its last user's Release.
func (k *Cache) Expect(cells []*spec.Cell) {
	for _, c := range cells {
		for _, p := range c.Products() {
			k.made.Expect(p.Key())
		}
	}
}

// Release says that a cell needs its products no more.
func (k *Cache) Release(c *spec.Cell) {
	for _, p := range c.Products() {
		k.made.Release(p.Key())
	}
}

// Waits reports whether a cell would have to wait: other cells already compute all missing blocks
// of one of its products.
func (k *Cache) Waits(c *spec.Cell) bool {
	for _, p := range c.Products() {
		if s, made := k.made.Has(p.Key()); made && s.(interface{ taken() bool }).taken() {
			return true
		}
	}
	return false
}

// fetch returns a product of data with that digest. If it is not there, fetch computes it by the
// recipe, together with all cells that wait for it. The cell's stopwatch is paused meanwhile, and
// notes the use of the product.
func fetch[B, P any](ctx context.Context, k *Cache, p spec.Product, digest string, cook func() (*recipe[B, P], error)) (out P, err error) {
	w, _ := ctx.Value(watchKey{}).(*Stopwatch)
	w.Pause(func() {
		var made any
		if made, err = k.made.Get(ctx, p.Key(), func() (any, error) {
			r, err := cook()
			if err != nil {
				return nil, err
			}
			content := maps.Clone(p.Content) // the caller's stays
			if content["digest"] == nil {    // of a user's folder it is there
				content["digest"] = digest
			}
			return newShared(k, record.NewProduct(p.Kind, content, r.blocks), p.Label, r)
		}); err == nil {
			s := made.(*shared[B, P])
			if out, err = s.get(ctx); err == nil && w != nil {
				w.Used = append(w.Used, s.used)
			}
		}
	})
	return out, err
}
