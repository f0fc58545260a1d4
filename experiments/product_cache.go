package main

import (
	"context"
	"sync"
)

// shelf holds the products that cells of this run still need. Safe for concurrent
// use.
type shelf struct {
	bench *bench

	mu      sync.Mutex
	entries map[string]*shelved
	left    map[string]int // cells that still need a key
}

// shelved is a product in the making, or made.
type shelved struct {
	once   sync.Once
	shared any // *shared[B, P]
	err    error
}

func newShelf(b *bench) *shelf {
	return &shelf{bench: b, entries: map[string]*shelved{}, left: map[string]int{}}
}

// expect says which cells will need their products: each is freed when the last of them
// has released it.
func (s *shelf) expect(cells []*cell) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range cells {
		for _, p := range c.products() {
			s.left[p.Key()]++
		}
	}
}

// release says that a cell needs its products no more.
func (s *shelf) release(c *cell) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range c.products() {
		key := p.Key()
		if s.left[key]--; s.left[key] <= 0 {
			delete(s.left, key)
			delete(s.entries, key)
		}
	}
}

// fetch returns a product, computing it by the recipe together with all cells that wait for it.
func fetch[B, P any](ctx context.Context, s *shelf, p product, cook func() (*recipe[B, P], error)) (P, error) {
	key := p.Key()
	s.mu.Lock()
	e := s.entries[key]
	if e == nil {
		e = &shelved{}
		s.entries[key] = e
	}
	s.mu.Unlock()
	e.once.Do(func() {
		defer caught(&e.err)
		var r *recipe[B, P]
		if r, e.err = cook(); e.err == nil {
			e.shared, e.err = newShared(s.bench, r)
		}
	})
	if e.err != nil {
		var none P
		return none, e.err
	}
	return e.shared.(*shared[B, P]).get(ctx)
}
