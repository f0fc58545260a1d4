// Package ledger is a compact archive of scores, about 45 bytes a cell, small enough to commit. It
// has everything that tables need, but no labels, losses and arrays.
package ledger

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"ogdl/internal/artifact"
	"ogdl/internal/disk"
	"ogdl/internal/record"
)

// Ending ends the names of a ledger's files.
const Ending = ".jsonl.gz"

// Ledger is an archive in a folder, with one file for each method on a data set, or in one file.
// The same cells give the same bytes, in whatever order they were added. It is for one goroutine
// that adds, or for any number that read.
type Ledger struct {
	fs       disk.FS
	path     string
	cells    map[string]entry
	products map[string]float64 // processor seconds
	changed  map[string]bool    // files that are to be written
	fresh    map[string]bool    // cells that have been added since the ledger was opened or saved

	provenance *record.Provenance // of the cell that was read last
}

// entry is cell i of a line that was read, or a record and a timing that were added. A line takes a
// third of the memory of its records.
type entry struct {
	line   *line
	i      int
	record *record.Record
	timing *record.Timing
}

// Open reads the ledger at a path: a folder, or a file whose name ends in [Ending]. A path that
// does not exist is an empty ledger. Errors name file and line.
func Open(path string) (*Ledger, error) { return openOn(disk.OS{}, path) }

// empty is a ledger without cells.
func empty(fsys disk.FS, path string) *Ledger {
	return &Ledger{fs: fsys, path: path, cells: map[string]entry{}, products: map[string]float64{},
		changed: map[string]bool{}, fresh: map[string]bool{}}
}

func openOn(fsys disk.FS, path string) (*Ledger, error) {
	l := empty(fsys, path)
	files := []string{path}
	if info, err := fsys.Stat(path); err == nil && info.IsDir() {
		entries, err := fsys.ReadDir(path)
		if err != nil {
			return nil, fmt.Errorf("ledger: %w", err)
		}
		files = nil
		for _, e := range entries {
			if strings.HasSuffix(e.Name(), Ending) && !strings.HasPrefix(e.Name(), disk.TempPrefix) {
				files = append(files, filepath.Join(path, e.Name()))
			}
		}
	} else if err == nil && !l.single() {
		return nil, fmt.Errorf("ledger: %s: want a folder, or a file whose name ends in %s", path, Ending)
	}
	for _, file := range files {
		if err := l.load(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("ledger: %w", err)
		}
	}
	clear(l.changed)
	clear(l.fresh)
	return l, nil
}

// single reports whether the ledger is one file.
func (l *Ledger) single() bool { return strings.HasSuffix(l.path, Ending) }

// load reads a file and adds its cells.
func (l *Ledger) load(path string) error {
	f, err := l.fs.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return l.read(f, path)
}

// fileOf returns the path of the file that holds a record.
func (l *Ledger) fileOf(r *record.Record) string {
	if l.single() {
		return l.path
	}
	return filepath.Join(l.path, url.QueryEscape(r.Dataset)+"_"+url.QueryEscape(r.Method)+Ending)
}

// Len is the number of cells.
func (l *Ledger) Len() int { return len(l.cells) }

// IDs returns the ids of the cells, sorted.
func (l *Ledger) IDs() []string { return slices.Sorted(maps.Keys(l.cells)) }

// Has reports whether the ledger has a cell.
func (l *Ledger) Has(id string) bool {
	_, there := l.cells[id]
	return there
}

// Find returns the record of an id, as far as it is kept, with its timing; nil if there is none.
// Parameters, scores and lists are shared: they must not be changed.
func (l *Ledger) Find(id string) (*record.Record, *record.Timing) {
	switch c, there := l.cells[id]; {
	case !there:
		return nil, nil
	case c.line != nil:
		return c.line.record(c.i), c.line.timing(c.i)
	default:
		return clone(c.record), clone(c.timing)
	}
}

// Timing returns the timing of an id, nil if there is none.
func (l *Ledger) Timing(id string) *record.Timing {
	switch c := l.cells[id]; {
	case c.line != nil:
		return c.line.timing(c.i)
	case c.timing != nil:
		return clone(c.timing)
	}
	return nil
}

// Unsaved is the number of files that differ from what [Ledger.Save] would write: new cells, or shorter times of old ones.
func (l *Ledger) Unsaved() int { return len(l.changed) }

// ProductSeconds is the processor time that a product took; 0 where it is not known.
func (l *Ledger) ProductSeconds(id string) float64 { return l.products[id] }

func clone[T any](x *T) *T {
	y := *x
	return &y
}

// Add adds a finished cell: its record as a store or a ledger returns it, kept for its labels and arrays, its timing or nil, and
// a function with the seconds of its products (nil or 0: unknown). A cell that the ledger has with
// other numbers is a [Conflict]; one with the same numbers stays as it is, but that agreements with
// further cells are added, and the shorter of two times counts. near reports a cell whose scores
// are equal within 1e-9, relatively, and whose clusters are the same: another processor may round
// so. The ledger keeps its own then.
func (l *Ledger) Add(r *record.Record, kept *record.Kept, t *record.Timing, products func(id string) float64) (near bool, err error) {
	if r.Status != record.OK {
		return false, fmt.Errorf("ledger: cell %s is %s: only results are kept", r.ID, r.Status)
	}
	c := clone(r)
	c.Assignment, c.EpochLoss, c.NPZSum, c.NPZSize = nil, nil, "", 0
	c.Scores = maps.Clone(r.Scores)
	for _, name := range artifact.Diagnostics() {
		delete(c.Scores, name)
	}
	if v, ok := c.Scores[artifact.ARI]; ok {
		c.Scores[artifact.ARI] = record.ARI(v)
	}
	c.Convergence.MaxGap = record.Gap(c.Convergence.MaxGap)
	c.Products = slices.Clone(c.Products)
	for i := range c.Products {
		c.Products[i].Convergence.MaxGap = record.Gap(c.Products[i].Convergence.MaxGap)
	}
	c.Kept = &record.Kept{}
	if kept != nil {
		c.Kept = clone(kept)
	}
	if r.NPZSum != "" { // else the record may be another ledger's
		c.Kept.NPZ = r.NPZSum[:npzDigits]
	}
	c.Kept.Agree = slices.Clone(c.Kept.Agree)
	for i := range c.Kept.Agree {
		c.Kept.Agree[i].Index = record.ARI(c.Kept.Agree[i].Index)
	}
	short := &record.Timing{ID: r.ID}
	if t != nil && t.Embed != nil {
		short = clone(t)
	} else if t != nil {
		short.Seconds = record.Rounded(cmp.Or(max(t.CPUSeconds, 0), t.Seconds), 'e', 2)
		short.CPUSeconds = short.Seconds
	}
	if near, err = l.merge(c, short); err != nil || near {
		return near, err
	}
	for _, u := range r.Products {
		if products != nil && l.took(u.ID, record.Rounded(products(u.ID), 'e', 2)) {
			l.changed[l.fileOf(c)] = true
		}
	}
	return false, nil
}

// Conflict is the error about a cell that a ledger has with other numbers.
type Conflict struct {
	Method, Dataset string
	text            string
}

// Error names the cell and the number that differs.
func (c *Conflict) Error() string { return c.text }

// Refuse takes back the cells of a method on a data set that were added since the ledger was opened
// or saved, and returns their number. Save does not write the file of the method then: shorter
// times and further agreements of its older cells stay in memory.
func (l *Ledger) Refuse(method, dataset string) (n int) {
	for id := range l.fresh {
		if r := l.cells[id].record; r.Method == method && r.Dataset == dataset {
			delete(l.cells, id)
			delete(l.fresh, id)
			n++
		}
	}
	if !l.single() {
		delete(l.changed, l.fileOf(&record.Record{Method: method, Dataset: dataset}))
	}
	return n
}

// npzDigits is the number of digits kept of the checksum of a cell's arrays, as in the name of
// their file. Times have three digits. Adjusted Rand Indices and gaps are rounded as [record.ARI]
// and [record.Gap] say. Other scores are exact, because selections depend on them.
const npzDigits = 12

// took keeps the shorter time of a product and reports whether it changed.
func (l *Ledger) took(id string, seconds float64) bool {
	if old := l.products[id]; seconds <= 0 || old > 0 && old <= seconds {
		return false
	}
	l.products[id] = seconds
	return true
}

// merge adds a cell in the ledger's form. Of two records with the same numbers it keeps the lesser
// by said, so that the order of calls does not matter.
func (l *Ledger) merge(r *record.Record, t *record.Timing) (near bool, err error) {
	old, before := l.Find(r.ID)
	if old == nil {
		l.cells[r.ID] = entry{record: r, timing: t}
		l.changed[l.fileOf(r)], l.fresh[r.ID] = true, true
		return false, nil
	}
	what, near := contradiction(old, r)
	if what != "" {
		return false, &Conflict{r.Method, r.Dataset, fmt.Sprintf("ledger: cell %s (%s on %s, repetition %d) is in %s with other numbers: %s",
			r.ID, r.Method, r.Dataset, r.Repetition, l.fileOf(old), what)}
	}
	if near {
		return true, nil
	}
	merged, other := clone(old), slices.Compare(said(r), said(old)) < 0
	if other {
		merged = clone(r)
	}
	merged.Kept = clone(merged.Kept)
	merged.Kept.Agree = union(old.Kept.Agree, r.Kept.Agree)
	faster := t.Seconds > 0 && (t.Seconds < before.Seconds || before.Seconds == 0)
	if faster {
		before = t
	}
	if faster || other || len(merged.Kept.Agree) > len(old.Kept.Agree) {
		l.changed[l.fileOf(r)] = true
	}
	l.cells[r.ID] = entry{record: merged, timing: before}
	return false, nil
}

// said returns the parts in which records with the same numbers may differ: later parameters, the
// arrays' sum, provenance and notes.
func said(r *record.Record) []byte {
	return record.Canonical([]any{r.Params, r.Kept.NPZ, r.Provenance, r.Notes})
}

// tolerance is how far scores of one cell may differ between processors, relatively.
const tolerance = 1e-9

// contradiction returns the first number in which two records differ, "" if there is none. near is
// set if scores differ within the tolerance, or only the solves differ.
func contradiction(a, b *record.Record) (what string, near bool) {
	type part struct {
		what string
		of   func(*record.Record) any
		soft bool // may differ where scores and clusters do not
	}
	parts := []part{
		{what: "method", of: func(r *record.Record) any {
			return []any{r.Method, r.MethodVersion, r.Dataset, r.BaseSeed, r.Repetition, r.LoaderVersion}
		}},
		{what: "digest of the data", of: func(r *record.Record) any { return r.Digest }},
		{what: "sizes of clusters", of: func(r *record.Record) any { return r.Kept.Sizes }},
		{what: "solves", of: func(r *record.Record) any { return r.Convergence }, soft: true},
		{what: "products", of: func(r *record.Record) (ids any) {
			var all []string
			for _, u := range r.Products {
				all = append(all, u.ID)
			}
			return all
		}},
		{what: "solves of products", of: func(r *record.Record) any { return r.Products }, soft: true},
	}
	both := maps.Clone(a.Scores)
	maps.Copy(both, b.Scores)
	for _, name := range slices.Sorted(maps.Keys(both)) {
		parts = append(parts, part{what: name, of: func(r *record.Record) any { return score(r, name) }, soft: isNear(a, b, name)})
	}
	if string(record.Canonical(a.Params)) == string(record.Canonical(b.Params)) { // else the archive of arrays has another text of parameters
		parts = append(parts, part{what: "sum of the arrays", of: func(r *record.Record) any { return r.Kept.NPZ }, soft: true})
	}
	for _, p := range parts {
		x, y := record.Canonical(p.of(a)), record.Canonical(p.of(b))
		if string(x) == string(y) {
			continue
		}
		if near = true; !p.soft {
			return fmt.Sprintf("%s is %s there and %s here", p.what, x, y), false
		}
	}
	for _, x := range a.Kept.Agree {
		if y, known := b.Kept.With(x.ID); known && math.Abs(x.Index-y) > 0 {
			return fmt.Sprintf("agreement with cell %s is %v there and %v here", x.ID, x.Index, y), false
		}
	}
	return "", near
}

// isNear reports whether a score of two records is equal within the tolerance. Scores of clusters and classes are shares of counts, which
// are the same or not.
func isNear(a, b *record.Record, name string) bool {
	x, there := a.Scores[name]
	y, here := b.Scores[name]
	return there && here && math.Abs(x-y) <= tolerance*max(math.Abs(x), math.Abs(y)) && name != artifact.RI && name != artifact.ARI && name != artifact.Accuracy
}

// score is nil where there is none.
func score(r *record.Record, name string) any {
	if v, ok := r.Scores[name]; ok {
		return v
	}
	return nil
}

// union returns the agreements of both lists, sorted by id.
func union(a, b []record.Agreement) []record.Agreement {
	all := slices.Concat(a, b)
	slices.SortFunc(all, func(a, b record.Agreement) int { return strings.Compare(a.ID, b.ID) })
	return slices.CompactFunc(all, func(a, b record.Agreement) bool { return a.ID == b.ID })
}

// Save writes the files in which something has changed; each appears whole.
func (l *Ledger) Save() error {
	of := map[string][]*record.Record{}
	for _, id := range l.IDs() {
		if r, _ := l.Find(id); l.changed[l.fileOf(r)] {
			of[l.fileOf(r)] = append(of[l.fileOf(r)], r)
		}
	}
	var files []disk.Data
	for _, path := range slices.Sorted(maps.Keys(of)) {
		text, err := l.encode(of[path])
		if err != nil {
			return fmt.Errorf("ledger: %s: %w", path, err)
		}
		files = append(files, disk.Data{Path: path, Bytes: text})
	}
	if err := disk.Put(l.fs, files...); err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	clear(l.changed)
	clear(l.fresh)
	return nil
}
