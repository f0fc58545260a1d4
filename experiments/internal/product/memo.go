package product

import (
	"context"
	"ogdl/internal/guard"
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
	given bool // up, by a caller whose context ended
}

// Get returns the value of a key, from compute on the first call. Later callers wait
// for the first one, or until their context ends. An error, or a panic, is everybody's,
// but where the context of the first one ended another takes its place.
func (m *memo[K, V]) Get(ctx context.Context, key K, compute func() (V, error)) (V, error) {
	for {
		m.mu.Lock()
		e := m.entries[key]
		if e == nil {
			break
		}
		m.mu.Unlock()
		select {
		case <-e.done:
			if e.given {
				continue
			}
			return e.value, e.err
		case <-ctx.Done():
			var none V
			return none, ctx.Err()
		}
	}
	if m.entries == nil {
		m.entries = map[K]*memoEntry[V]{}
	}
	e := &memoEntry[V]{done: make(chan struct{})}
	m.entries[key] = e
	m.mu.Unlock()
	defer close(e.done)
	func() {
		defer guard.Caught(&e.err)
		e.value, e.err = compute()
	}()
	if e.err != nil && ctx.Err() != nil {
		e.given = true
		m.mu.Lock()
		delete(m.entries, key)
		m.mu.Unlock()
	}
	return e.value, e.err
}
