package main

import (
	"context"
	"runtime"
	"slices"

	"ogdl/internal/parallel"
	"ogdl/internal/record"
)

// knowledge is what a store tells about cells: which are done, and what those like them
// took. It comes from records, timings and the names of files; no data and no arrays are
// read.
type knowledge struct {
	states         map[string]state
	seconds, bytes scales             // of cells, and of products
	products       map[string]float64 // the part that is there, by productText
	productTimings int                // products with timings
}

// What a store has measured tells the more about kinds that it has not measured, the more of it there is: a handful of
// toy cells tells nothing.
const (
	halfSeconds = 600
	halfBytes   = 10e6
)

// learn reads what a store knows about these cells and others like them.
func learn(ctx context.Context, cells []*cell, store *record.Store, ms []method) (*knowledge, error) {
	k := &knowledge{states: map[string]state{}, seconds: scales{half: halfSeconds}, bytes: scales{half: halfBytes}}
	ids, err := store.List()
	if err != nil {
		return nil, err
	}
	mine := make(map[string]*cell, len(cells))
	for _, c := range cells {
		mine[c.id] = c
	}
	type finding struct {
		cell           *cell // nil: not comparable
		state          state
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
			f.state = stateOf(store, f.cell, r)
		} else {
			f.cell = likeRecord(r, ms)
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
	users := map[string]*cell{} // one cell of each product
	for i, f := range found {
		if f.cell == nil {
			continue
		}
		for _, u := range f.products {
			users[u.ID] = f.cell
		}
		if f.state != "" {
			k.states[ids[i]] = f.state
		}
		if f.seconds > 0 {
			k.seconds.add(f.cell.kind(), f.seconds, f.cell.cost())
		}
		if f.bytes > 0 {
			k.bytes.add(f.cell.kind(), f.bytes, f.cell.disk())
		}
	}
	return k, k.learnProducts(ctx, store, users)
}

// likeRecord makes a cell of a record, for its estimate; nil if its method is not
// that of today, or the sizes of its data are not known.
func likeRecord(r *record.Record, ms []method) *cell {
	i := slices.IndexFunc(ms, func(m method) bool { return m.name == r.Method && m.version == r.MethodVersion })
	if _, known := sizes[r.Dataset]; i < 0 || !known && !isSimulated(r.Dataset) {
		return nil
	}
	params := values{}
	for _, q := range ms[i].parameters() {
		if x, ok := r.Params[q.name]; ok {
			params[q.name] = q.restored(x)
		}
	}
	return &cell{method: &ms[i], dataset: r.Dataset, params: params, seed: r.BaseSeed, repetition: r.Repetition}
}

// learnProducts reads which products are there and what they took, each once however many
// methods use it. users has a cell of each product that a record rests on.
func (k *knowledge) learnProducts(ctx context.Context, store *record.Store, users map[string]*cell) error {
	k.products = map[string]float64{}
	stored, err := storedProducts(ctx, store)
	for _, x := range stored {
		user, kind := users[x.head.ID], x.kind
		key := contentText(x.head.Content)
		dataset, _ := x.head.Content["dataset"].(string)
		s, known := sizes[dataset]
		if user != nil {
			dataset, s, known = user.dataset, user.size(), true
			if i := slices.IndexFunc(user.products(), func(p product) bool { return p.Kind() == kind }); i >= 0 {
				key = productText(user, user.products()[i])
			}
		}
		k.products[key] = max(k.products[key], x.part)
		if !known {
			continue
		}
		at := kindKey{kind.name, dataset}
		if _, seconds, timed := store.ProductCost(x.head); timed > 0 {
			k.productTimings++
			k.seconds.add(at, seconds*float64(x.head.Blocks)/float64(timed), kind.cost(x.head.Content, s))
		}
		k.bytes.add(at, float64(x.bytes)/x.part, kind.disk(x.head.Content, s))
	}
	return err
}
