// Package memo computes what many ask for once, and holds it while it is needed.
package memo

import (
	"context"
	"sync"
	"sync/atomic"

	"ogdl/internal/guard"
)

// Memo computes each value once and hands it to all who ask. The zero value is
// ready. Safe for concurrent use.
type Memo[K comparable, V any] struct {
	mu      sync.Mutex
	entries map[K]*entry[V]
	left    map[K]int // askers that Expect has named
}

type entry[V any] struct {
	turn  chan struct{} // full while a caller computes the value, or takes it
	value V
	err   error
	made  atomic.Bool // nobody computes it again
}

// Get returns the value of a key, from compute on the first call. Later callers wait
// for the first one, or until their context ends. An error, or a panic, is everybody's,
// but where the context of the first one ended another takes its place.
func (m *Memo[K, V]) Get(ctx context.Context, key K, compute func() (V, error)) (value V, err error) {
	m.mu.Lock()
	if m.entries == nil {
		m.entries = map[K]*entry[V]{}
	}
	e := m.entries[key]
	if e == nil {
		e = &entry[V]{turn: make(chan struct{}, 1)}
		m.entries[key] = e
	}
	m.mu.Unlock()
	select {
	case e.turn <- struct{}{}:
		defer func() { <-e.turn }()
	case <-ctx.Done():
		return value, ctx.Err()
	}
	if !e.made.Load() {
		func() {
			defer guard.Caught(&e.err)
			e.value, e.err = compute()
		}()
		e.made.Store(e.err == nil || ctx.Err() == nil)
	}
	return e.value, e.err
}

// Has returns the value of a key, if it is there without computing or waiting.
func (m *Memo[K, V]) Has(key K) (value V, there bool) {
	m.mu.Lock()
	e := m.entries[key]
	m.mu.Unlock()
	if e == nil || !e.made.Load() {
		return value, false
	}
	return e.value, e.err == nil
}

// Expect says that one more will need the value of a key: it is freed when the last of them has released it.
func (m *Memo[K, V]) Expect(key K) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.left == nil {
		m.left = map[K]int{}
	}
	m.left[key]++
}

// Release says that one needs the value of a key no more.
func (m *Memo[K, V]) Release(key K) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.left[key]--; m.left[key] <= 0 {
		delete(m.left, key)
		delete(m.entries, key)
	}
}

// Len is the number of values held.
func (m *Memo[K, V]) Len() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.entries)
}
