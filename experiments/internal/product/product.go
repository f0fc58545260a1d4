// Package product computes results that several cells share, such as matrices of distances and
// dictionaries. All waiting cells compute blocks of a product together. A product is freed after
// its last user.
package product

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"ogdl/experiments/internal/spec"
	"ogdl/internal/guard"
	"ogdl/internal/memo"
	"ogdl/internal/npz"
	"ogdl/internal/record"
	"ogdl/internal/usage"
	"ogdl/internal/words"
)

// Cache computes the products that cells of a run share, block by block, and holds those that cells still need.
// Safe for concurrent use.
type Cache struct {
	Store *record.Store
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

// recipe says how a product is computed: something that several cells need, that
// falls into independent blocks, and that takes longer to compute than to read.
// B is a block, P the finished product.
type recipe[B, P any] struct {
	blocks  int
	compute func(ctx context.Context, block int) (B, error)
	// pack and unpack are the form of a block in the store. unpack rejects unusable blocks.
	pack   func(block B) []npz.Array
	unpack func(block int, arrays []npz.Array) (B, error)
	// finish makes the product from all its blocks, in order.
	finish func(blocks []B) (P, error)
	// solves says how the solves of a product ended; nil for one without solves.
	solves func(P) record.Convergence
}

// shared is one product in the making: every goroutine that waits for it computes blocks of it.
type shared[B, P any] struct {
	*recipe[B, P]
	cache *Cache
	head  *record.Product
	label string // for progress and messages

	mu      sync.Mutex
	blocks  []B
	free    []int // blocks that nobody has or computes, the next one last
	missing int   // blocks that are not there yet
	changed chan struct{}
	done    bool
	out     P
	used    record.Used // names out in the records of its cells
	err     error
}

// newShared starts a product: its head is written, no block is computed yet.
func newShared[B, P any](c *Cache, head *record.Product, label string, r *recipe[B, P]) (*shared[B, P], error) {
	if err := c.putHead(head, label); err != nil {
		return nil, err
	}
	free := make([]int, r.blocks)
	for b := range free {
		free[b] = r.blocks - 1 - b
	}
	return &shared[B, P]{recipe: r, cache: c, head: head, label: label, blocks: make([]B, r.blocks), free: free, missing: r.blocks,
		changed: make(chan struct{})}, nil
}

// putHead stores the product's description, unless it is stored.
func (c *Cache) putHead(p *record.Product, label string) error {
	there, err := c.Store.Product(p.ID)
	if other := (*record.SchemaError)(nil); there != nil || errors.As(err, &other) {
		return nil
	}
	if err != nil && c.Logf != nil {
		c.Logf("%s: its description cannot be used, it is written again: %v", label, err)
	}
	if err = c.Store.PutProduct(p); err != nil && c.Rejected != nil {
		c.Rejected(err)
	}
	return err
}

// get returns the product. Until it is there the caller computes blocks of it, or waits for those
// that others compute. If its context ends it gives its block back and returns; an error or a panic
// in a block is returned to all callers.
func (s *shared[B, P]) get(ctx context.Context) (P, error) {
	var none P
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
			block, err := s.block(ctx, b)
			s.mu.Lock()
			switch {
			case err == nil:
				s.blocks[b] = block
				s.missing--
				if s.cache.Show != nil && s.err == nil {
					s.cache.Show(s.label, len(s.blocks)-s.missing, len(s.blocks))
				}
			case ctx.Err() != nil && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)):
				s.free = append(s.free, b)
			default:
				s.err = err
				if s.cache.Show != nil {
					s.cache.Show(s.label, len(s.blocks), len(s.blocks)) // nobody goes on with it
				}
			}
			close(s.changed)
			s.changed = make(chan struct{})
		}
	}
}

// taken tells whether others compute all blocks that are left.
func (s *shared[B, P]) taken() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.missing > 0 && len(s.free) == 0 && s.err == nil
}

// finished is finish with panics turned into errors. It notes how records name the product.
func (s *shared[B, P]) finished() (p P, err error) {
	defer guard.Caught(&err)
	if p, err = s.finish(s.blocks); err != nil {
		return p, fmt.Errorf("%s: %w", s.label, err)
	}
	s.used = record.Used{ID: s.head.ID, Kind: s.head.Kind}
	if s.solves != nil {
		s.used.Convergence = s.solves(p)
	}
	return p, nil
}

// block reads a block from the store, or computes it and stores it. The calling
// goroutine must be locked to its thread for its CPU time to be known.
func (s *shared[B, P]) block(ctx context.Context, b int) (block B, err error) {
	defer guard.Caught(&err)
	if stored, ok := s.stored(b); ok {
		s.cache.Count(1, 0, 0)
		return stored, nil
	}
	host, _ := os.Hostname() // only informs
	cost := &record.BlockTiming{Host: host, Started: time.Now().UTC()}
	cpu := usage.ThreadCPU()
	if block, err = s.compute(ctx, b); err != nil {
		return block, fmt.Errorf("%s, block %d: %w", s.label, b, err)
	}
	cost.Seconds, cost.CPUSeconds = time.Since(cost.Started).Seconds(), usage.ThreadCPU()-cpu
	s.cache.Count(0, 1, cost.CPUSeconds)
	if s.cache.Spent != nil {
		s.cache.Spent(s.label, cost.Seconds, s.head.Blocks)
	}
	if err = s.cache.Store.PutBlock(s.head.ID, b, s.pack(block), s.cache.Where, cost); err != nil && s.cache.Rejected != nil {
		s.cache.Rejected(err)
	}
	return block, err
}

// stored looks a block up in the store. It reports stored blocks that cannot be used.
func (s *shared[B, P]) stored(b int) (block B, ok bool) {
	got, err := s.cache.Store.Block(s.head.ID, b)
	if err == nil && got != nil {
		if block, err = s.unpack(b, got); err == nil {
			return block, true
		}
	}
	if err != nil && s.cache.Logf != nil {
		s.cache.Logf("%s: block %d cannot be used, it is computed again: %v", s.label, b, err)
	}
	return block, false
}

// Count adds blocks that were read and computed, and their processor seconds, to the summary.
func (c *Cache) Count(read, computed int, cpuSeconds float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.Read += read
	c.Computed += computed
	c.CPUSeconds += cpuSeconds
}

// Summary returns a line on the computed and the read products; "" for none.
func (c *Cache) Summary() string {
	if c == nil {
		return ""
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.Computed+c.Read == 0 {
		return ""
	}
	return fmt.Sprintf("shared products: %s computed in %.1f s of CPU time, %d read from the store\n",
		words.Plural(c.Computed, "block", "blocks"), c.CPUSeconds, c.Read)
}

// Stored is a product with blocks in a store.
type Stored struct {
	Head  *record.Product
	Part  float64 // of its blocks
	Bytes int64
}

// Text returns the text by which cells find the product; see [spec.ProductText]. user is a cell
// whose record uses it, or nil: the text of a product on a simulated set needs one.
func (x Stored) Text(user *spec.Cell) string {
	text := spec.ContentText(x.Head.Content)
	if user != nil {
		for _, p := range user.Products() {
			if p.Kind == x.Head.Kind && spec.ContentText(p.Content) == text {
				return spec.ProductText(user, p)
			}
		}
	}
	return text
}

// StoredProducts returns the stored products of the kinds that this program knows, sorted by id.
func StoredProducts(ctx context.Context, store *record.Store) ([]Stored, error) {
	all, err := store.Products()
	if err != nil {
		return nil, err
	}
	var out []Stored
	for _, x := range all {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		head, err := store.Product(x.ID)
		if blocks := x.Blocks(); err == nil && head != nil && slices.Contains(Kinds, head.Kind) && blocks > 0 {
			out = append(out, Stored{head, float64(blocks) / float64(head.Blocks), x.Bytes})
		}
	}
	return out, nil
}
