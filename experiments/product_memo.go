package main

import (
	"context"
	"sync"
)

// memo computes each value once and hands it to all who ask. The zero value is
// ready. Safe for concurrent use.
type memo[K comparable, V any] struct {
	mu      sync.Mutex
	entries map[K]*memoEntry[V]
}

type memoEntry[V any] struct {
	done  chan struct{}
	value V
	err   error
}

// get returns the value of a key, from compute on the first call. Later callers wait
// for the first one, or until their context ends; an error, or a panic, is everybody's.
func (m *memo[K, V]) get(ctx context.Context, key K, compute func() (V, error)) (V, error) {
	m.mu.Lock()
	e := m.entries[key]
	if e != nil {
		m.mu.Unlock()
		select {
		case <-e.done:
			return e.value, e.err
		case <-ctx.Done():
			var none V
			return none, ctx.Err()
		}
	}
	if m.entries == nil {
		m.entries = map[K]*memoEntry[V]{}
	}
	e = &memoEntry[V]{done: make(chan struct{})}
	m.entries[key] = e
	m.mu.Unlock()
	defer close(e.done)
	func() {
		defer caught(&e.err)
		e.value, e.err = compute()
	}()
	return e.value, e.err
}
