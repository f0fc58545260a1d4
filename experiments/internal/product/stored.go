package product

import (
	"context"
	"maps"
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
	files, err := store.Products()
	if err != nil {
		return nil, err
	}
	var out []storedProduct
	for _, id := range slices.Sorted(maps.Keys(files)) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		head, _, err := store.Product(id)
		if there := files[id]; err == nil && head != nil && slices.Contains(Kinds, head.Kind) && there.Blocks > 0 {
			out = append(out, storedProduct{head, float64(there.Blocks) / float64(head.Blocks), there.Bytes})
		}
	}
	return out, nil
}
