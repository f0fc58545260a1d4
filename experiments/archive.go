package main

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"ogdl/internal/record"
)

// reader is what reports, lists and plans ask of a store.
type reader interface {
	Dir() string
	List() ([]string, error)
	Head(id string) (*record.Record, record.State, error)
	Trusted(id string) (*record.Record, record.State, error)
	NPZ(id string) ([]byte, error)
	Timing(id string) (*record.Timing, record.State, error)
	Bytes(r *record.Record) int64
	Products() ([]string, error)
	Product(id string) (*record.Product, record.State, error)
	ProductBlocks(id string) (blocks int, bytes int64, err error)
	ProductCost(p *record.Product) (seconds, cpuSeconds float64, timed int)
	BlockTiming(id string, block int) (*record.BlockTiming, record.State, error)
}

// archive reads several stores as one: of a cell the first store that has its result, else
// the first that has a record of it. Safe for concurrent use. Nothing is written.
type archive struct {
	stores []*record.Store

	mu    sync.Mutex
	homes map[string]*record.Store // of the cells that were looked up
}

// readers are a store and those below other folders, as one. verify makes all of them read all arrays anew
// when they are asked for what can be trusted.
func readers(store *record.Store, others []string, verify bool) (reader, error) {
	a := &archive{stores: []*record.Store{store}, homes: map[string]*record.Store{}}
	for _, d := range others {
		s, err := record.Open(d)
		if err != nil {
			return nil, err
		}
		if ids, err := s.List(); err != nil || len(ids) == 0 {
			return nil, errors.Join(err, fmt.Errorf("-also %s: no records there; it must be a folder that a run has had as -out", d))
		}
		a.stores = append(a.stores, s)
	}
	for _, s := range a.stores {
		if verify {
			s.ForgetVerified()
		}
	}
	if len(a.stores) == 1 {
		return a.stores[0], nil
	}
	return a, nil
}

// home is the store that speaks for a cell.
func (a *archive) home(id string) *record.Store {
	a.mu.Lock()
	defer a.mu.Unlock()
	if s := a.homes[id]; s != nil {
		return s
	}
	var whole, troubled *record.Store
	for _, s := range a.stores {
		r, state, err := s.Head(id)
		switch {
		case r != nil && r.Status == record.OK:
			a.homes[id] = s
			return s
		case r != nil && whole == nil:
			whole = s
		case state != record.Missing && err != nil && troubled == nil:
			troubled = s
		}
	}
	for _, s := range []*record.Store{whole, troubled, a.stores[0]} {
		if s != nil {
			a.homes[id] = s
			break
		}
	}
	return a.homes[id]
}

func (a *archive) Dir() string { return a.stores[0].Dir() }

func (a *archive) Head(id string) (*record.Record, record.State, error) { return a.home(id).Head(id) }

func (a *archive) Trusted(id string) (*record.Record, record.State, error) {
	return a.home(id).Trusted(id)
}

func (a *archive) NPZ(id string) ([]byte, error) { return a.home(id).NPZ(id) }

func (a *archive) Timing(id string) (*record.Timing, record.State, error) {
	return a.home(id).Timing(id)
}

func (a *archive) Bytes(r *record.Record) int64 { return a.home(r.ID).Bytes(r) }

func (a *archive) List() ([]string, error) {
	return a.union(func(s *record.Store) ([]string, error) { return s.List() })
}

func (a *archive) Products() ([]string, error) {
	return a.union(func(s *record.Store) ([]string, error) { return s.Products() })
}

// union merges the stores' lists.
func (a *archive) union(list func(*record.Store) ([]string, error)) ([]string, error) {
	var all []string
	var errs []error
	for _, s := range a.stores {
		ids, err := list(s)
		all = append(all, ids...)
		errs = append(errs, err)
	}
	slices.Sort(all)
	return slices.Compact(all), errors.Join(errs...)
}

func (a *archive) Product(id string) (p *record.Product, state record.State, err error) {
	for _, s := range a.stores {
		if p, state, err = s.Product(id); p != nil {
			break
		}
	}
	return p, state, err
}

// ProductBlocks is of the store that holds most of the product.
func (a *archive) ProductBlocks(id string) (blocks int, bytes int64, err error) {
	for _, s := range a.stores {
		n, size, failed := s.ProductBlocks(id)
		if n > blocks {
			blocks, bytes = n, size
		}
		err = errors.Join(err, failed)
	}
	return blocks, bytes, err
}

func (a *archive) BlockTiming(id string, block int) (t *record.BlockTiming, state record.State, err error) {
	for _, s := range a.stores {
		if t, state, err = s.BlockTiming(id, block); t != nil {
			break
		}
	}
	return t, state, err
}

// ProductCost is of the store that has most of the timings.
func (a *archive) ProductCost(p *record.Product) (seconds, cpuSeconds float64, timed int) {
	for _, s := range a.stores {
		if w, c, n := s.ProductCost(p); n > timed {
			seconds, cpuSeconds, timed = w, c, n
		}
	}
	return seconds, cpuSeconds, timed
}
