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

// Outcome is the result of comparing a row of one store with the same row of the other.
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

// Outcomes returns all outcomes, in the order of their severity.
func Outcomes() []Outcome { return []Outcome{Same, Within, Unsettled, Moved, OnlyA, OnlyB} }

// Missing reports whether one side lacks the row.
func (o Outcome) Missing() bool { return o > Moved }

// Row is a method on a data set with one set of parameters: its repetitions in two stores.
type Row struct {
	Dataset, Method    string
	Params             summary.Params // without the keys that rows are paired across
	By                 [2]string      // values of these keys in A and B; "" on a side that lacks the row
	VersionA, VersionB int            // of the method; 0 on a side that lacks the row
	// Score is compared over the repetitions that succeeded in both stores; "" if no score can be
	// compared.
	Score string
	Scale float64
	A, B  paper.Stat
	// Difference is B less A, pair by pair; known for rows of different versions or settings alone.
	Difference  paper.Interval
	Changed     int // cells of one id with other numbers
	Repetitions int // that both sides have, or the only one
	Outcome     Outcome
}

// cell has the parts of a record that are compared.
type cell struct {
	id     string
	number int // of the repetition
	ok     bool
	scores map[string]float64
	sum    [sha256.Size]byte // of all that its numbers say
}

// repetition tells the cells of a row apart.
type repetition struct {
	seed   int64
	number int
}

// configuration tells rows apart.
type configuration struct{ dataset, digest, method, params string }

// group is a row of one store.
type group struct {
	params  summary.Params
	by      string // values of the keys that rows are paired across
	version int
	cells   map[repetition]cell
}

// Side holds the records of one store that a comparison reads.
type Side struct {
	records []*record.Record // without what sum says of them
	sums    [][sha256.Size]byte
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
	s.sums = append(s.sums, Numbers(r))
	r.Assignment, r.EpochLoss, r.Notes, r.Products, r.Stack = nil, nil, nil, nil, ""
	if n := len(s.records); n > 0 {
		r.Share(s.records[n-1])
	}
	s.records = append(s.records, r)
}

// Numbers are equal for records of equal numbers: status, scores, clusters, losses, how the solves ended, and on which data.
func Numbers(r *record.Record) [sha256.Size]byte {
	return sha256.Sum256(record.Canonical([]any{r.Status, r.Scores, r.Assignment, r.EpochLoss, r.Convergence, r.Digest}))
}

// names are the parameters of each method that tell its configurations apart in this store, and all that it has.
func (s *Side) names() (varying, all map[string]map[string]bool) {
	varying, all = map[string]map[string]bool{}, map[string]map[string]bool{}
	first := map[string]summary.Params{}
	for _, r := range s.records {
		if all[r.Method] == nil {
			varying[r.Method], all[r.Method], first[r.Method] = map[string]bool{}, map[string]bool{}, r.Params
		}
		for name, v := range r.Params {
			all[r.Method][name] = true
			if w, there := first[r.Method][name]; !there || summary.CompareAny(v, w) != 0 {
				varying[r.Method][name] = true
			}
		}
	}
	return varying, all
}

// groups puts the records into rows. It ignores a parameter that only this side has, always with
// one value: such a default was added or removed later. It ignores the keys of by too; two values
// of such a key in one row are an error.
func (s *Side) groups(other *Side, by []string) (map[configuration]*group, error) {
	varying, _ := s.names()
	_, known := other.names()
	out := map[configuration]*group{}
	for i, r := range s.records {
		params := maps.Clone(summary.Params(r.Params))
		maps.DeleteFunc(params, func(name string, _ any) bool {
			return slices.Contains(by, name) || known[r.Method] != nil && !known[r.Method][name] && !varying[r.Method][name]
		})
		var values []string
		for _, name := range by {
			values = append(values, summary.Params(r.Params).At(name).Text())
		}
		key, across := configuration{r.Dataset, r.Digest, r.Method, params.Key()}, strings.Join(values, ", ")
		g := out[key]
		if g == nil || g.version < r.MethodVersion {
			g = &group{params, across, r.MethodVersion, map[repetition]cell{}}
			out[key] = g
		}
		if g.version == r.MethodVersion {
			if g.by != across {
				return nil, fmt.Errorf("%s %s has both %q and %q as %s; rows are paired across one value in each folder", r.Dataset, r.Method,
					min(g.by, across), max(g.by, across), strings.Join(by, ", "))
			}
			g.cells[repetition{r.BaseSeed, r.Repetition}] = cell{r.ID, r.Repetition, r.Status == record.OK, r.Scores, s.sums[i]}
		}
	}
	return out, nil
}

// Of compares two stores row by row, in the order of data sets, methods and parameters. Rows are pairs that are equal in all parameters
// but the keys of by. A key that no record has is an error, and so are several values of the keys in one row of a store.
func Of(a, b *Side, by ...string) ([]*Row, error) {
	for _, name := range by {
		has := func(r *record.Record) bool { return r.Params[name] != nil }
		if !slices.ContainsFunc(a.records, has) && !slices.ContainsFunc(b.records, has) {
			return nil, fmt.Errorf("no record has a parameter %q", name)
		}
	}
	left, err := a.groups(b, by)
	if err != nil {
		return nil, fmt.Errorf("in A: %w", err)
	}
	right, err := b.groups(a, by)
	if err != nil {
		return nil, fmt.Errorf("in B: %w", err)
	}
	both := 0
	for key := range left {
		if right[key] != nil {
			both++
		}
	}
	var out []*Row
	for key, x := range left {
		out = append(out, rowOf(key, x, right[key], both))
	}
	for key, y := range right {
		if left[key] == nil {
			out = append(out, rowOf(key, nil, y, both))
		}
	}
	slices.SortFunc(out, func(a, b *Row) int {
		return cmp.Or(cmp.Compare(a.Dataset, b.Dataset), cmp.Compare(a.Method, b.Method), summary.CompareParams(a.Params, b.Params),
			cmp.Compare(a.Outcome, b.Outcome))
	})
	return out, nil
}

// rowOf compares two groups, of which one may be nil. rows is the number of rows that share the level.
func rowOf(key configuration, x, y *group, rows int) *Row {
	r := &Row{Dataset: key.dataset, Method: key.method}
	switch {
	case y == nil:
		r.Params, r.By[0], r.VersionA, r.Outcome = x.params, x.by, x.version, OnlyA
		r.A = r.alone(x)
		return r
	case x == nil:
		r.Params, r.By[1], r.VersionB, r.Outcome = y.params, y.by, y.version, OnlyB
		r.B = r.alone(y)
		return r
	}
	r.Params, r.By, r.VersionA, r.VersionB = x.params, [2]string{x.by, y.by}, x.version, y.version
	var before, after []cell
	otherwise, failed := false, false // some cells have another id; one side alone has a result
	for at, c := range x.cells {
		d, there := y.cells[at]
		if !there {
			continue
		}
		r.Repetitions++
		switch {
		case c.id != d.id:
			otherwise = true
			failed = failed || c.ok != d.ok
		case c.sum != d.sum:
			r.Changed++
		}
		if c.ok && d.ok {
			before, after = append(before, c), append(after, d)
		}
	}
	r.choose(slices.Concat(before, after))
	r.A, r.B = r.over(before), r.over(after)
	switch {
	case r.Changed > 0 || failed:
		r.Outcome = Moved
	case r.Repetitions == 0:
		r.Outcome = Unsettled
	case otherwise:
		r.judge(before, after, 1-Level/float64(max(rows, 1)))
	}
	return r
}

// choose finds the score that rows are compared by: the first that all these cells have.
func (r *Row) choose(cells []cell) {
	for _, score := range []string{artifact.RI, artifact.Accuracy, artifact.Objective} {
		if len(cells) > 0 && !slices.ContainsFunc(cells, func(c cell) bool { _, has := c.scores[score]; return !has }) {
			r.Score, r.Scale = score, 100 // percent
			if score == artifact.Objective {
				r.Scale = 1
			}
			return
		}
	}
}

// alone sums up a row that has no counterpart.
func (r *Row) alone(g *group) paper.Stat {
	cells := slices.DeleteFunc(slices.Collect(maps.Values(g.cells)), func(c cell) bool { return !c.ok })
	r.choose(cells)
	r.Repetitions = len(g.cells)
	return r.over(cells)
}

// over sums up that score over cells.
func (r *Row) over(cells []cell) paper.Stat {
	var values []float64
	for _, c := range cells {
		if v, has := c.scores[r.Score]; has {
			values = append(values, r.Scale*v)
		}
	}
	slices.Sort(values) // cells come in no order, and the last bit of a sum depends on it
	return paper.StatOf(values)
}

// judge settles a row of two versions or settings by the interval of the paired differences. Accuracies are of splits, which share graphs; the same
// splits under another base seed are no more of them.
func (r *Row) judge(before, after []cell, confidence float64) {
	var differences []float64
	splits := map[int]bool{}
	for i := range before {
		splits[before[i].number] = true
		differences = append(differences, r.Scale*(after[i].scores[r.Score]-before[i].scores[r.Score]))
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
