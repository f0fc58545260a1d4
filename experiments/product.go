package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"time"

	"ogdl/internal/npz"
	"ogdl/internal/record"
)

// recipe says how a product is computed: something that several cells need, that
// falls into independent blocks, and that takes longer to compute than to read.
// B is a block, P the finished product.
type recipe[B, P any] struct {
	head  *record.Product
	label string // for progress and messages
	// worker returns the function with which one goroutine computes blocks.
	worker func() func(ctx context.Context, block int) (B, error)
	// pack and unpack are the form of a block in the store. An error of unpack means
	// that the block cannot be used.
	pack   func(block B) []npz.Array
	unpack func(block int, arrays []npz.Array) (B, error)
	// finish makes the product from all its blocks, in order.
	finish func(blocks []B) (P, error)
}

// shared is one product in the making: every goroutine that waits for it computes
// blocks of it.
type shared[B, P any] struct {
	*recipe[B, P]
	cache *cache

	mu      sync.Mutex
	blocks  []B
	free    []int // blocks that nobody has or computes, the next one last
	missing int   // blocks that are not there yet
	changed chan struct{}
	done    bool
	out     P
	err     error
}

// newShared starts a product: its head is written, no block is computed yet.
func newShared[B, P any](c *cache, r *recipe[B, P]) (*shared[B, P], error) {
	if err := c.putHead(r.head, r.label); err != nil {
		return nil, err
	}
	n := r.head.Blocks
	return &shared[B, P]{recipe: r, cache: c, blocks: make([]B, n), free: c.order(n), missing: n, changed: make(chan struct{})}, nil
}

// putHead says in the store what the product is, unless it says so already.
func (c *cache) putHead(p *record.Product, label string) error {
	if c.store == nil {
		return nil
	}
	_, state, err := c.store.Product(p.ID)
	if state == record.Whole || state == record.Foreign {
		return nil
	}
	if err != nil && c.logf != nil {
		c.logf("%s: its description cannot be used, it is written again: %v", label, err)
	}
	if err = c.store.PutProduct(p); err != nil && c.rejected != nil {
		c.rejected(err)
	}
	return err
}

// order is the order in which this process takes the blocks of a product. Processes
// that work on one product side by side, each in an order of its own, find most of
// what the others have stored and rarely compute the same block.
func (c *cache) order(n int) []int {
	return rand.New(rand.NewPCG(c.seed, 0)).Perm(n)
}

// get returns the product. Until it is there the caller computes blocks of it, or
// waits for those that others compute. If its context ends it gives its block back
// and returns; an error of a block, or a panic in it, is everybody's.
func (s *shared[B, P]) get(ctx context.Context) (P, error) {
	var none P
	var compute func(context.Context, int) (B, error)
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		switch {
		case s.err != nil:
			return none, s.err
		case s.done:
			return s.out, nil
		case ctx.Err() != nil:
			return none, ctx.Err()
		case s.missing == 0:
			if s.out, s.err = s.finished(); s.err == nil {
				s.done = true
				s.blocks = nil
			}
		case len(s.free) == 0:
			changed := s.changed
			s.mu.Unlock()
			select {
			case <-changed:
			case <-ctx.Done():
			}
			s.mu.Lock()
		default:
			b := s.free[len(s.free)-1]
			s.free = s.free[:len(s.free)-1]
			s.mu.Unlock()
			if compute == nil {
				compute = s.worker()
			}
			block, err := s.block(ctx, b, compute)
			s.mu.Lock()
			switch {
			case err == nil:
				s.blocks[b] = block
				s.missing--
				if s.cache.show != nil {
					s.cache.show(s.label, len(s.blocks)-s.missing, len(s.blocks))
				}
			case ctx.Err() != nil && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)):
				s.free = append(s.free, b)
			default:
				s.err = err
				if s.cache.show != nil {
					s.cache.show(s.label, len(s.blocks), len(s.blocks)) // nobody goes on with it
				}
			}
			close(s.changed)
			s.changed = make(chan struct{})
		}
	}
}

// finished is finish with panics turned into errors.
func (s *shared[B, P]) finished() (p P, err error) {
	defer caught(&err)
	if p, err = s.finish(s.blocks); err != nil {
		err = fmt.Errorf("%s: %w", s.label, err)
	}
	return p, err
}

// block reads a block from the store, or computes it and stores it. The calling
// goroutine must be locked to its thread for its CPU time to be told.
func (s *shared[B, P]) block(ctx context.Context, b int, compute func(context.Context, int) (B, error)) (block B, err error) {
	defer caught(&err)
	if stored, ok := s.stored(b); ok {
		s.cache.count(1, 0, 0)
		return stored, nil
	}
	host, _ := os.Hostname() // only informs
	cost := &record.BlockTiming{Host: host, Started: time.Now().UTC()}
	cpu := threadCPU()
	if block, err = compute(ctx, b); err != nil {
		return block, fmt.Errorf("%s, block %d: %w", s.label, b, err)
	}
	cost.Seconds, cost.CPUSeconds = time.Since(cost.Started).Seconds(), threadCPU()-cpu
	s.cache.count(0, 1, cost.CPUSeconds)
	if s.cache.spent != nil {
		s.cache.spent(s.label, cost.Seconds, s.head.Blocks)
	}
	if s.cache.store == nil {
		return block, nil
	}
	if err = s.cache.store.PutBlock(s.head.ID, b, s.pack(block), s.cache.where, cost); err != nil && s.cache.rejected != nil {
		s.cache.rejected(err)
	}
	return block, err
}

// stored looks a block up in the store. What is there and cannot be used is told.
func (s *shared[B, P]) stored(b int) (block B, ok bool) {
	if s.cache.store == nil {
		return block, false
	}
	got, _, err := s.cache.store.Block(s.head.ID, b)
	if err == nil && got != nil {
		if block, err = s.unpack(b, got.Arrays); err == nil {
			return block, true
		}
	}
	if err != nil && s.cache.logf != nil {
		s.cache.logf("%s: block %d cannot be used, it is computed again: %v", s.label, b, err)
	}
	return block, false
}

func (c *cache) count(read, computed int, cpuSeconds float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.read += read
	c.computed += computed
	c.cpuSeconds += cpuSeconds
}

// summary says in a line what was computed and read; "" for nothing.
func (c *cache) summary() string {
	if c == nil {
		return ""
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.computed+c.read == 0 {
		return ""
	}
	return fmt.Sprintf("matrices of distances: %s computed in %.1f s of CPU time, %d read from the store\n", plural(c.computed, "block", "blocks"), c.cpuSeconds, c.read)
}
