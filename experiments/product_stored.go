package main

import (
	"context"

	"ogdl/internal/record"
)

// storedProduct is a product of which a store has blocks.
type storedProduct struct {
	head  *record.Product
	kind  *productKind
	part  float64 // of its blocks
	bytes int64
}

// storedProducts lists those of the kinds that this program knows.
func storedProducts(ctx context.Context, store *record.Store) ([]storedProduct, error) {
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
		if err != nil || head == nil || productKinds()[head.Kind] == nil {
			continue
		}
		if there, bytes, err := store.ProductBlocks(id); err == nil && there > 0 {
			out = append(out, storedProduct{head, productKinds()[head.Kind], float64(there) / float64(head.Blocks), bytes})
		}
	}
	return out, nil
}
