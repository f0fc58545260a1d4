package plan

import (
	"cmp"
	"context"
	"runtime"
	"slices"

	"ogdl/experiments/internal/cost"
	"ogdl/experiments/internal/product"
	"ogdl/experiments/internal/run"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/parallel"
	"ogdl/internal/record"
)

// knowledge is what a store tells about cells: which are done, and what those like them
// took. It comes from records, timings and the names of files; no data and no arrays are
// read.
type knowledge struct {
	States         map[string]run.State
	seconds, bytes cost.Scales        // of cells, and of products
	products       map[string]float64 // the part that is there, by ProductText
	productTimings int                // products with timings
}

// What a store has measured tells the more about kinds that it has not measured, the more of it there is: a handful of
// toy cells tells nothing.
const (
	halfSeconds = 600
	halfBytes   = 10e6
)

// Learn reads what a store knows about these cells and others like them.
func Learn(ctx context.Context, cells []*spec.Cell, store *record.Store, ms []spec.Method) (*knowledge, error) {
	k := &knowledge{States: map[string]run.State{}, seconds: cost.Scales{Half: halfSeconds}, bytes: cost.Scales{Half: halfBytes}}
	ids, err := store.Known()
	if err != nil {
		return nil, err
	}
	mine := make(map[string]*spec.Cell, len(cells))
	for _, c := range cells {
		mine[c.ID] = c
	}
	type finding struct {
		cell           *spec.Cell // nil: not comparable
		state          run.State
		seconds, bytes float64
		products       []record.Used
	}
	found := make([]finding, len(ids))
	if err := parallel.Each(runtime.GOMAXPROCS(0), len(ids), func(_, i int) error {
		r, _, err := store.Head(ids[i])
		if err != nil || r == nil {
			return ctx.Err() // what cannot be used, or has gone since, is pending
		}
		f := &found[i]
		if f.cell = mine[ids[i]]; f.cell != nil {
			f.state = run.StateOf(store, f.cell, r)
		} else {
			f.cell = spec.Stored(ms, r.Method, r.MethodVersion, r.Dataset, r.Params, false)
			if f.cell != nil {
				f.cell.Seed, f.cell.Repetition = r.BaseSeed, r.Repetition
			}
		}
		if r.Status != record.OK {
			return ctx.Err()
		}
		f.bytes, f.products = float64(store.Bytes(r)), r.Products
		if t, _, err := store.Timing(r.ID); err == nil && t != nil {
			if f.seconds = t.CPUSeconds; f.seconds <= 0 {
				f.seconds = t.Seconds
			}
		}
		return ctx.Err()
	}); err != nil {
		return nil, err
	}
	users := map[string]*spec.Cell{} // one cell of each product
	// What the cells themselves took says more than others of their kind, which may run a tenth of the steps.
	own := cost.Scales{}
	for i, f := range found {
		if f.cell == nil {
			continue
		}
		for _, u := range f.products {
			users[u.ID] = f.cell
		}
		if f.state != "" {
			k.States[ids[i]] = f.state
		}
		k.seconds.Add(f.cell.Kind(), f.seconds, f.cell.Cost())
		if f.state != "" {
			own.Add(f.cell.Kind(), f.seconds, f.cell.Cost())
		}
		if f.bytes > 0 { // a ledger's cells have no files
			k.bytes.Add(f.cell.Kind(), f.bytes, f.cell.Disk())
		}
	}
	k.seconds.Prefer(&own)
	return k, k.learnProducts(ctx, store, ms, users)
}

// learnProducts reads which products are there and what they took, each once however many
// methods use it. users has a cell of each product that a record rests on.
func (k *knowledge) learnProducts(ctx context.Context, store *record.Store, ms []spec.Method, users map[string]*spec.Cell) error {
	k.products = map[string]float64{}
	stored, err := product.StoredProducts(ctx, store, ms)
	for _, x := range stored {
		user, kind := users[x.Head.ID], x.Kind
		key := spec.ContentText(x.Head.Content)
		dataset, _ := x.Head.Content["dataset"].(string)
		s, known := spec.Sizes[dataset]
		if user != nil {
			dataset, s, known = user.Dataset, user.Size(), true
			if i := slices.IndexFunc(user.Products(), func(p spec.Product) bool { return p.Kind().Name == kind.Name }); i >= 0 {
				key = spec.ProductText(user, user.Products()[i])
			}
		}
		k.products[key] = max(k.products[key], x.Part)
		if !known {
			continue
		}
		at := spec.KindKey{Method: kind.Name, Dataset: dataset}
		if wall, cpu, timed := store.ProductCost(x.Head); timed > 0 {
			k.productTimings++
			k.seconds.Add(at, cmp.Or(cpu, wall)*float64(x.Head.Blocks)/float64(timed), kind.Cost(x.Head.Content, s))
		}
		k.bytes.Add(at, float64(x.Bytes)/x.Part, kind.Disk(x.Head.Content, s))
	}
	return err
}
