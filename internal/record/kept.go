package record

import (
	"slices"
	"strconv"
)

// Kept has the data that a ledger stores for a cell instead of labels and arrays. Tables use it.
type Kept struct {
	NPZ   string      // the first 12 digits of [Record.NPZSum]; "" without arrays
	Sizes []int       // numbers of graphs in the clusters that are not empty, from the largest on; nil: not clustered
	Agree []Agreement // with the clusterings of other repetitions, as far as compared; each pair is listed at one of the two
}

// ARI is an adjusted Rand Index with the five decimals that a ledger keeps, and Gap a duality gap with its two digits. Tables have no others, so that
// they are the same from a store and from a ledger.
func ARI(x float64) float64 { return Rounded(x, 'f', 5) }

// Gap is a duality gap with the digits of a ledger: see [ARI].
func Gap(x float64) float64 { return Rounded(x, 'e', 1) }

// Rounded returns x rounded to the digits of its text in the given format.
func Rounded(x float64, format byte, digits int) float64 {
	y, _ := strconv.ParseFloat(strconv.FormatFloat(x, format, digits, 64), 64) // texts of FormatFloat always parse
	return y + 0
}

// Agreement is the adjusted Rand Index between the clusterings of two cells.
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

// Ledger is an archive of records without labels, losses and arrays; see [Record.Kept].
type Ledger interface {
	// Find returns the record of an id and its timing, nil if there is none. Parameters, scores and
	// lists are shared: they must not be changed.
	Find(id string) (*Record, *Timing)
	// Timing returns the timing of an id, nil if there is none.
	Timing(id string) *Timing
	// IDs returns the ids of the cells, sorted.
	IDs() []string
	// ProductSeconds is the processor time that a product took; 0 where it is not known.
	ProductSeconds(id string) float64
}

// Consult sets a fallback: [Store.Head], [Store.Get] and [Store.Timing] answer from the ledger for
// cells without a result in the store. Arrays are not available.
func (s *Store) Consult(l Ledger) { s.ledger = l }

// orKept returns the store's result, or the ledger's record if the store has no result. It adds the
// ledger's Kept to a result of the store.
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
