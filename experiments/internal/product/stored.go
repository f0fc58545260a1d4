package product

import (
	"context"
	"slices"

	"ogdl/experiments/internal/spec"
	"ogdl/internal/record"
)

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
