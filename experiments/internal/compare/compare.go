// Package compare puts two stores side by side: which rows gave other numbers, and by how much.
package compare

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ogdl/internal/artifact"
	"ogdl/internal/record"
	"ogdl/reports/paper"
	"ogdl/reports/summary"
)

// Level is the chance that a comparison calls some row moved though none is: it is shared out evenly among the rows.
const Level = 0.05

// Outcome is the result of comparing a row of one store with the same row of the other. Outcomes
// are in the order of their severity.
type Outcome int

const (
	Same      Outcome = iota // equal numbers in every cell that both have
	Within                   // another version or setting, and the interval of the difference holds 0
	Unsettled                // no repetition that both have; or another version or setting, and one repetition or no score to compare
	Moved                    // other numbers in the same cell, or an interval that excludes 0
	OnlyA
	OnlyB
)

// String returns the word for the outcome in tables.
func (o Outcome) String() string {
	return [...]string{"same", "within", "undecided", "MOVED", "only in A", "only in B"}[o]
}

// Missing reports whether one side lacks the row.
func (o Outcome) Missing() bool { return o > Moved }

// Row is a method on a data set with one set of parameters: its repetitions in two stores.
type Row struct {
	Dataset, Method string
	Params          summary.Params // without the keys that rows are paired across
	By              [2]string      // values of these keys in A and B; "" on a side that lacks the row
	Version         [2]int         // of the method; 0 on a side that lacks the row
	// Score is compared over the repetitions that succeeded in both stores; "" if there is none.
	Score string
	Scale float64
	Stats [2]paper.Stat
	// Difference is B less A, pair by pair; known for rows of different versions or settings alone.
	Difference  paper.Interval
	Changed     int // cells of one id with other numbers
	Repetitions int // that both sides have, or the only one
	Outcome     Outcome

	cells [2]map[repetition]cell // nil on a side that lacks the row
}

// cell is a record without the parts that only its sum is compared by.
type cell struct {
	*record.Record
	sum [sha256.Size]byte // of all that its numbers say
}

func (c cell) ok() bool { return c.Status == record.OK }

// repetition tells the cells of a row apart.
type repetition struct {
	seed   int64
	number int
}

// configuration tells rows apart.
type configuration struct{ dataset, digest, method, params string }

// Side holds the records of one store that a comparison reads.
type Side struct {
	records []cell
	// Unreadable are the errors of records that cannot be used; they take no part.
	Unreadable []error
}

// Read reads the records of a store. The newest version of a method counts where a store has several. A store without records is an
// error: it is mostly a folder of another name.
func Read(store *record.Store) (*Side, error) {
	s := &Side{}
	for r, err := range store.All() {
		if err != nil {
			s.Unreadable = append(s.Unreadable, err)
			continue
		}
		s.Add(r)
	}
	if s.Len() == 0 {
		return nil, errors.Join(append([]error{fmt.Errorf("%s holds no record; name a folder that a run has had as -out", store.Dir())},
			s.Unreadable...)...)
	}
	return s, nil
}

// Len is the number of records that take part.
func (s *Side) Len() int { return len(s.records) }

// Add adds a record without the parts that the comparison does not need.
func (s *Side) Add(r *record.Record) {
	c := cell{r, Numbers(r)}
	r.Assignment, r.EpochLoss, r.Notes, r.Products, r.Stack = nil, nil, nil, nil, ""
	if n := len(s.records); n > 0 {
		r.Share(s.records[n-1].Record)
	}
	s.records = append(s.records, c)
}

// Numbers are equal for records of equal numbers: status, scores, clusters, losses, how the solves ended, and on which data.
func Numbers(r *record.Record) [sha256.Size]byte {
	return sha256.Sum256(record.Canonical([]any{r.Status, r.Scores, r.Assignment, r.EpochLoss, r.Convergence, r.Digest}))
}

// names has the parameters of each method in this store, true for those that tell its configurations apart.
func (s *Side) names() map[string]map[string]bool {
	names, first := map[string]map[string]bool{}, map[string]summary.Params{}
	for _, r := range s.records {
		if names[r.Method] == nil {
			names[r.Method], first[r.Method] = map[string]bool{}, r.Params
		}
		for name, v := range r.Params {
			w, there := first[r.Method][name]
			names[r.Method][name] = names[r.Method][name] || !there || summary.CompareAny(v, w) != 0
		}
	}
	return names
}

// enter puts the records into side i of their rows. It ignores a parameter that only this side has,
// always with one value: such a default was added or removed later. It ignores the keys of by too;
// two values of such a key in one row are an error.
func (s *Side) enter(rows map[configuration]*Row, i int, other *Side, by []string) error {
	own, known := s.names(), other.names()
	for _, r := range s.records {
		params := maps.Clone(summary.Params(r.Params))
		maps.DeleteFunc(params, func(name string, _ any) bool {
			_, shared := known[r.Method][name]
			return slices.Contains(by, name) || known[r.Method] != nil && !shared && !own[r.Method][name]
		})
		var values []string
		for _, name := range by {
			values = append(values, summary.Params(r.Params).At(name).Text())
		}
		key, across := configuration{r.Dataset, r.Digest, r.Method, params.Key()}, strings.Join(values, ", ")
		x := rows[key]
		if x == nil {
			x = &Row{Dataset: r.Dataset, Method: r.Method, Params: params}
			rows[key] = x
		}
		if x.cells[i] == nil || x.Version[i] < r.MethodVersion {
			x.By[i], x.Version[i], x.cells[i] = across, r.MethodVersion, map[repetition]cell{}
		}
		if x.Version[i] == r.MethodVersion {
			if x.By[i] != across {
				return fmt.Errorf("in %c: %s %s has both %q and %q as %s; rows are paired across one value in each folder", 'A'+i,
					r.Dataset, r.Method, min(x.By[i], across), max(x.By[i], across), strings.Join(by, ", "))
			}
			x.cells[i][repetition{r.BaseSeed, r.Repetition}] = r
		}
	}
	return nil
}

// Of compares two stores row by row, in the order of data sets, methods and parameters. Rows are pairs that are equal in all parameters
// but the keys of by. A key that no record has is an error, and so are several values of the keys in one row of a store.
func Of(a, b *Side, by ...string) ([]*Row, error) {
	for _, name := range by {
		has := func(r cell) bool { return r.Params[name] != nil }
		if !slices.ContainsFunc(a.records, has) && !slices.ContainsFunc(b.records, has) {
			return nil, fmt.Errorf("no record has a parameter %q", name)
		}
	}
	rows := map[configuration]*Row{}
	if err := cmp.Or(a.enter(rows, 0, b, by), b.enter(rows, 1, a, by)); err != nil {
		return nil, err
	}
	out := slices.Collect(maps.Values(rows))
	both := len(summary.Pick(out, func(r *Row) bool { return r.cells[0] != nil && r.cells[1] != nil }))
	for _, r := range out {
		r.compare(both)
	}
	slices.SortFunc(out, func(a, b *Row) int {
		return cmp.Or(cmp.Compare(a.Dataset, b.Dataset), cmp.Compare(a.Method, b.Method), summary.CompareParams(a.Params, b.Params),
			cmp.Compare(a.Outcome, b.Outcome))
	})
	return out, nil
}

// compare compares the cells of A and B. rows is the number of rows that share the level.
func (r *Row) compare(rows int) {
	var cells [2][]cell
	for i, other := range [2]int{1, 0} {
		if r.cells[other] == nil {
			r.Outcome, r.Repetitions = OnlyA+Outcome(i), len(r.cells[i]) // OnlyB follows OnlyA
			cells[i] = slices.DeleteFunc(slices.Collect(maps.Values(r.cells[i])), func(c cell) bool { return !c.ok() })
			r.sum(cells)
			return
		}
	}
	otherwise, failed := false, false // some cells have another id; one side alone has a result
	for at, c := range r.cells[0] {
		d, there := r.cells[1][at]
		if !there {
			continue
		}
		r.Repetitions++
		switch {
		case c.ID != d.ID:
			otherwise = true
			failed = failed || c.ok() != d.ok()
		case c.sum != d.sum:
			r.Changed++
		}
		if c.ok() && d.ok() {
			cells[0], cells[1] = append(cells[0], c), append(cells[1], d)
		}
	}
	r.sum(cells)
	switch {
	case r.Changed > 0 || failed:
		r.Outcome = Moved
	case r.Repetitions == 0:
		r.Outcome = Unsettled
	case otherwise:
		r.judge(cells, 1-Level/float64(max(rows, 1)))
	}
}

// sum finds the score that rows are compared by, the first that all these cells have, and sums it up on each side.
func (r *Row) sum(sides [2][]cell) {
	all := slices.Concat(sides[:]...)
	for _, score := range []string{artifact.RI, artifact.Accuracy, artifact.Objective} {
		if len(all) > 0 && !slices.ContainsFunc(all, func(c cell) bool { _, has := c.Scores[score]; return !has }) {
			r.Score, r.Scale = score, 100 // percent
			if score == artifact.Objective {
				r.Scale = 1
			}
			break
		}
	}
	for i, cells := range sides {
		var values []float64
		for _, c := range cells {
			if v, has := c.Scores[r.Score]; has {
				values = append(values, r.Scale*v)
			}
		}
		slices.Sort(values) // cells come in no order, and the last bit of a sum depends on it
		r.Stats[i] = paper.StatOf(values)
	}
}

// judge settles a row of two versions or settings by the interval of the paired differences. Accuracies are of splits, which share graphs; the same
// splits under another base seed are no more of them.
func (r *Row) judge(cells [2][]cell, confidence float64) {
	var differences []float64
	splits := map[int]bool{}
	for i, before := range cells[0] {
		splits[before.Repetition] = true
		differences = append(differences, r.Scale*(cells[1][i].Scores[r.Score]-before.Scores[r.Score]))
	}
	slices.Sort(differences)
	sampling, sample := paper.Sampling{}, paper.StatOf(differences)
	if r.Score == artifact.Accuracy {
		sampling, sample.N = summary.Accuracy(paper.Numbers()).Sampling(r.Dataset), len(splits)
	}
	if r.Score != "" {
		r.Difference = sampling.Paired(sample, confidence)
	}
	switch d := r.Difference; {
	case !d.Known:
		r.Outcome = Unsettled
	case d.Low > 0 || d.High < 0:
		r.Outcome = Moved
	case d.Low < 0 || d.High > 0:
		r.Outcome = Within
	}
}
