package record

import (
	"slices"
	"strconv"
)

// Kept is what a ledger has of a cell in the place of its labels and arrays: it stands for them in tables.
type Kept struct {
	NPZ   string      // the first 12 digits of [Record.NPZSum]; "" without arrays
	Sizes []int       // numbers of graphs in the clusters, from the largest on, those without any left out; nil: not clustered
	Agree []Agreement // with the clusterings of other repetitions, as far as they were compared: each pair stands at one of the two
}

// ARI is an adjusted Rand Index with the five decimals that a ledger keeps, and Gap a duality gap with its two digits. Tables have no others, so that
// they are the same from a store and from a ledger.
func ARI(x float64) float64 { return Rounded(x, 'f', 5) }

// Gap is a duality gap with the digits of a ledger: see [ARI].
func Gap(x float64) float64 { return Rounded(x, 'e', 1) }

// Rounded is the number that a text with so many digits says.
func Rounded(x float64, format byte, digits int) float64 {
	y, _ := strconv.ParseFloat(strconv.FormatFloat(x, format, digits, 64), 64) // what FormatFloat writes parses
	return y + 0
}

// Agreement is the adjusted Rand Index between the clustering of a cell and that of another.
type Agreement struct {
	ID    string // of the other
	Index float64
}

// With is the agreement with another cell; false where they were not compared there.
func (k *Kept) With(id string) (float64, bool) {
	if k != nil {
		for _, a := range k.Agree {
			if a.ID == id {
				return a.Index, true
			}
		}
	}
	return 0, false
}

// Ledger remembers records whose files are elsewhere, or nowhere any more: without labels, losses and arrays, which [Record.Kept] stands for.
type Ledger interface {
	// Find returns the record of an id and its timing, nil if there is none. Parameters, scores and
	// lists are shared: they must not be changed.
	Find(id string) (*Record, *Timing)
	// IDs are those of the cells, sorted.
	IDs() []string
	// ProductSeconds is the processor time that a product took; 0 where it is not known.
	ProductSeconds(id string) float64
}

// Consult lets the store answer from a ledger for the cells of which it has no result itself: as [Store.Head], [Store.Get]
// and [Store.Timing] tell it they are there. Their arrays are not.
func (s *Store) Consult(l Ledger) { s.ledger = l }

// orKept is what the store says of a record, or else the ledger. A result of the store's own has with it what the ledger keeps: agreements with
// cells whose labels are gone.
func (s *Store) orKept(id string, r *Record, err error) (*Record, error) {
	if s.ledger == nil || err != nil {
		return r, err
	}
	kept, _ := s.ledger.Find(id)
	switch {
	case kept == nil:
	case r != nil && r.Status == OK:
		r.Kept = kept.Kept
	default:
		return kept, nil
	}
	return r, nil
}

// Known returns the ids of all record files and of the cells that the ledger answers for, sorted, without opening any.
func (s *Store) Known() ([]string, error) {
	ids, err := s.List()
	if s.ledger != nil {
		ids = append(ids, s.ledger.IDs()...)
		slices.Sort(ids)
		ids = slices.Compact(ids)
	}
	return ids, err
}

// KeptSeconds is the processor time that a product took, as a ledger knows it; 0 where none does.
func (s *Store) KeptSeconds(product string) float64 {
	if s.ledger == nil {
		return 0
	}
	return s.ledger.ProductSeconds(product)
}
