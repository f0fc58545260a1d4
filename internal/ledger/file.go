package ledger

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"ogdl/internal/artifact"
	"ogdl/internal/record"
)

// A file is gzip of lines of JSON: first head, then a [line] for each configuration.
const head = `{"ledger":1}`

// Limits of a file, in bytes: compressed and uncompressed.
const (
	maxPacked = 64 << 20
	maxText   = 512 << 20
)

// errTooLong is the error of a file beyond its limits, when it is read and when it would be written.
var errTooLong = fmt.Errorf("too long: at most %d MB, and %d MB uncompressed", maxPacked>>20, maxText>>20)

// line holds the cells of one setting: one method, the same data and parameters. The lists after
// the parameters have a value for each cell, in the order of base seeds and repetitions. Lists
// without information are omitted.
type line struct {
	Method  string          `json:"method"`
	Version int             `json:"version"`
	Dataset string          `json:"dataset"`
	Loader  int             `json:"loader"`
	Digest  string          `json:"digest"`
	Params  json.RawMessage `json:"params"`
	params  map[string]any  // of a line that was read, in place of Params
	Used    []used          `json:"used,omitempty"` // products, each once

	Seeds       []int64              `json:"seeds"`
	Repetitions []int                `json:"repetitions"`
	IDs         []string             `json:"ids"`
	NPZ         []string             `json:"npz,omitempty"`
	Scores      map[string]floats    `json:"scores,omitempty"`      // null: a cell without that score
	RightPairs  []int64              `json:"right_pairs,omitempty"` // the Rand Index as so many pairs of graphs; -1 where it is among the scores
	Sizes       [][]int              `json:"sizes,omitempty"`
	Agree       []floats             `json:"agree,omitempty"` // with each of the cells before; null: not known
	Solves      []int64              `json:"solves,omitempty"`
	CapHits     []int64              `json:"cap_hits,omitempty"`
	Iterations  []int64              `json:"iterations,omitempty"`
	MaxGap      []float64            `json:"max_gap,omitempty"`
	Products    [][]int              `json:"products,omitempty"` // places in Used
	Notes       [][]string           `json:"notes,omitempty"`
	Provenance  []*record.Provenance `json:"provenance"`

	Seconds []float64        `json:"seconds,omitempty"` // of the processor where that is known, else of the clock
	Timings []*record.Timing `json:"timings,omitempty"` // of cells that time embeddings, as in the store
}

// used is a product with the processor seconds that it took, where that is known.
type used struct {
	record.Used
	Seconds float64 `json:"seconds,omitempty"`
}

// floats are numbers; NaN is null in JSON.
type floats []float64

// MarshalJSON writes null for NaN.
func (f floats) MarshalJSON() ([]byte, error) {
	list := make([]*float64, len(f))
	for i := range f {
		if !math.IsNaN(f[i]) {
			list[i] = &f[i]
		}
	}
	return json.Marshal(list)
}

// UnmarshalJSON reads null as NaN.
func (f *floats) UnmarshalJSON(text []byte) error {
	var list []*float64
	if err := json.Unmarshal(text, &list); err != nil {
		return err // the decoder of the line adds the field
	}
	*f = make(floats, len(list))
	for i, v := range list {
		if (*f)[i] = math.NaN(); v != nil {
			(*f)[i] = *v
		}
	}
	return nil
}

// column is one value of every cell; nil where none says anything.
func column[T any](cells []*record.Record, of func(*record.Record) T, empty func(T) bool) []T {
	out, says := make([]T, len(cells)), false
	for i, r := range cells {
		out[i] = of(r)
		says = says || !empty(out[i])
	}
	if !says {
		return nil
	}
	return out
}

func zero[T comparable](x T) bool { return x == *new(T) }
func none[T any](x []T) bool      { return len(x) == 0 }

// encode is the file of cells.
func (l *Ledger) encode(cells []*record.Record) ([]byte, error) {
	groups := map[string][]*record.Record{}
	for _, r := range cells {
		key := string(record.Canonical([]any{r.Dataset, r.Method, r.MethodVersion, r.LoaderVersion, r.Digest, r.Params}))
		groups[key] = append(groups[key], r)
	}
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	length, _ := fmt.Fprintln(z, head)
	for _, key := range slices.Sorted(maps.Keys(groups)) {
		text, err := json.Marshal(l.lineOf(groups[key]))
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(z, "%s\n", text)
		length += len(text) + 1
	}
	if err = z.Close(); err == nil && (length >= maxText || packed.Len() >= maxPacked) {
		err = errTooLong
	}
	return packed.Bytes(), err
}

// lineOf is the line of a configuration's cells.
func (l *Ledger) lineOf(cells []*record.Record) *line {
	slices.SortFunc(cells, func(a, b *record.Record) int {
		return cmp.Or(cmp.Compare(a.BaseSeed, b.BaseSeed), cmp.Compare(a.Repetition, b.Repetition), cmp.Compare(a.ID, b.ID))
	})
	first := cells[0]
	out := &line{Method: first.Method, Version: first.MethodVersion, Dataset: first.Dataset, Loader: first.LoaderVersion, Digest: first.Digest,
		Params: json.RawMessage(record.Canonical(first.Params))}
	at, names := map[string]int{}, map[string]bool{} // of products, and of scores
	for _, r := range cells {
		out.Seeds, out.Repetitions = append(out.Seeds, r.BaseSeed), append(out.Repetitions, r.Repetition)
		out.IDs, out.Provenance = append(out.IDs, r.ID), append(out.Provenance, &r.Provenance)
		for _, u := range r.Products {
			if _, there := at[u.ID]; !there {
				at[u.ID] = len(out.Used)
				out.Used = append(out.Used, used{u, l.products[u.ID]})
			}
		}
		for name := range r.Scores {
			names[name] = true
		}
	}
	out.Scores = map[string]floats{}
	for name := range names {
		values := column(cells, func(r *record.Record) float64 {
			if v, ok := r.Scores[name]; ok && (name != artifact.RI || rightPairs(r) < 0) {
				return v
			}
			return math.NaN()
		}, math.IsNaN)
		if values != nil {
			out.Scores[name] = values
		}
	}
	out.RightPairs = column(cells, rightPairs, func(n int64) bool { return n < 0 })
	out.NPZ = column(cells, func(r *record.Record) string { return r.Kept.NPZ }, zero)
	out.Sizes = column(cells, func(r *record.Record) []int { return r.Kept.Sizes }, none)
	out.Agree = agreements(cells)
	out.Solves = column(cells, func(r *record.Record) int64 { return r.Convergence.Solves }, zero)
	out.CapHits = column(cells, func(r *record.Record) int64 { return r.Convergence.CapHits }, zero)
	out.Iterations = column(cells, func(r *record.Record) int64 { return r.Convergence.Iterations }, zero)
	out.MaxGap = column(cells, func(r *record.Record) float64 { return r.Convergence.MaxGap }, zero)
	out.Products = column(cells, func(r *record.Record) (places []int) {
		for _, u := range r.Products {
			places = append(places, at[u.ID])
		}
		return places
	}, none)
	out.Notes = column(cells, func(r *record.Record) []string { return r.Notes }, none)
	out.Timings = column(cells, func(r *record.Record) *record.Timing {
		if t := l.Timing(r.ID); t.Embed != nil {
			return t
		}
		return nil
	}, zero)
	out.Seconds = column(cells, func(r *record.Record) float64 { return l.Timing(r.ID).Seconds }, zero)
	return out
}

// agreements returns the agreements of each cell with the cells before it; NaN where neither of the two names the other. It
// returns nil if no cell names another one.
func agreements(cells []*record.Record) []floats {
	out, place, says := make([]floats, len(cells)), make(map[string]int, len(cells)), false
	for i, r := range cells {
		out[i], place[r.ID] = slices.Repeat(floats{math.NaN()}, i), i
	}
	for i, r := range cells {
		for _, a := range r.Kept.Agree {
			if j, there := place[a.ID]; there && i != j {
				out[max(i, j)][min(i, j)] = a.Index // the later cell writes last: its number counts
				says = true
			}
		}
	}
	if !says {
		return nil
	}
	return out
}

// rightPairs is the number of pairs of graphs that the classes and the clusters of a cell agree on; -1 where its Rand Index does not say it to the
// last bit.
func rightPairs(r *record.Record) int64 {
	ri, scored := r.Scores[artifact.RI]
	all := pairsOf(r.Kept.Sizes)
	if right := int64(math.Round(ri * float64(all))); scored && all > 0 && float64(right)/float64(all) == ri {
		return right
	}
	return -1
}

// pairsOf is the number of pairs of graphs in clusters of these sizes.
func pairsOf(sizes []int) int64 {
	n := int64(0)
	for _, size := range sizes {
		n += int64(size)
	}
	return n * (n - 1) / 2
}

// read adds the cells of a file. Errors name the file and the number of the value. Save writes one value a line.
func (l *Ledger) read(f io.Reader, path string) error {
	packed := &io.LimitedReader{R: f, N: maxPacked}
	z, err := gzip.NewReader(packed)
	if err != nil {
		return fmt.Errorf("%s: no ledger: %w", path, err)
	}
	text := &io.LimitedReader{R: z, N: maxText}
	err = l.readText(bufio.NewReader(text), path)
	if packed.N == 0 || text.N == 0 {
		return fmt.Errorf("%s: %w", path, errTooLong)
	}
	return err
}

// readText is read of the uncompressed text.
func (l *Ledger) readText(text *bufio.Reader, path string) error {
	switch first, err := text.ReadString('\n'); {
	case err != nil && !errors.Is(err, io.EOF):
		return fmt.Errorf("%s:1: %w", path, err)
	case first == "":
		return fmt.Errorf("%s: empty, want %s", path, head)
	case strings.TrimSuffix(first, "\n") != head:
		return fmt.Errorf("%s:1: want %s", path, head)
	}
	d := json.NewDecoder(text)
	d.DisallowUnknownFields()
	for n := 2; ; n++ {
		x := &line{}
		err := d.Decode(x)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = l.addLine(x)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", path, n, err)
		}
	}
}

// addLine adds the cells of a line. A line that does not hold what tables rely on is an error.
func (l *Ledger) addLine(x *line) error {
	n := len(x.IDs)
	if x.Method == "" || x.Dataset == "" || n == 0 {
		return errors.New("a line needs method, dataset and ids")
	}
	var err error
	if err = json.Unmarshal(x.Params, &x.params); err != nil || x.params == nil {
		return fmt.Errorf("params %s: want an object", x.Params)
	}
	x.Params = nil
	lengths := map[string]int{"seeds": len(x.Seeds), "repetitions": len(x.Repetitions), "provenance": len(x.Provenance),
		"npz": left(x.NPZ, n), "right_pairs": left(x.RightPairs, n), "sizes": left(x.Sizes, n), "agree": left(x.Agree, n), "solves": left(x.Solves, n),
		"cap_hits": left(x.CapHits, n), "iterations": left(x.Iterations, n), "max_gap": left(x.MaxGap, n), "products": left(x.Products, n),
		"notes": left(x.Notes, n), "seconds": left(x.Seconds, n), "timings": left(x.Timings, n)}
	for name, values := range x.Scores {
		lengths["scores: "+name] = len(values)
	}
	for what, length := range lengths {
		if length != n {
			return fmt.Errorf("%s: %d values for %d ids", what, length, n)
		}
	}
	for _, u := range x.Used {
		if !isID(u.ID) || u.Seconds < 0 {
			return fmt.Errorf("used: product %q, %v seconds", u.ID, u.Seconds)
		}
		l.took(u.ID, u.Seconds)
	}
	for i, id := range x.IDs {
		if err := x.check(i); err != nil {
			return err
		}
		if x.Provenance[i] == nil {
			return fmt.Errorf("provenance: null in place %d", i)
		}
		if l.provenance == nil || *l.provenance != *x.Provenance[i] {
			l.provenance = x.Provenance[i]
		}
		x.Provenance[i] = l.provenance // neighbours share one
		if !l.Has(id) {
			l.cells[id] = entry{line: x, i: i}
		} else if _, err := l.merge(x.record(i), x.timing(i)); err != nil {
			return err
		}
	}
	return nil
}

// check returns an error if cell i of the line does not hold what tables rely on.
func (x *line) check(i int) error {
	if id := x.IDs[i]; !isID(id) {
		return fmt.Errorf("ids: %q: want 8 to 64 digits 0-9a-f", id)
	}
	if npz := at(x.NPZ, i); npz != "" && (len(npz) != npzDigits || !isID(npz)) {
		return fmt.Errorf("npz: %q: want %d digits 0-9a-f", npz, npzDigits)
	}
	graphs := 0
	for _, size := range at(x.Sizes, i) {
		if graphs += size; size < 1 || graphs > math.MaxInt32 {
			return fmt.Errorf("sizes: %d: want whole numbers above 0, at most %d together", size, math.MaxInt32)
		}
	}
	if x.RightPairs != nil && x.RightPairs[i] != -1 {
		if right, pairs := x.RightPairs[i], pairsOf(at(x.Sizes, i)); right < 0 || right > pairs || pairs == 0 {
			return fmt.Errorf("right_pairs: %d of %d", right, pairs)
		}
	}
	agree := at(x.Agree, i)
	if len(agree) != i && x.Agree != nil {
		return fmt.Errorf("agree: %d values in place %d", len(agree), i)
	}
	for _, v := range agree {
		if v < -1 || v > 1 {
			return fmt.Errorf("agree: %v: want -1 to 1", v)
		}
	}
	for _, k := range at(x.Products, i) {
		if k < 0 || k >= len(x.Used) {
			return fmt.Errorf("products: %d: there are %d", k, len(x.Used))
		}
	}
	if at(x.Seconds, i) < 0 {
		return errors.New("seconds: below 0")
	}
	if t := at(x.Timings, i); t != nil && (t.ID != x.IDs[i] || t.Embed == nil) {
		return fmt.Errorf("timings: of %q in the place of %s", t.ID, x.IDs[i])
	}
	return nil
}

// record returns the record of cell i.
func (x *line) record(i int) *record.Record {
	r := &record.Record{ID: x.IDs[i], Status: record.OK, Method: x.Method, MethodVersion: x.Version, Dataset: x.Dataset,
		Params: x.params, BaseSeed: x.Seeds[i], Repetition: x.Repetitions[i], Digest: x.Digest, LoaderVersion: x.Loader,
		Convergence: record.Convergence{Solves: at(x.Solves, i), CapHits: at(x.CapHits, i),
			Iterations: at(x.Iterations, i), MaxGap: at(x.MaxGap, i)},
		Scores: make(map[string]float64, len(x.Scores)+1), Notes: at(x.Notes, i), Provenance: *x.Provenance[i],
		Kept: &record.Kept{NPZ: at(x.NPZ, i), Sizes: at(x.Sizes, i)}}
	for name, values := range x.Scores {
		if v := values[i]; !math.IsNaN(v) {
			r.Scores[name] = v
		}
	}
	if x.RightPairs != nil && x.RightPairs[i] != -1 {
		r.Scores[artifact.RI] = float64(x.RightPairs[i]) / float64(pairsOf(r.Kept.Sizes))
	}
	for j, v := range at(x.Agree, i) {
		if !math.IsNaN(v) {
			r.Kept.Agree = append(r.Kept.Agree, record.Agreement{ID: x.IDs[j], Index: v})
		}
	}
	r.Kept.Agree = union(r.Kept.Agree, nil)
	for _, k := range at(x.Products, i) {
		r.Products = append(r.Products, x.Used[k].Used)
	}
	return r
}

// timing returns the timing of cell i.
func (x *line) timing(i int) *record.Timing {
	if t := at(x.Timings, i); t != nil {
		return clone(t)
	}
	seconds := at(x.Seconds, i)
	return &record.Timing{ID: x.IDs[i], Seconds: seconds, CPUSeconds: seconds}
}

// at returns list[i], the zero value for an omitted list.
func at[T any](list []T, i int) (x T) {
	if list != nil {
		x = list[i]
	}
	return x
}

// left returns the length of a list; an omitted list counts as n values, an empty one as none.
func left[T any](list []T, n int) int {
	if list == nil {
		return n
	}
	return len(list)
}

func isID(id string) bool {
	return len(id) >= 8 && len(id) <= 64 && strings.Trim(id, "0123456789abcdef") == ""
}
