package fit

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"ogdl/datasets"
)

// TestInterrupted: a fit that is stopped while it learns, or before its files are in their places, leaves nothing.
func TestInterrupted(t *testing.T) {
	d, err := datasets.D1(&datasets.SimulationSettings{MinOrder: 10, MaxOrder: 15, Graphs: 4}, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		t.Fatal(err)
	}
	set := Settings{Atoms: Range{2, 3}, Given: map[string]any{"epochs": int64(2)}, Seed: 1, Workers: 2}
	ctx, stop := context.WithCancel(t.Context())
	last := 0.0
	set.Worked = func(share float64) {
		if share < last || share > 1+1e-9 {
			t.Errorf("the share of the work goes from %v to %v", last, share)
		}
		if last = share; share > 0.3 {
			stop()
		}
	}
	if _, err := Run(ctx, d, set); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped while it learns: %v", err)
	}
	last = 0
	f, err := Run(t.Context(), d, set)
	if err != nil || last < 1-1e-9 {
		t.Fatalf("%v at %v of the work", err, last)
	}
	dir := filepath.Join(t.TempDir(), "out")
	if err := f.Write(ctx, dir); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped before it writes: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, GraphsFile)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("there is a file of graphs: %v", err)
	}
}
