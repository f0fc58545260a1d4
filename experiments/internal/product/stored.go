package product

import (
	"context"
	"slices"

	"ogdl/internal/record"
)

// storedProduct is a product of which a store has blocks.
type storedProduct struct {
	Head  *record.Product
	Part  float64 // of its blocks
	Bytes int64
}

// StoredProducts lists those of the kinds that this program knows, by id.
func StoredProducts(ctx context.Context, store *record.Store) ([]storedProduct, error) {
	all, err := store.Products()
	if err != nil {
		return nil, err
	}
	var out []storedProduct
	for _, x := range all {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		head, err := store.Product(x.ID)
		if blocks := x.Blocks(); err == nil && head != nil && slices.Contains(Kinds, head.Kind) && blocks > 0 {
			out = append(out, storedProduct{head, float64(blocks) / float64(head.Blocks), x.Bytes})
		}
	}
	return out, nil
}
