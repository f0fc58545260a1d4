package main

import (
	"cmp"
	"context"
	"maps"
	"math"
	"runtime"
	"slices"

	"ogdl/internal/record"

	"golang.org/x/sync/errgroup"
)

// knowledge is what a store tells about cells: which are done, and what those like them
// took. It comes from records, timings and the names of files; no data and no arrays are
// read.
type knowledge struct {
	states         map[string]state
	seconds, bytes scales // of cells
	// of matrices of distances
	productSeconds, productBytes scales
	products                     map[string]float64 // the part that is there, by productText
	productTimings               int                // matrices with timings
}

func compareKinds(a, b kindKey) int {
	return cmp.Or(cmp.Compare(a.method, b.method), cmp.Compare(a.dataset, b.dataset))
}

// scales compare what was measured with what was estimated, by kind.
type scales struct {
	half  float64 // the measured amount from which a kind has half a vote on others
	kinds map[kindKey]*scale
}

// What a store has measured tells the more about kinds that it has not measured, the more of it there is: a handful of
// toy cells tells nothing.
const (
	halfSeconds = 600
	halfBytes   = 10e6
)

// scale holds the measurements of one kind.
type scale struct {
	actual, model float64
	ratios        []float64
}

func (s *scale) ratio() float64 { return s.actual / s.model }

func (s *scales) add(k kindKey, actual, model float64) {
	if s.kinds == nil {
		s.kinds = map[kindKey]*scale{}
	}
	if s.kinds[k] == nil {
		s.kinds[k] = &scale{}
	}
	x := s.kinds[k]
	x.actual += actual
	x.model += model
	x.ratios = append(x.ratios, actual/model)
}

// Where the factor of an estimate comes from.
const (
	fromKind      = iota // cells of the same method and data set
	fromMethod           // of the same method, on other data
	fromElsewhere        // other methods, or nothing at all
)

// basis is the factor that turns the model's estimate into an expectation, and what it
// rests on.
type basis struct {
	ratio float64
	from  int
	n     int // measurements
	// low and high are the 10th and 90th percentiles of measured over expected, of the kind's own.
	low, high float64
}

// enough is the number of measurements that a calibration asks of a kind.
const enough = 3

// basis returns the factor of a kind. Within a kind it is total over total, which predicts totals without bias, from the
// first measurement on. For a kind without measurements the others of its method vote, beside one vote for the factor that all
// kinds come to beside one vote for the model as it is: the factor is the geometric mean. A kind that was measured
// for long has one vote, one that was hardly measured next to none.
func (s *scales) basis(k kindKey) basis {
	if x := s.kinds[k]; x != nil {
		r := x.ratio()
		return basis{ratio: r, from: fromKind, n: len(x.ratios), low: quantile(x.ratios, 0.1) / r, high: quantile(x.ratios, 0.9) / r}
	}
	all, method := election{votes: 1}, election{}
	for _, other := range slices.SortedFunc(maps.Keys(s.kinds), compareKinds) {
		x := s.kinds[other]
		vote := x.actual / (x.actual + s.half)
		all.add(vote, x)
		if other.method == k.method {
			method.add(vote, x)
		}
	}
	if method.n == 0 {
		return basis{ratio: math.Exp(all.mean()), from: fromElsewhere, n: all.n}
	}
	method.votes++
	method.sum += all.mean()
	return basis{ratio: math.Exp(method.mean()), from: fromMethod, n: method.n}
}

// election sums up logarithms of ratios by their votes, and counts the measurements behind them.
type election struct {
	sum, votes float64
	n          int
}

func (e *election) add(vote float64, x *scale) {
	e.sum += float64(vote * math.Log(x.ratio()))
	e.votes += vote
	e.n += len(x.ratios)
}

func (e *election) mean() float64 { return e.sum / e.votes }

// speaks tells whether a kind has enough measurements of its own.
func (s *scales) speaks(k kindKey) bool { return s.kinds[k] != nil && len(s.kinds[k].ratios) >= enough }

// quantile returns the q-quantile of the values, the nearest of them.
func quantile(values []float64, q float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[int(float64(q*float64(len(sorted)-1))+0.5)]
}

// learn reads what a store knows about these cells and others like them.
func learn(ctx context.Context, cells []*cell, store *record.Store, ms []method) (*knowledge, error) {
	k := &knowledge{states: map[string]state{}, products: map[string]float64{},
		seconds: scales{half: halfSeconds}, bytes: scales{half: halfBytes}, productSeconds: scales{half: halfSeconds}, productBytes: scales{half: halfBytes}}
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
		products       []string // ids
	}
	found := make([]finding, len(ids))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for part := range slices.Chunk(indices(len(ids)), 64) {
		g.Go(func() error {
			for _, i := range part {
				if err := ctx.Err(); err != nil {
					return err
				}
				r, _, err := store.Head(ids[i])
				if err != nil || r == nil {
					continue // what cannot be used, or has gone since, is pending
				}
				f := &found[i]
				if f.cell = mine[ids[i]]; f.cell != nil {
					f.state = stateOf(store, f.cell, r)
				} else {
					f.cell = likeRecord(r, ms)
				}
				if r.Status != record.OK {
					continue
				}
				f.bytes = float64(store.Bytes(r))
				for _, u := range r.Products {
					f.products = append(f.products, u.ID)
				}
				if t, _, err := store.Timing(r.ID); err == nil && t != nil {
					if f.seconds = t.CPUSeconds; f.seconds <= 0 {
						f.seconds = t.Seconds
					}
				}
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	users := map[string]*cell{} // one cell of each matrix
	for i, f := range found {
		if f.cell == nil {
			continue
		}
		for _, id := range f.products {
			users[id] = f.cell
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
	return &cell{method: &ms[i], dataset: r.Dataset, params: stored(&ms[i], r.Params), seed: r.BaseSeed, repetition: r.Repetition}
}

// stored gives the parameters of a record their types back.
func stored(m *method, params map[string]any) values {
	v := values{}
	for _, q := range m.parameters() {
		x, ok := params[q.name]
		if !ok {
			continue
		}
		if f, isNumber := x.(float64); isNumber && q.kind == integer {
			x = int64(f)
		}
		v[q.name] = x
	}
	return v
}

// learnProducts reads which products are there and what they took, each once however many
// methods use it. users has a cell of each product that a record rests on.
func (k *knowledge) learnProducts(ctx context.Context, store *record.Store, users map[string]*cell) error {
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
			k.productSeconds.add(at, seconds*float64(x.head.Blocks)/float64(timed), kind.cost(x.head.Content, s))
		}
		k.productBytes.add(at, float64(x.bytes)/x.part, kind.disk(x.head.Content, s))
	}
	return err
}
