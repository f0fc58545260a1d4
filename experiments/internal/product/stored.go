package product

import (
	"context"

	"ogdl/experiments/internal/spec"
	"ogdl/internal/record"
)

// storedProduct is a product of which a store has blocks.
type storedProduct struct {
	Head  *record.Product
	Kind  *spec.ProductKind
	Part  float64 // of its blocks
	Bytes int64
}

// StoredProducts lists those of the kinds that this program knows,
func StoredProducts(ctx context.Context, store *record.Store) ([]storedProduct, error) {
	ids, err := store.Products()
	if err != nil {
		return nil, err
	}
	var out []storedProduct
	for _, id := range ids {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		head, _, err := store.Product(id)
		if err != nil || head == nil || Kinds[head.Kind] == nil {
			continue
		}
		if there, bytes, err := store.ProductBlocks(id); err == nil && there > 0 {
			out = append(out, storedProduct{head, Kinds[head.Kind], float64(there) / float64(head.Blocks), bytes})
		}
	}
	return out, nil
}
