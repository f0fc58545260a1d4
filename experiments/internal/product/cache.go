package product

import (
	"context"
	"sync"

	"ogdl/experiments/internal/spec"
	"ogdl/internal/guard"
	"ogdl/internal/record"
)

// Cache computes the products that cells of a run share, block by block, and holds those that cells still need.
// Safe for concurrent use; the zero value keeps nothing in a store.
type Cache struct {
	Store *record.Store // nil: nothing is kept
	Where record.Provenance
	// Show is told how far a product is, logf what else a user should know; both may
	// be nil, and are called by several goroutines.
	Show func(label string, done, total int)
	Logf func(format string, args ...any)
	// Spent is told what a block has taken that was computed, and how many its product has; nil where nobody
	// listens.
	Spent func(label string, seconds float64, blocks int)
	// Rejected is told that the store did not take a block; nil where nobody listens.
	Rejected func(error)
	// Seed tells this process from others on the same store. It decides nothing but
	// who computes what first.
	Seed uint64

	mu             sync.Mutex
	entries        map[string]*entry
	left           map[string]int // cells that still need a key
	Computed, Read int            // blocks
	CPUSeconds     float64        // of those computed
}

// entry is a product in the making, or made.
type entry struct {
	once   sync.Once
	shared any // *shared[B, P]
	err    error
}

// Expect says which cells will need their products: each is freed when the last of them
// has released it.
func (k *Cache) Expect(cells []*spec.Cell) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.left == nil {
		k.left = map[string]int{}
	}
	for _, c := range cells {
		for _, p := range c.Products() {
			k.left[p.Key()]++
		}
	}
}

// Release says that a cell needs its products no more.
func (k *Cache) Release(c *spec.Cell) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, p := range c.Products() {
		key := p.Key()
		if k.left[key]--; k.left[key] <= 0 {
			delete(k.left, key)
			delete(k.entries, key)
		}
	}
}

// fetch returns a product, computing it by the recipe together with all cells that wait for it.
func fetch[B, P any](ctx context.Context, k *Cache, p spec.Product, cook func() (*recipe[B, P], error)) (P, error) {
	key := p.Key()
	k.mu.Lock()
	e := k.entries[key]
	if e == nil {
		if k.entries == nil {
			k.entries = map[string]*entry{}
		}
		e = &entry{}
		k.entries[key] = e
	}
	k.mu.Unlock()
	e.once.Do(func() {
		defer guard.Caught(&e.err)
		var r *recipe[B, P]
		if r, e.err = cook(); e.err == nil {
			e.shared, e.err = newShared(k, r)
		}
	})
	if e.err != nil {
		var none P
		return none, e.err
	}
	return e.shared.(*shared[B, P]).get(ctx)
}
