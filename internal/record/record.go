// Package record stores the results of cells: a record (parameters, status, scores), an npz of
// arrays (dictionary, embeddings) and a timing. The store holds one file each per cell, so that
// runs need no append file, may share a folder, and may be killed at any instant.
package record

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
)

// Schema is the version of the record file's content that this code writes and reads. It is
// raised whenever a field of Record changes its meaning, or one is added that readers need.
const Schema = 1

// The statuses of a record. Only an ok record is a result; the others say why there is none
// and are kept the same way.
const (
	OK        = "ok"
	Failed    = "failed"    // an error or a panic: Reason, perhaps Stack
	Timeout   = "timeout"   // the cell's time was up
	Skipped   = "skipped"   // not run, for Reason
	Cancelled = "cancelled" // the run was interrupted
)

// Statuses lists the statuses, ok first.
func Statuses() []string { return []string{OK, Failed, Timeout, Skipped, Cancelled} }

// Record is the result of one cell: one method on one data set with one set of parameters and one
// repetition. The cell and the code determine everything in it. Durations are in Timing, so that
// the bytes of records can be compared between runs.
type Record struct {
	ID     string `json:"id"`     // see ID
	Status string `json:"status"` // OK, Failed, Timeout, Skipped or Cancelled
	Reason string `json:"reason,omitempty"`
	Stack  string `json:"stack,omitempty"` // of a panic

	Method        string `json:"method"`
	MethodVersion int    `json:"method_version"`
	Dataset       string `json:"dataset"`
	// Params are resolved: every parameter, defaults included. Numbers come back from the store as float64; see Number.
	Params        map[string]any `json:"params"`
	BaseSeed      int64          `json:"base_seed"`
	Repetition    int            `json:"repetition"`
	Digest        string         `json:"digest"` // of the data set, as loaded
	LoaderVersion int            `json:"loader_version"`

	Scores      map[string]float64 `json:"scores,omitempty"`     // by name, e.g. "ri" and "ari" in 0..1; finite
	Assignment  Labels             `json:"assignment,omitempty"` // cluster of every graph
	Convergence Convergence        `json:"convergence"`
	Products    []Used             `json:"products,omitempty"`   // shared computations it rests on
	EpochLoss   []float64          `json:"epoch_loss,omitempty"` // finite
	Notes       []string           `json:"notes,omitempty"`
	Provenance  Provenance         `json:"provenance"`

	NPZSum  string `json:"npz_sum,omitempty"`  // SHA-256 (hex) of the record's npz; "" if there is none. Set by Put
	NPZSize int64  `json:"npz_size,omitempty"` // its bytes. Set by Put

	Kept *Kept `json:"-"` // of a record that a ledger remembers; else nil
}

// Convergence sums up the solves of a cell.
type Convergence struct {
	Solves     int64   `json:"solves"`
	CapHits    int64   `json:"cap_hits"` // solves that stopped at their iteration cap
	Iterations int64   `json:"iterations"`
	MaxGap     float64 `json:"max_gap"` // largest Frank-Wolfe gap; finite
}

// Plus returns the sum with other solves.
func (c Convergence) Plus(o Convergence) Convergence {
	return Convergence{c.Solves + o.Solves, c.CapHits + o.CapHits, c.Iterations + o.Iterations, max(c.MaxGap, o.MaxGap)}
}

// Used names a product that a cell uses, with the product's solves. The cell's own Convergence does
// not include them.
type Used struct {
	ID          string      `json:"id"` // of the [Product]
	Kind        string      `json:"kind"`
	Convergence Convergence `json:"convergence"`
}

// Provenance identifies the program that computed a record.
type Provenance struct {
	// Sources is a digest of the sources that decide numbers, the same however the program was
	// built. Records of older programs have none.
	Sources string `json:"sources,omitempty"`
	// Revision is the checkout's revision, if the build knew it. It only informs, except in records
	// without Sources, where it distinguishes programs.
	Revision  string `json:"revision,omitempty"`
	GoVersion string `json:"go_version"`
	GOARCH    string `json:"goarch"`
}

// Code names the code that computed a record, in words: by its sources, for records of older
// programs by the revision; "" if neither is known. Two records that say the same were computed by the same code.
func (p Provenance) Code() string {
	switch {
	case p.Sources != "":
		return "sources " + p.Sources
	case p.Revision != "":
		return "revision " + p.Revision
	}
	return ""
}

// Timing is the time and memory of a cell. It differs from run to run.
type Timing struct {
	ID         string  `json:"id"`
	Seconds    float64 `json:"seconds"`     // wall clock
	CPUSeconds float64 `json:"cpu_seconds"` // of the cell, where it is known; else 0
	// Time that the cell's worker spent on products shared with other cells, waiting for them and
	// helping. The two times above do not include it.
	ProductSeconds    float64 `json:"product_seconds,omitempty"`
	ProductCPUSeconds float64 `json:"product_cpu_seconds,omitempty"`

	PeakRSS int64     `json:"peak_rss"` // bytes, of the process at the cell's end
	Host    string    `json:"host"`
	Started time.Time `json:"started"`

	CPU     string      `json:"cpu,omitempty"`     // model of the processor, where it is known
	Kernels string      `json:"kernels,omitempty"` // the loops over vectors: "avx2" or "go"; "" in older ones
	Embed   *EmbedTimes `json:"embed,omitempty"`   // of a cell that times embeddings; nil for others
}

// EmbedTimes sums up how long single graphs took to embed, one at a time on one thread.
type EmbedTimes struct {
	Graphs   int     `json:"graphs"` // that were timed
	MeanMS   float64 `json:"mean_ms"`
	MedianMS float64 `json:"median_ms"`
	P90MS    float64 `json:"p90_ms"` // 90th percentile
}

// Number returns the parameter of that name as a number, and whether it is one.
func (r *Record) Number(param string) (float64, bool) {
	switch v := r.Params[param].(type) {
	case float64:
		return v, true
	case int:
		return float64(v), true
	case int64:
		return float64(v), true
	}
	return 0, false
}

// check reports why r must not be stored.
func (r *Record) check() error {
	if err := checkID(r.ID); err != nil {
		return err
	}
	if !slices.Contains(Statuses(), r.Status) {
		return fmt.Errorf("record: %s: status %q, want one of %s", r.ID, r.Status, strings.Join(Statuses(), ", "))
	}
	if r.Reason == "" && (r.Status == Failed || r.Status == Skipped) {
		return fmt.Errorf("record: %s: status %s needs a reason", r.ID, r.Status)
	}
	for _, u := range r.Products {
		if err := checkID(u.ID); err != nil {
			return fmt.Errorf("record: %s: product: %w", r.ID, err)
		}
	}
	if err := r.Finite(); err != nil {
		return fmt.Errorf("record: %s: %w", r.ID, err)
	}
	return nil
}

// Finite reports a loss, a score or a gap that is no finite number: no store takes such a record.
func (r *Record) Finite() error {
	for e, x := range r.EpochLoss {
		if !finite(x) {
			return fmt.Errorf("training diverged: the mean loss of epoch %d is no finite number (%v); smaller steps may help", e+1, x)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.Scores)) {
		if x := r.Scores[name]; !finite(x) {
			return fmt.Errorf("the result is no finite number: %s is %v", strings.ReplaceAll(name, "_", " "), x)
		}
	}
	if x := r.Convergence.MaxGap; !finite(x) {
		return fmt.Errorf("the largest gap of a solve is %v", x)
	}
	for _, u := range r.Products {
		if x := u.Convergence.MaxGap; !finite(x) {
			return fmt.Errorf("the largest gap of a solve of product %s is %v", u.ID, x)
		}
	}
	return nil
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// checkID checks that an id is a safe file name.
func checkID(id string) error {
	if len(id) < 8 || len(id) > 64 || strings.Trim(id, "0123456789abcdef") != "" {
		return fmt.Errorf("record: id %q, want 8 to 64 digits 0-9a-f", id)
	}
	return nil
}
